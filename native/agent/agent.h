#pragma once

#include <jni.h>
#include <jvmti.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "agent/beat_thread.h"
#include "agent/runtime.h"
#include "agent/tick_thread.h"
#include "agent/upcall_thread.h"
#include "jni/java_bridge.h"
#include "jni/server_hook.h"

namespace hodor::agent {

// The life of the agent along the JVM's phases: load (options, JVMTI, callbacks), live (classes,
// threads), death (threads end at once). One object, never destroyed. Every way in is harmless when
// it comes twice, late, or not at all.
class Agent {
 public:
  // From OnLoad and OnAttach. Never fails: what does not work is logged and left out. `live`: the
  // JVM runs already, so the live phase begins here.
  static void load(JavaVM* vm, const char* optionString, bool live);
  // From OnUnload; VMDeath came before, save where the JVM failed to start.
  static void unload();

 private:
  Agent(JavaVM* vm, Runtime& runtime);

  void prepareJvmti();
  void enterLivePhase(JNIEnv* env, jni::JavaBridge::Home shimHome);
  void die();

  static void JNICALL onVmInit(jvmtiEnv* jvmti, JNIEnv* env, jthread thread);
  static void JNICALL onVmDeath(jvmtiEnv* jvmti, JNIEnv* env);
  static void JNICALL onGcStart(jvmtiEnv* jvmti);
  static void JNICALL onGcFinish(jvmtiEnv* jvmti);

  JavaVM* const vm_;
  Runtime& runtime_;
  jni::JavaBridge bridge_;
  jni::ServerHook serverHook_;
  UpcallThread upcalls_;
  TickThread tick_;
  std::unique_ptr<BeatThread> beat_;
  jvmtiEnv* jvmti_ = nullptr;
  std::mutex phase_;
  bool live_ = false;
  bool dead_ = false;
};

}  // namespace hodor::agent
