#include "connections/imported_function.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hodor::connections {

namespace {

struct Search {
  std::string_view library;
  std::string_view function;
  void** entry = nullptr;
  bool readOnly = false;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// What the dynamic section of a library says, as far as it is needed.
struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> data;
  std::span<const ElfW(Rela)> calls;
};

template <typename T>
const T* at(ElfW(Addr) base, ElfW(Addr) address) {
  // glibc has made the addresses absolute; whoever has not, means those of the file.
  return reinterpret_cast<const T*>(address < base ? base + address : address);
}

Dynamic read(ElfW(Addr) base, const ElfW(Dyn) * entries) {
  Dynamic dynamic;
  const ElfW(Rela)* data = nullptr;
  const ElfW(Rela)* calls = nullptr;
  std::size_t dataBytes = 0;
  std::size_t callBytes = 0;
  for (const ElfW(Dyn)* entry = entries; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        dynamic.symbols = at<ElfW(Sym)>(base, entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        dynamic.names = at<char>(base, entry->d_un.d_ptr);
        break;
      case DT_RELA:
        data = at<ElfW(Rela)>(base, entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        dataBytes = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        calls = at<ElfW(Rela)>(base, entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        callBytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  if (data != nullptr) {
    dynamic.data = {data, dataBytes / sizeof(ElfW(Rela))};
  }
  if (calls != nullptr) {
    dynamic.calls = {calls, callBytes / sizeof(ElfW(Rela))};
  }
  return dynamic;
}

bool isFunctionEntry(std::uint64_t type) {
#if defined(__x86_64__)
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#else
  return false;
#endif
}

void** entryOf(const Dynamic& dynamic, std::span<const ElfW(Rela)> relocations, ElfW(Addr) base,
               std::string_view function) {
  for (const ElfW(Rela) & relocation : relocations) {
    const ElfW(Sym)& symbol = dynamic.symbols[ELF64_R_SYM(relocation.r_info)];
    if (isFunctionEntry(ELF64_R_TYPE(relocation.r_info)) &&
        function == dynamic.names + symbol.st_name) {
      return reinterpret_cast<void**>(base + relocation.r_offset);
    }
  }
  return nullptr;
}

int visit(dl_phdr_info* info, std::size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  if (info->dlpi_name == nullptr || !std::string_view(info->dlpi_name).ends_with(search.library)) {
    return 0;
  }
  const std::span headers(info->dlpi_phdr, info->dlpi_phnum);
  const auto section = std::find_if(headers.begin(), headers.end(), [](const ElfW(Phdr) & header) {
    return header.p_type == PT_DYNAMIC;
  });
  if (section == headers.end()) {
    return 0;
  }
  const Dynamic dynamic =
      read(info->dlpi_addr, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + section->p_vaddr));
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) {
    return 0;
  }
  search.entry = entryOf(dynamic, dynamic.calls, info->dlpi_addr, search.function);
  if (search.entry == nullptr) {
    search.entry = entryOf(dynamic, dynamic.data, info->dlpi_addr, search.function);
  }
  const auto offset = reinterpret_cast<std::uintptr_t>(search.entry) - info->dlpi_addr;
  search.begin = info->dlpi_addr;
  for (const ElfW(Phdr) & header : headers) {
    if (header.p_type == PT_GNU_RELRO && offset >= header.p_vaddr &&
        offset < header.p_vaddr + header.p_memsz) {
      search.readOnly = true;
    } else if (header.p_type == PT_LOAD) {
      search.end = std::max(search.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
    }
  }
  return search.entry == nullptr ? 0 : 1;
}

}  // namespace

std::optional<ImportedFunction> ImportedFunction::find(std::string_view library,
                                                       std::string_view function) {
  Search search{.library = library, .function = function};
  if (dl_iterate_phdr(visit, &search) == 0) {
    return std::nullopt;
  }
  ImportedFunction found;
  found.entry_ = search.entry;
  found.readOnly_ = search.readOnly;
  found.begin_ = reinterpret_cast<const char*>(search.begin);
  found.end_ = reinterpret_cast<const char*>(search.end);
  return found;
}

void* ImportedFunction::target() const {
  return std::atomic_ref(*entry_).load(std::memory_order_acquire);
}

bool ImportedFunction::unresolved() const {
  const auto* const held = static_cast<const char*>(target());
  return held >= begin_ && held < end_;
}

bool ImportedFunction::redirect(void* target) const {
  const auto pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto page = reinterpret_cast<std::uintptr_t>(entry_) / pageSize * pageSize;
  void* const start = reinterpret_cast<void*>(page);
  if (readOnly_ && mprotect(start, pageSize, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  std::atomic_ref(*entry_).store(target, std::memory_order_release);
  if (readOnly_) {
    // What it was. Should that fail, the entry is as writable as it is in other libraries.
    mprotect(start, pageSize, PROT_READ);
  }
  return true;
}

}  // namespace hodor::connections
