#include "agent/tick_thread.h"

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
  int ticksToMBeanCheck = kTicksBetweenMBeanChecks;
  Instant due = monotonicNow() + kPeriod;
  for (;;) {
    const Pacer::Wake why = pacer_.sleepUntil(due);
    if (why == Pacer::Wake::kStopped) {
      return;
    }
    upcalls_.post(tick_.takeOrders());
    if (why == Pacer::Wake::kAsked) {
      continue;
    }
    const Instant now = monotonicNow();
    upcalls_.post(tick_.run(now));
    // Ticks that were missed are not made up for: the next sample simply covers more time.
    due = std::max(due + kPeriod, now + kPeriod / 2);
    if (--ticksToMBeanCheck <= 0) {
      ticksToMBeanCheck = kTicksBetweenMBeanChecks;
      upcalls_.postMBeanCheck();
    }
  }
}

}  // namespace hodor::agent
