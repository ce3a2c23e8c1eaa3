#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "admission/admission.h"
#include "admission/rest.h"
#include "agent/paced_thread.h"
#include "control/calm.h"
#include "detectors/heartbeat_detector.h"
#include "signals/gc_counters_source.h"
#include "signals/heartbeat_source.h"

namespace hodor::agent {

// Mean of the requests in flight, sampled at each beat. The beat adds, the tick takes.
class InFlightSampler {
 public:
  void add(std::int64_t inFlight) {
    sum_.fetch_add(inFlight, std::memory_order_relaxed);
    count_.fetch_add(1, std::memory_order_relaxed);
  }

  std::optional<double> take() {
    const std::int64_t count = count_.exchange(0, std::memory_order_relaxed);
    const std::int64_t sum = sum_.exchange(0, std::memory_order_relaxed);
    return count > 0 ? std::optional(static_cast<double>(sum) / static_cast<double>(count))
                     : std::nullopt;
  }

 private:
  std::atomic<std::int64_t> sum_{0};
  std::atomic<std::int64_t> count_{0};
};

// The thread `hodor-beat`: sleeps one interval (longer while there are no requests, until the first
// one comes), notes how late it woke, samples what is in flight and why the collector runs, and has
// the tick come sooner if something stirs. Unknown to the JVM, so that a safepoint does not make it
// late.
class BeatThread final : public PacedThread {
 public:
  BeatThread(Duration interval, signals::HeartbeatSource& source, InFlightSampler& sampler,
             signals::GcCountersSource& gcCounters, const admission::Admission& admission,
             admission::Rest& rest, control::Calm& calm)
      : PacedThread("hodor-beat"),
        interval_(interval),
        source_(source),
        sampler_(sampler),
        gcCounters_(gcCounters),
        admission_(admission),
        rest_(rest),
        calm_(calm) {}

  // Any thread. Ends the long sleep of times without requests.
  void wake() { pacer().ask(); }

 private:
  // Without requests one beat for each window of the detector still tells a host that stalls.
  static constexpr Duration kQuietInterval = detectors::HeartbeatDetector::kWindow;
  // A beat that wakes an idle machine costs more than all else that the agent does.
  static constexpr Duration kIdleInterval = std::chrono::seconds(10);

  void run() override;
  Duration nextInterval();

  const Duration interval_;
  signals::HeartbeatSource& source_;
  InFlightSampler& sampler_;
  signals::GcCountersSource& gcCounters_;
  const admission::Admission& admission_;
  admission::Rest& rest_;
  control::Calm& calm_;
  admission::QuietWatch quiet_;
};

}  // namespace hodor::agent
