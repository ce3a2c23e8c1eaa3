#include "agent/beat_thread.h"

#include <algorithm>

#include "agent/clock.h"

namespace hodor::agent {

void BeatThread::run() {
  bool wasIdle = false;
  Instant lastBeat = monotonicNow();
  for (;;) {
    const bool isIdle = quiet_.isQuiet(admission_.totals());
    if (wasIdle && !isIdle) {
      requestsCame_();
    }
    wasIdle = isIdle;
    // A beat that wakes an idle machine costs more than all else that the agent does. Without
    // requests there is no overload to miss, and one beat a window still tells a stalled host.
    const Duration interval = isIdle ? std::max(interval_, kIdleInterval) : interval_;
    const Instant due = monotonicNow() + interval;
    source_.beatBegins(due);
    if (pacer().sleepUntil(due) == Pacer::Wake::kStopped) {
      return;
    }
    const Instant now = monotonicNow();
    source_.beatEnded(now);
    sampler_.add(admission_.inFlight());
    gcCounters_.sampleCause(now - lastBeat);
    lastBeat = now;
  }
}

}  // namespace hodor::agent
