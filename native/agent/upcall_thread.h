#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>

#include "agent/paced_thread.h"
#include "agent/runtime.h"
#include "jni/java_bridge.h"
#include "jni/server_hook.h"

namespace hodor::agent {

// The thread `hodor-upcall`: does the calls into Java that the control tick asks for. Apart from
// the tick, as Java code may block for seconds in just the moments that matter: a pool that is
// handed a probe may start a thread and wait until the kernel runs it, and a thread that comes back
// into the JVM waits for the end of a pause. Attached as a daemon, so that it never keeps the JVM
// alive.
class UpcallThread final : public PacedThread {
 public:
  UpcallThread(Runtime& runtime, jni::JavaBridge& bridge, jni::ServerHook& servers, JavaVM* vm)
      : PacedThread("hodor-upcall"),
        runtime_(runtime),
        bridge_(bridge),
        servers_(servers),
        vm_(vm) {}

  // Any thread. Adds jni::TickFlags to what is to be done; what is not done yet is done once.
  void post(std::uint32_t flags);
  // Any thread. From now on it is looked every two seconds whether the platform's MBean server is
  // there, until it is and has our MBeans; before, twice a minute.
  void expectMBeanServer();
  // Once, if the agent was attached late: attaches to the servers that run.
  void postLateServers() { post(kLateServers); }

 private:
  static constexpr Duration kMBeanCheckPeriod = std::chrono::seconds(2);
  static constexpr Duration kUnlikelyMBeanCheckPeriod = std::chrono::seconds(30);
  // Of no concern to Java.
  static constexpr std::uint32_t kLateServers = 1U << 31U;

  void run() override;
  [[nodiscard]] Duration untilMBeanCheck() const;
  void call(JNIEnv* env, std::uint32_t flags);
  void attachLate(JNIEnv* env);

  Runtime& runtime_;
  jni::JavaBridge& bridge_;
  jni::ServerHook& servers_;
  JavaVM* const vm_;
  std::atomic<std::uint32_t> pending_{0};
  std::atomic<bool> mbeanServerExpected_{false};
  bool mbeansRegistered_ = false;
};

}  // namespace hodor::agent
