#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>

#include "agent/pacer.h"
#include "agent/runtime.h"
#include "agent/tick.h"
#include "jni/java_bridge.h"

namespace hodor::agent {

// The thread `hodor-tick`: every 100 ms it runs one tick and calls into Java where that is due.
// Attached to the JVM as a daemon, so that it never keeps the JVM alive.
class TickThread {
 public:
  static constexpr Duration kPeriod = std::chrono::milliseconds(100);

  TickThread(Runtime& runtime, jni::JavaBridge& bridge, JavaVM* vm)
      : runtime_(runtime), bridge_(bridge), vm_(vm), tick_(runtime) {}

  // False: the system gave no thread.
  bool start();
  // Returns when the thread has ended, or after `patience` (an upcall may be stuck in the
  // application's executor).
  void stop(std::chrono::milliseconds patience);
  // Has a changed option taken over now instead of at the next tick.
  void wake() { pacer_.ask(); }

 private:
  void run();
  void callJava(JNIEnv* env, std::uint32_t flags);

  Runtime& runtime_;
  jni::JavaBridge& bridge_;
  JavaVM* const vm_;
  Tick tick_;
  Pacer pacer_;
  EndMark end_;
  std::atomic<bool> started_{false};
  bool mbeansRegistered_ = false;
  int ticksToMBeanCheck_ = kTicksBetweenMBeanChecks;

  static constexpr int kTicksBetweenMBeanChecks = 10;
};

}  // namespace hodor::agent
