#pragma once

#include <cstddef>
#include <functional>

namespace hodor::jni {

// One class file of the Java shim, carried inside the library.
struct ShimClass {
  const char* name;  // with slashes, as JNI wants it
  const std::byte* bytes;
  std::size_t size;
};

// In an order in which each class comes after its superclass and interfaces.
void forEachShimClass(const std::function<void(const ShimClass&)>& use);

// The class with the native methods.
bool isBridgeClass(const char* name);

}  // namespace hodor::jni
