// The native methods of io.hodor.internal.NativeAttach.
#include <jni.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agent/runtime.h"
#include "attach/class_file.h"
#include "jni/packed_classes.h"
#include "jni/text.h"

namespace {

using hodor::agent::runtime;
using hodor::attach::Bytes;
using hodor::attach::ClassFile;
using hodor::attach::Reference;
using hodor::jni::textOf;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Arrays have the methods of Object; our own come with us, the JDK's with every JDK.
bool comesAlong(std::string_view owner) {
  return startsWith(owner, "[") || startsWith(owner, "io/hodor/") || startsWith(owner, "java/");
}

std::string dotted(std::string_view name) {
  std::string copy(name);
  std::replace(copy.begin(), copy.end(), '/', '.');
  return copy;
}

// Finds classes as the JVM will when an adapter is linked.
class Linker {
 public:
  Linker(JNIEnv* env, jobject loader) : env_(env), loader_(loader) {
    classClass_ = env->FindClass("java/lang/Class");
    if (classClass_ != nullptr) {
      forName_ = env->GetStaticMethodID(
          classClass_, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    }
    env->ExceptionClear();
  }

  // Empty if it is there; otherwise what it is called. Initialises the class that has it.
  std::string missing(const Reference& reference) {
    const std::string owner(reference.owner);
    if (env_->PushLocalFrame(16) != JNI_OK) {
      env_->ExceptionClear();
      return {};
    }
    jclass type = find(owner);
    std::string what;
    if (type == nullptr) {
      what = "class " + dotted(owner);
    } else if (!has(type, reference)) {
      what = (reference.tag == hodor::attach::kConstantFieldref ? "field " : "method ") +
             dotted(owner) + "." + std::string(reference.name) + " " +
             std::string(reference.descriptor);
    }
    env_->PopLocalFrame(nullptr);
    return what;
  }

 private:
  jclass find(const std::string& name) {
    if (forName_ == nullptr) {
      return nullptr;
    }
    jstring text = env_->NewStringUTF(dotted(name).c_str());
    jobject type = text == nullptr ? nullptr
                                   : env_->CallStaticObjectMethod(classClass_, forName_, text,
                                                                  JNI_FALSE, loader_);
    env_->ExceptionClear();
    return static_cast<jclass>(type);
  }

  bool has(jclass type, const Reference& reference) {
    const std::string name(reference.name);
    const std::string descriptor(reference.descriptor);
    const bool field = reference.tag == hodor::attach::kConstantFieldref;
    const auto succeeded = [this](const void* id) {
      env_->ExceptionClear();
      return id != nullptr;
    };
    return field ? succeeded(env_->GetFieldID(type, name.c_str(), descriptor.c_str())) ||
                       succeeded(env_->GetStaticFieldID(type, name.c_str(), descriptor.c_str()))
                 : succeeded(env_->GetMethodID(type, name.c_str(), descriptor.c_str())) ||
                       succeeded(env_->GetStaticMethodID(type, name.c_str(), descriptor.c_str()));
  }

  JNIEnv* const env_;
  jobject const loader_;
  jclass classClass_ = nullptr;
  jmethodID forName_ = nullptr;
};

}  // namespace

#define HODOR_NATIVE(RESULT, NAME) \
  extern "C" JNIEXPORT RESULT JNICALL Java_io_hodor_internal_NativeAttach_##NAME

HODOR_NATIVE(jbyteArray, adapterClasses)(JNIEnv* env, jclass, jstring name) {
  const auto pack = hodor::jni::adapterPack(textOf(env, name));
  if (pack.empty()) {
    return nullptr;
  }
  const auto size = static_cast<jsize>(pack.size());
  jbyteArray bytes = env->NewByteArray(size);
  if (bytes != nullptr) {
    env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(pack.data()));
  }
  return bytes;
}

HODOR_NATIVE(jstring, missing)(JNIEnv* env, jclass, jbyteArray classFile, jobject loader) {
  if (classFile == nullptr) {
    return nullptr;
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(env->GetArrayLength(classFile)));
  env->GetByteArrayRegion(classFile, 0, static_cast<jsize>(bytes.size()),
                          reinterpret_cast<jbyte*>(bytes.data()));
  const auto parsed = ClassFile::parse(Bytes(bytes));
  if (!parsed) {
    return env->NewStringUTF("class file that is understood");
  }
  Linker linker(env, loader);
  for (Reference reference : parsed->references()) {
    // What a class inherits it calls as its own.
    if (reference.owner == parsed->className(parsed->thisClass()) &&
        reference.tag != hodor::attach::kConstantFieldref &&
        parsed->find(reference.name, reference.descriptor) == nullptr) {
      reference.owner = parsed->superName();
    }
    if (comesAlong(reference.owner)) {
      continue;
    }
    const std::string missing = linker.missing(reference);
    if (!missing.empty()) {
      return env->NewStringUTF(missing.c_str());
    }
  }
  return nullptr;
}

HODOR_NATIVE(jboolean, setField)
(JNIEnv* env, jclass, jobject target, jclass declaring, jstring name, jstring descriptor,
 jobject value) {
  if (target == nullptr || declaring == nullptr ||
      env->IsInstanceOf(target, declaring) == JNI_FALSE) {
    return JNI_FALSE;
  }
  const std::string type = textOf(env, descriptor);
  if (!startsWith(type, "L") && !startsWith(type, "[")) {
    return JNI_FALSE;
  }
  jfieldID field = env->GetFieldID(declaring, textOf(env, name).c_str(), type.c_str());
  env->ExceptionClear();
  if (field == nullptr) {
    return JNI_FALSE;
  }
  env->SetObjectField(target, field, value);
  return JNI_TRUE;
}

HODOR_NATIVE(void, notAttached)(JNIEnv* env, jclass, jstring why) {
  if (hodor::agent::Runtime* const agent = runtime()) {
    agent->notAttached(textOf(env, why));
  }
}

#undef HODOR_NATIVE
