#include "agent/beat_thread.h"

#include <algorithm>

#include "agent/clock.h"

namespace hodor::agent {

Duration BeatThread::nextInterval() {
  if (!quiet_.isQuiet(admission_.totals())) {
    return interval_;
  }
  rest_.begin();
  if (!quiet_.isQuiet(admission_.totals())) {
    return interval_;
  }
  return std::max(interval_, rest_.allowed() ? kIdleInterval : kQuietInterval);
}

void BeatThread::run() {
  Instant lastBeat = monotonicNow();
  for (;;) {
    const Instant due = monotonicNow() + nextInterval();
    source_.beatBegins(due);
    if (pacer().sleepUntil(due) == Pacer::Wake::kStopped) {
      return;
    }
    const Instant now = monotonicNow();
    source_.beatEnded(now);
    const std::int64_t inFlight = admission_.inFlight();
    sampler_.add(inFlight);
    calm_.look(inFlight, now - due);
    gcCounters_.sampleCause(now - lastBeat);
    lastBeat = now;
  }
}

}  // namespace hodor::agent
