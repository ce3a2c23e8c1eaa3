// Class files of any content must never be read beyond their end, and what comes out of a patch
// must be a class file that carries the call.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "attach/server_patch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hodor::attach::Bytes;
  using hodor::attach::Patched;
  const Bytes bytes(data, size);
  for (const Patched& patched :
       {hodor::attach::patchAtLoad(bytes), hodor::attach::patchLoaded(bytes)}) {
    if (!patched.bytes.empty() && !hodor::attach::patchLoaded(patched.bytes).bytes.empty()) {
      std::abort();
    }
  }
  return 0;
}
