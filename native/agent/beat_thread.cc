#include "agent/beat_thread.h"

#include <algorithm>

#include "agent/clock.h"
#include "agent/native_thread.h"

namespace hodor::agent {

bool BeatThread::start() {
  started_ = startThread("hodor-beat", [this] {
    run();
    end_.ended();
  });
  return started_;
}

void BeatThread::stop(std::chrono::milliseconds patience) {
  pacer_.stop();
  if (started_) {
    end_.awaitEnd(patience);
  }
}

void BeatThread::run() {
  for (;;) {
    // A beat that wakes an idle machine costs more than all else that the agent does. Without
    // requests there is no overload to miss, and one beat a window still tells a stalled host.
    const Duration interval = idle() ? std::max(interval_, kIdleInterval) : interval_;
    const Instant due = monotonicNow() + interval;
    source_.beatBegins(due);
    if (pacer_.sleepUntil(due) == Pacer::Wake::kStopped) {
      return;
    }
    source_.beatEnded(monotonicNow());
    sampler_.add(admission_.inFlight());
  }
}

bool BeatThread::idle() {
  const admission::AdmissionTotals totals = admission_.totals();
  const bool quiet = totals.admitted == lastAdmitted_ && totals.inFlight() == 0;
  lastAdmitted_ = totals.admitted;
  return quiet;
}

}  // namespace hodor::agent
