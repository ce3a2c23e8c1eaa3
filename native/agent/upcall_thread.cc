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

void UpcallThread::call(JNIEnv* env, std::uint32_t flags) {
  if ((flags & kCheckMBeans) != 0 && !mbeansRegistered_ && bridge_.platformMBeanServerExists(env)) {
    mbeansRegistered_ = true;
    flags |= jni::kRegisterMBeans;
  }
  flags &= ~kCheckMBeans;
  if (flags != 0) {
    bridge_.tick(env, flags);
  }
}

}  // namespace hodor::agent
