#include "agent/beat_thread.h"

#include <algorithm>

#include "agent/clock.h"

namespace hodor::agent {

bool BeatThread::rests() {
  if (!quiet_.isQuiet(admission_.totals())) {
    return false;
  }
  firstRequest_.arm();
  if (quiet_.isQuiet(admission_.totals())) {
    return true;
  }
  firstRequest_.disarm();
  return false;
}

void BeatThread::run() {
  bool wasIdle = false;
  Instant lastBeat = monotonicNow();
  for (;;) {
    const bool isIdle = rests();
    if (wasIdle && !isIdle) {
      requestsCame_();
    }
    wasIdle = isIdle;
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
