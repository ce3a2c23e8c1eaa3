#pragma once

#include <cstdint>

namespace hodor::jni {

// What an upcall asks for; the values are part of the JNI boundary.
enum TickFlag : std::uint32_t {
  kSubmitProbes = 1,
  kStateChanged = 2,
  kRegisterMBeans = 4,
  kReadStalls = 8,
};

}  // namespace hodor::jni
