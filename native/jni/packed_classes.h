#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace hodor::jni {

// One class file, carried inside the library.
struct PackedClass {
  const char* name;  // with slashes, as JNI wants it
  const std::byte* bytes;
  std::size_t size;
};

// The shim's, in an order in which each class comes after its superclass and interfaces.
void forEachShimClass(const std::function<void(const PackedClass&)>& use);

// An adapter's, as PackClasses.java wrote them; empty if there is no adapter of that name.
std::span<const std::byte> adapterPack(std::string_view name);

// The class with the native methods.
bool isBridgeClass(std::string_view name);

// The class that every loader must find: io.hodor.boot.ServerStart.
bool isBootClass(std::string_view name);

}  // namespace hodor::jni
