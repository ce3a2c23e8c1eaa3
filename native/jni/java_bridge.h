#pragma once

#include <jni.h>
#include <jvmti.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "jni/packed_classes.h"
#include "jni/tick_flags.h"

namespace hodor::agent {
class Runtime;
}

namespace hodor::jni {

// Calls from native code into Java. The control thread owns it, save for registerCaller().
class JavaBridge {
 public:
  explicit JavaBridge(agent::Runtime& runtime) : runtime_(runtime) {}

  // Before anything else, if there is one.
  void useJvmti(jvmtiEnv* jvmti) { jvmti_ = jvmti; }

  // Where the agent's copy of the shim lives. With the JVM: in the boot loader, where every
  // application finds it. Late: out of sight, in a loader of its own, as an application may have
  // loaded some classes of its own copy already; the rest would come from the boot loader, and
  // classes of two loaders cannot reach each other's package-private members.
  enum class Home { kBootLoader, kOwnLoader };

  // Defines the shim's classes. Live phase only.
  void defineShim(JNIEnv* env, Home home);

  // A copy of NativeBridge that watches a pool: it wants the ticks too. Any thread.
  void registerCaller(JNIEnv* env, jclass bridgeClass);

  // NativeBridge.tick(flags) of every copy that wants it. kRegisterMBeans goes to the agent's
  // copy only.
  void tick(JNIEnv* env, std::uint32_t flags);

  // Whether a native method of the agent's copy of the shim can be called.
  bool nativesAreFound(JNIEnv* env);

  // Tells the agent's copy of the shim of a Jetty server that starts, or that was found when the
  // agent came late. Any thread of Java.
  void serverStarting(JNIEnv* env, jobject server);
  void serverFound(JNIEnv* env, jobject server);

  // Somebody has created the platform MBeanServer. It is only looked for, never created: creating
  // it before main() breaks servers that bring their own LogManager.
  bool platformMBeanServerExists(JNIEnv* env);

 private:
  struct Caller {
    // Weak, so that an application that was undeployed can be collected.
    jweak bridgeClass = nullptr;
    jmethodID tick = nullptr;
  };

  // Null, with the failure reported, if it cannot be made.
  jobject newLoader(JNIEnv* env);
  void defineBootClass(JNIEnv* env, const PackedClass& boot);
  void call(JNIEnv* env, jclass bridgeClass, jmethodID tick, std::uint32_t flags);
  void tellOf(JNIEnv* env, jobject server, jmethodID method);
  // True if an exception was pending; it is cleared and reported.
  bool clearException(JNIEnv* env, const char* where);

  agent::Runtime& runtime_;
  jvmtiEnv* jvmti_ = nullptr;
  jclass ownBridge_ = nullptr;
  jmethodID ownTick_ = nullptr;
  jmethodID ownServerStarting_ = nullptr;
  jmethodID ownServerFound_ = nullptr;
  jmethodID ownAbi_ = nullptr;
  std::mutex mutex_;
  std::array<Caller, 16> callers_;
  bool managementSought_ = false;
  jclass management_ = nullptr;
  jfieldID platformServer_ = nullptr;
};

// The one bridge of the process; null before the agent was loaded.
JavaBridge* javaBridge();
void installJavaBridge(JavaBridge* bridge);

}  // namespace hodor::jni
