#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <functional>
#include <utility>
#include <vector>

#include "attach/server_patch.h"
#include "jni/java_bridge.h"

namespace hodor::jni {

// Learns of every Jetty server that starts, and of those that run: patches Server.doStart() while
// the class is loaded, and where it is loaded already (from a JDK 25 AOT cache, or as the agent was
// attached late) by retransformation.
//
// Two JVMTI environments. The first cannot retransform, so that what it patches is part of the
// bytes that other agents' retransformations begin with. The second is made only when needed; it
// patches again whenever somebody retransforms the class.
class ServerHook {
 public:
  // `mbeanServersCome` is called, by whatever thread and maybe more than once, when the class that
  // makes MBean servers is loaded, or was before, or if that is not seen.
  ServerHook(agent::Runtime& runtime, JavaBridge& bridge, std::function<void()> mbeanServersCome)
      : runtime_(runtime), bridge_(bridge), mbeanServersCome_(std::move(mbeanServersCome)) {}

  // In OnLoad or OnAttach. What the JVM refuses is logged, and nothing is attached to.
  void prepare(JavaVM* vm);

  // In VMInit, or in OnAttach with `attachedLate`: then the servers that run are attached to, too.
  // The hook is enabled here and not before: earlier it would invalidate the AOT cache.
  void enterLivePhase(JNIEnv* env, bool attachedLate);

  // A server starts: on the application's thread, before its handlers. Nothing is thrown.
  void serverStarting(JNIEnv* env, jobject server) const;

 private:
  using Patch = attach::Patched (*)(attach::Bytes);

  jvmtiEnv* newEnvironment(const jvmtiCapabilities& wanted, jvmtiEventClassFileLoadHook hook) const;
  // Local references to Jetty's Server classes and their subclasses.
  [[nodiscard]] std::vector<jclass> serverClasses(JNIEnv* env, bool subclasses) const;
  void retransform(const std::vector<jclass>& servers);
  void attachToRunning(JNIEnv* env, const std::vector<jclass>& servers) const;
  void patch(jvmtiEnv* jvmti, Patch how, attach::Bytes original, jint* newSize,
             unsigned char** newBytes) const;

  static void JNICALL onLoad(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader,
                             const char* name, jobject domain, jint size,
                             const unsigned char* bytes, jint* newSize, unsigned char** newBytes);
  static void JNICALL onRetransform(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader,
                                    const char* name, jobject domain, jint size,
                                    const unsigned char* bytes, jint* newSize,
                                    unsigned char** newBytes);

  agent::Runtime& runtime_;
  JavaBridge& bridge_;
  const std::function<void()> mbeanServersCome_;
  JavaVM* vm_ = nullptr;
  jvmtiEnv* loading_ = nullptr;
  jvmtiEnv* loaded_ = nullptr;
};

// The one hook of the process; null before the agent was loaded, or if it stays off.
ServerHook* serverHook();
void installServerHook(ServerHook* hook);

}  // namespace hodor::jni
