#include "agent/upcall_thread.h"

#include <spdlog/logger.h>

#include "agent/clock.h"

namespace hodor::agent {

void UpcallThread::post(std::uint32_t flags) {
  if (flags == 0 || (flags == kCheckMBeans && mbeansRegistered_)) {
    return;
  }
  pending_.fetch_or(flags);
  pacer().ask();
}

void UpcallThread::run() {
  JNIEnv* env = nullptr;
  char name[] = "hodor-upcall";
  JavaVMAttachArgs arguments{JNI_VERSION_1_6, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), &arguments) != JNI_OK) {
    runtime_.log().warn("hodor-upcall could not be attached to the JVM: no JMX, no queue probe");
    return;
  }
  constexpr Duration kLong = std::chrono::hours(1);
  while (pacer().sleepUntil(monotonicNow() + kLong) != Pacer::Wake::kStopped) {
    call(env, pending_.exchange(0));
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
  if ((flags & kCheckMBeans) != 0 && !mbeansRegistered_ && bridge_.platformMBeanServerExists(env)) {
    mbeansRegistered_ = true;
    flags |= jni::kRegisterMBeans;
  }
  flags &= ~(kCheckMBeans | kLateServers);
  if (flags != 0) {
    bridge_.tick(env, flags);
  }
}

}  // namespace hodor::agent
