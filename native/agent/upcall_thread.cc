#include "agent/upcall_thread.h"

#include <spdlog/logger.h>

#include "agent/clock.h"

namespace hodor::agent {

void UpcallThread::post(std::uint32_t flags) {
  if (flags != 0) {
    pending_.fetch_or(flags);
    pacer().ask();
  }
}

void UpcallThread::expectMBeanServer() {
  mbeanServerExpected_ = true;
  pacer().ask();
}

Duration UpcallThread::untilMBeanCheck() const {
  if (mbeansRegistered_) {
    return std::chrono::hours(1);
  }
  return mbeanServerExpected_ ? kMBeanCheckPeriod : kUnlikelyMBeanCheckPeriod;
}

void UpcallThread::run() {
  JNIEnv* env = nullptr;
  char name[] = "hodor-upcall";
  JavaVMAttachArgs arguments{JNI_VERSION_1_6, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), &arguments) != JNI_OK) {
    runtime_.log().warn("hodor-upcall could not be attached to the JVM: no JMX, no queue probe");
    return;
  }
  Instant checked = monotonicNow();
  while (pacer().sleepUntil(checked + untilMBeanCheck()) != Pacer::Wake::kStopped) {
    std::uint32_t flags = pending_.exchange(0);
    if (const Instant now = monotonicNow(); now >= checked + untilMBeanCheck()) {
      checked = now;
      if (!mbeansRegistered_ && bridge_.platformMBeanServerExists(env)) {
        mbeansRegistered_ = true;
        flags |= jni::kRegisterMBeans;
      }
    }
    call(env, flags);
  }
  vm_->DetachCurrentThread();
}

// The JVM finds the natives of an agent that is attached late only once Agent_OnAttach has
// returned.
void UpcallThread::attachLate(JNIEnv* env) {
  constexpr Duration kPause = std::chrono::milliseconds(20);
  constexpr int kMostPauses = 500;
  for (int i = 0; i < kMostPauses; ++i) {
    if (bridge_.nativesAreFound(env)) {
      servers_.enterLivePhase(env, true);
      return;
    }
    if (pacer().sleepUntil(monotonicNow() + kPause) == Pacer::Wake::kStopped) {
      return;
    }
  }
  runtime_.log().warn("the JVM does not find the natives of the agent: no server is attached to");
}

void UpcallThread::call(JNIEnv* env, std::uint32_t flags) {
  if ((flags & kLateServers) != 0) {
    attachLate(env);
  }
  flags &= ~kLateServers;
  if (flags != 0) {
    bridge_.tick(env, flags);
  }
}

}  // namespace hodor::agent
