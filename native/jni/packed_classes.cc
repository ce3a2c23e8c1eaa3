#include "jni/packed_classes.h"

#include <array>
#include <cstdint>

// Laid into the library by packed_classes.S; PackClasses.java describes the format.
#define HODOR_PACK(NAME)                                                      \
  extern "C" {                                                                \
  extern const std::byte NAME##Begin[] __attribute__((visibility("hidden"))); \
  extern const std::byte NAME##End[] __attribute__((visibility("hidden")));   \
  }
HODOR_PACK(hodorShim)
HODOR_PACK(hodorJetty9)
HODOR_PACK(hodorJetty11)
HODOR_PACK(hodorJetty12)
#undef HODOR_PACK

namespace hodor::jni {

namespace {

struct Adapter {
  std::string_view name;
  const std::byte* begin;
  const std::byte* end;
};

const std::array<Adapter, 3> kAdapters = {{{"jetty-9", hodorJetty9Begin, hodorJetty9End},
                                           {"jetty-11", hodorJetty11Begin, hodorJetty11End},
                                           {"jetty-12", hodorJetty12Begin, hodorJetty12End}}};

std::uint32_t readBigEndian(const std::byte* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8U | static_cast<std::uint32_t>(at[i]);
  }
  return value;
}

}  // namespace

void forEachShimClass(const std::function<void(const PackedClass&)>& use) {
  const std::byte* at = hodorShimBegin;
  while (at < hodorShimEnd) {
    const std::uint32_t nameLength = readBigEndian(at);
    const char* const name = reinterpret_cast<const char*>(at + 4);
    at += 4 + nameLength + 1;  // the name ends with a zero
    const std::uint32_t size = readBigEndian(at);
    use({name, at + 4, size});
    at += 4 + size;
  }
}

std::span<const std::byte> adapterPack(std::string_view name) {
  for (const Adapter& adapter : kAdapters) {
    if (adapter.name == name) {
      return {adapter.begin, adapter.end};
    }
  }
  return {};
}

bool isBridgeClass(std::string_view name) { return name == "io/hodor/internal/NativeBridge"; }

bool isBootClass(std::string_view name) { return name == "io/hodor/boot/ServerStart"; }

}  // namespace hodor::jni
