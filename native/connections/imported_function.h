#pragma once

#include <optional>
#include <string_view>

namespace hodor::connections {

// A function that a loaded library calls in another one, through an entry of its global offset
// table: what the entry holds is what is called, from the next call on. One thread; the library
// must stay loaded.
class ImportedFunction {
 public:
  // `library`: how its path ends, "/libnio.so". Nothing if none is loaded, or it has no such entry.
  static std::optional<ImportedFunction> find(std::string_view library, std::string_view function);

  [[nodiscard]] void* target() const;
  // Whether the entry holds what the dynamic linker puts there before the first call.
  [[nodiscard]] bool unresolved() const;
  // False, and errno: the memory could not be changed.
  [[nodiscard]] bool redirect(void* target) const;

 private:
  ImportedFunction() = default;

  void** entry_ = nullptr;
  // The linker made the entry's page read-only after it had filled it in.
  bool readOnly_ = false;
  // Of the library.
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace hodor::connections
