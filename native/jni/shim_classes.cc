#include "jni/shim_classes.h"

#include <cstdint>
#include <cstring>

// Laid into the library by shim_blob.S: made by PackClasses.java, which describes the format.
extern "C" {
extern const std::byte hodorShimBegin[] __attribute__((visibility("hidden")));
extern const std::byte hodorShimEnd[] __attribute__((visibility("hidden")));
}

namespace hodor::jni {

namespace {

std::uint32_t readBigEndian(const std::byte* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8U | static_cast<std::uint32_t>(at[i]);
  }
  return value;
}

}  // namespace

void forEachShimClass(const std::function<void(const ShimClass&)>& use) {
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

bool isBridgeClass(const char* name) {
  return std::strcmp(name, "io/hodor/internal/NativeBridge") == 0;
}

}  // namespace hodor::jni
