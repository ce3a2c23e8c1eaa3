#include "agent/tick_thread.h"

#include <spdlog/logger.h>

#include <algorithm>

#include "agent/clock.h"
#include "agent/native_thread.h"

namespace hodor::agent {

bool TickThread::start() {
  started_ = startThread("hodor-tick", [this] {
    run();
    end_.ended();
  });
  return started_;
}

void TickThread::stop(std::chrono::milliseconds patience) {
  pacer_.stop();
  if (started_) {
    end_.awaitEnd(patience);
  }
}

void TickThread::run() {
  JNIEnv* env = nullptr;
  char name[] = "hodor-tick";
  JavaVMAttachArgs arguments{JNI_VERSION_1_6, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env), &arguments) != JNI_OK) {
    runtime_.log().warn("hodor-tick could not be attached to the JVM: no JMX, no queue probe");
    env = nullptr;
  }
  Instant due = monotonicNow() + kPeriod;
  for (;;) {
    const Pacer::Wake why = pacer_.sleepUntil(due);
    if (why == Pacer::Wake::kStopped) {
      break;
    }
    std::uint32_t flags = tick_.takeOrders();
    if (why == Pacer::Wake::kTime) {
      const Instant now = monotonicNow();
      flags |= tick_.run(now);
      // Ticks that were missed are not made up for: the next sample simply covers more time.
      due = std::max(due + kPeriod, now + kPeriod / 2);
    }
    if (env != nullptr) {
      callJava(env, flags);
    }
  }
  if (env != nullptr) {
    vm_->DetachCurrentThread();
  }
}

void TickThread::callJava(JNIEnv* env, std::uint32_t flags) {
  if (!mbeansRegistered_ && --ticksToMBeanCheck_ <= 0) {
    ticksToMBeanCheck_ = kTicksBetweenMBeanChecks;
    if (bridge_.platformMBeanServerExists(env)) {
      mbeansRegistered_ = true;
      flags |= jni::kRegisterMBeans;
    }
  }
  if (flags != 0) {
    bridge_.tick(env, flags);
  }
}

}  // namespace hodor::agent
