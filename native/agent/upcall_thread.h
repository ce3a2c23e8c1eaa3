#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>

#include "agent/pacer.h"
#include "agent/runtime.h"
#include "jni/java_bridge.h"

namespace hodor::agent {

// The thread `hodor-upcall`: does the calls into Java that the control tick asks for. Apart from
// the tick, as Java code may block for seconds in just the moments that matter: a pool that is
// handed a probe may start a thread and wait until the kernel runs it, and a thread that comes back
// into the JVM waits for the end of a pause. Attached as a daemon, so that it never keeps the JVM
// alive.
class UpcallThread {
 public:
  UpcallThread(Runtime& runtime, jni::JavaBridge& bridge, JavaVM* vm)
      : runtime_(runtime), bridge_(bridge), vm_(vm) {}

  // False: the system gave no thread.
  bool start();
  // Returns when the thread has ended, or after `patience`.
  void stop(std::chrono::milliseconds patience);
  // Any thread. Adds jni::TickFlags to what is to be done; what is not done yet is done once.
  void post(std::uint32_t flags);
  // Once a second: looks whether the MBeans can be registered, until they are.
  void postMBeanCheck() { post(kCheckMBeans); }

 private:
  // Of no concern to Java.
  static constexpr std::uint32_t kCheckMBeans = 1U << 31U;

  void run();
  void call(JNIEnv* env, std::uint32_t flags);

  Runtime& runtime_;
  jni::JavaBridge& bridge_;
  JavaVM* const vm_;
  Pacer pacer_;
  EndMark end_;
  std::atomic<std::uint32_t> pending_{0};
  std::atomic<bool> started_{false};
  std::atomic<bool> mbeansRegistered_{false};
};

}  // namespace hodor::agent
