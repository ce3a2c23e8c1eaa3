#include "jni/java_bridge.h"

#include <atomic>
#include <string>

#include "agent/runtime.h"
#include "jni/packed_classes.h"

namespace hodor::jni {

namespace {

std::atomic<JavaBridge*> theBridge{nullptr};

constexpr const char* kTickName = "tick";
constexpr const char* kTickSignature = "(I)V";
constexpr const char* kServerSignature = "(Ljava/lang/Object;)V";

}  // namespace

JavaBridge* javaBridge() { return theBridge.load(std::memory_order_acquire); }

void installJavaBridge(JavaBridge* bridge) { theBridge.store(bridge, std::memory_order_release); }

bool JavaBridge::clearException(JNIEnv* env, const char* where) {
  jthrowable thrown = env->ExceptionOccurred();
  if (thrown == nullptr) {
    return false;
  }
  env->ExceptionClear();
  std::string what = where;
  jclass type = env->GetObjectClass(thrown);
  jmethodID toString = env->GetMethodID(type, "toString", "()Ljava/lang/String;");
  auto text =
      toString == nullptr ? nullptr : static_cast<jstring>(env->CallObjectMethod(thrown, toString));
  if (env->ExceptionCheck() == JNI_FALSE && text != nullptr) {
    if (const char* chars = env->GetStringUTFChars(text, nullptr)) {
      what.append(": ").append(chars);
      env->ReleaseStringUTFChars(text, chars);
    }
  }
  env->ExceptionClear();
  env->DeleteLocalRef(text);
  env->DeleteLocalRef(type);
  env->DeleteLocalRef(thrown);
  runtime_.failedOpen(what);
  return true;
}

jobject JavaBridge::newLoader(JNIEnv* env) {
  jclass urlClass = env->FindClass("java/net/URL");
  jclass loaderClass = urlClass == nullptr ? nullptr : env->FindClass("java/net/URLClassLoader");
  jmethodID constructor =
      loaderClass == nullptr
          ? nullptr
          : env->GetMethodID(loaderClass, "<init>", "([Ljava/net/URL;Ljava/lang/ClassLoader;)V");
  jobjectArray nowhere =
      constructor == nullptr ? nullptr : env->NewObjectArray(0, urlClass, nullptr);
  jobject loader = nowhere == nullptr ? nullptr
                                      : env->NewObject(loaderClass, constructor, nowhere,
                                                       static_cast<jobject>(nullptr));
  clearException(env, "no class loader could be made for the shim");
  env->DeleteLocalRef(nowhere);
  env->DeleteLocalRef(loaderClass);
  env->DeleteLocalRef(urlClass);
  return loader;
}

void JavaBridge::defineShim(JNIEnv* env, Home home) {
  jobject loader = nullptr;
  if (home == Home::kOwnLoader) {
    loader = newLoader(env);
    if (loader == nullptr) {
      return;
    }
  }
  forEachShimClass([&](const PackedClass& shim) {
    if (isBootClass(shim.name)) {
      defineBootClass(env, shim);
      return;
    }
    jclass defined = env->DefineClass(shim.name, loader, reinterpret_cast<const jbyte*>(shim.bytes),
                                      static_cast<jsize>(shim.size));
    if (env->ExceptionCheck() == JNI_TRUE) {
      const std::string where = std::string("the class ") + shim.name + " could not be defined";
      clearException(env, where.c_str());
      return;
    }
    if (isBridgeClass(shim.name)) {
      // Each lookup only if the one before found something: none may be made with an exception.
      ownTick_ = env->GetStaticMethodID(defined, kTickName, kTickSignature);
      ownServerStarting_ =
          ownTick_ == nullptr ? nullptr
                              : env->GetStaticMethodID(defined, "serverStarting", kServerSignature);
      ownServerFound_ = ownServerStarting_ == nullptr
                            ? nullptr
                            : env->GetStaticMethodID(defined, "serverFound", kServerSignature);
      ownAbi_ =
          ownServerFound_ == nullptr ? nullptr : env->GetStaticMethodID(defined, "abi", "()I");
      if (!clearException(env, "a method of NativeBridge was not found")) {
        ownBridge_ = static_cast<jclass>(env->NewGlobalRef(defined));
      }
    }
    env->DeleteLocalRef(defined);
  });
  env->DeleteLocalRef(loader);
}

void JavaBridge::defineBootClass(JNIEnv* env, const PackedClass& boot) {
  env->DeleteLocalRef(env->DefineClass(boot.name, nullptr,
                                       reinterpret_cast<const jbyte*>(boot.bytes),
                                       static_cast<jsize>(boot.size)));
  clearException(env, "the class of the server hook could not be defined");
}

bool JavaBridge::nativesAreFound(JNIEnv* env) {
  if (ownBridge_ == nullptr) {
    return false;
  }
  env->CallStaticIntMethod(ownBridge_, ownAbi_);
  const bool found = env->ExceptionCheck() == JNI_FALSE;
  env->ExceptionClear();
  return found;
}

void JavaBridge::serverStarting(JNIEnv* env, jobject server) {
  tellOf(env, server, ownServerStarting_);
}

void JavaBridge::serverFound(JNIEnv* env, jobject server) { tellOf(env, server, ownServerFound_); }

void JavaBridge::tellOf(JNIEnv* env, jobject server, jmethodID method) {
  if (ownBridge_ == nullptr) {
    return;  // defineShim() has said why
  }
  env->CallStaticVoidMethod(ownBridge_, method, server);
  clearException(env, "attaching to a server failed");
}

void JavaBridge::registerCaller(JNIEnv* env, jclass bridgeClass) {
  if (ownBridge_ != nullptr && env->IsSameObject(bridgeClass, ownBridge_) == JNI_TRUE) {
    return;
  }
  const std::lock_guard lock(mutex_);
  Caller* place = nullptr;
  for (Caller& caller : callers_) {
    if (caller.bridgeClass != nullptr &&
        env->IsSameObject(caller.bridgeClass, bridgeClass) == JNI_TRUE) {
      return;
    }
    const bool unloaded =
        caller.bridgeClass != nullptr && env->IsSameObject(caller.bridgeClass, nullptr) == JNI_TRUE;
    if (place == nullptr && (caller.bridgeClass == nullptr || unloaded)) {
      place = &caller;
    }
  }
  jmethodID tick = env->GetStaticMethodID(bridgeClass, kTickName, kTickSignature);
  if (clearException(env, "NativeBridge.tick was not found")) {
    return;
  }
  if (place == nullptr) {
    runtime_.failedOpen("too many copies of the shim: the pools of this one are not watched");
    return;
  }
  if (place->bridgeClass != nullptr) {
    env->DeleteWeakGlobalRef(place->bridgeClass);
  }
  place->bridgeClass = env->NewWeakGlobalRef(bridgeClass);
  place->tick = tick;
}

void JavaBridge::call(JNIEnv* env, jclass bridgeClass, jmethodID tick, std::uint32_t flags) {
  env->CallStaticVoidMethod(bridgeClass, tick, static_cast<jint>(flags));
  clearException(env, "an upcall into the shim failed");
}

void JavaBridge::tick(JNIEnv* env, std::uint32_t flags) {
  if (ownBridge_ != nullptr) {
    call(env, ownBridge_, ownTick_, flags);
  }
  const std::uint32_t forCopies = flags & (kSubmitProbes | kStateChanged);
  if (forCopies == 0) {
    return;
  }
  for (std::size_t i = 0; i < callers_.size(); ++i) {
    jclass bridgeClass = nullptr;
    jmethodID tick = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (callers_[i].bridgeClass != nullptr) {
        bridgeClass = static_cast<jclass>(env->NewLocalRef(callers_[i].bridgeClass));
        tick = callers_[i].tick;
      }
    }
    if (bridgeClass != nullptr) {
      call(env, bridgeClass, tick, forCopies);
      env->DeleteLocalRef(bridgeClass);
    }
  }
}

bool JavaBridge::platformMBeanServerExists(JNIEnv* env) {
  if (!managementSought_ && ownBridge_ != nullptr) {
    managementSought_ = true;
    // From the boot loader only, and without running an application's class loader. A JVM image
    // without java.management has no such class; then there is no JMX.
    jclass classClass = env->GetObjectClass(ownBridge_);
    jmethodID forName = env->GetStaticMethodID(
        classClass, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    jstring name = env->NewStringUTF("java.lang.management.ManagementFactory");
    jobject found = forName == nullptr || name == nullptr
                        ? nullptr
                        : env->CallStaticObjectMethod(classClass, forName, name, JNI_FALSE,
                                                      static_cast<jobject>(nullptr));
    env->ExceptionClear();
    if (found != nullptr) {
      management_ = static_cast<jclass>(env->NewGlobalRef(found));
    }
    env->DeleteLocalRef(found);
    env->DeleteLocalRef(name);
    env->DeleteLocalRef(classClass);
  }
  // Looking up a field initialises the class, which is for the application to do: at our time it
  // might fail, and would stay failed.
  jint status = 0;
  if (management_ == nullptr || jvmti_ == nullptr ||
      jvmti_->GetClassStatus(management_, &status) != JVMTI_ERROR_NONE ||
      (status & JVMTI_CLASS_STATUS_INITIALIZED) == 0) {
    return false;
  }
  if (platformServer_ == nullptr) {
    platformServer_ =
        env->GetStaticFieldID(management_, "platformMBeanServer", "Ljavax/management/MBeanServer;");
    if (platformServer_ == nullptr) {
      clearException(env, "no JMX: ManagementFactory has no platformMBeanServer");
      env->DeleteGlobalRef(management_);
      management_ = nullptr;
      return false;
    }
  }
  jobject server = env->GetStaticObjectField(management_, platformServer_);
  const bool exists = server != nullptr;
  env->DeleteLocalRef(server);
  return exists;
}

}  // namespace hodor::jni
