#include "agent/tick_thread.h"

#include <algorithm>

#include "agent/clock.h"

namespace hodor::agent {

void TickThread::run() {
  Instant lastTick = monotonicNow();
  Instant due = lastTick + Tick::kPeriod;
  for (;;) {
    const Pacer::Wake why = pacer().sleepUntil(due);
    if (why == Pacer::Wake::kStopped) {
      tick_.end();
      return;
    }
    upcalls_.post(tick_.takeOrders());
    if (why == Pacer::Wake::kAsked) {
      due = std::min(due, lastTick + Tick::kPeriod);
      continue;
    }
    const Instant now = monotonicNow();
    upcalls_.post(tick_.run(now));
    lastTick = now;
    // Ticks that were missed are not made up for: the next sample simply covers more time.
    const Duration rest = tick_.rest();
    due = rest > Tick::kPeriod ? now + rest : std::max(due + rest, now + rest / 2);
  }
}

}  // namespace hodor::agent
