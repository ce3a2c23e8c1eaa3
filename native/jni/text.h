#pragma once

#include <jni.h>

#include <string>

namespace hodor::jni {

// A copy of a Java text in modified UTF-8; empty for null. Longer ones are cut.
inline std::string textOf(JNIEnv* env, jstring text) {
  constexpr std::size_t kLongest = 512;
  if (text == nullptr) {
    return {};
  }
  const char* const chars = env->GetStringUTFChars(text, nullptr);
  if (chars == nullptr) {
    return {};
  }
  std::string copy(chars);
  env->ReleaseStringUTFChars(text, chars);
  if (copy.size() > kLongest) {
    copy.resize(kLongest);
  }
  return copy;
}

}  // namespace hodor::jni
