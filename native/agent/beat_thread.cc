#include "agent/beat_thread.h"

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
    const Instant due = monotonicNow() + interval_;
    source_.beatBegins(due);
    if (pacer_.sleepUntil(due) == Pacer::Wake::kStopped) {
      return;
    }
    source_.beatEnded(monotonicNow());
    sampler_.add(admission_.inFlight());
  }
}

}  // namespace hodor::agent
