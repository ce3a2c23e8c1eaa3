#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "admission/admission.h"
#include "admission/first_request.h"
#include "agent/paced_thread.h"
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

// The thread `hodor-beat`: sleeps one interval (while there are no requests: ten seconds, or until
// the first one comes), notes how late it woke, samples what is in flight and why the collector
// runs. Unknown to the JVM, so that a safepoint does not make it late.
class BeatThread final : public PacedThread {
 public:
  // `requestsCame` is called on this thread when the first requests come after a time without.
  BeatThread(Duration interval, signals::HeartbeatSource& source, InFlightSampler& sampler,
             signals::GcCountersSource& gcCounters, const admission::Admission& admission,
             admission::FirstRequest& firstRequest, std::function<void()> requestsCame)
      : PacedThread("hodor-beat"),
        interval_(interval),
        source_(source),
        sampler_(sampler),
        gcCounters_(gcCounters),
        admission_(admission),
        firstRequest_(firstRequest),
        requestsCame_(std::move(requestsCame)) {
    firstRequest_.onCome([this] { pacer().ask(); });
  }

 private:
  // A beat that wakes an idle machine costs more than all else that the agent does, and without
  // requests there is no overload to miss.
  static constexpr Duration kIdleInterval = std::chrono::seconds(10);

  void run() override;
  // Whether there are no requests, and the next one will end the sleep.
  bool rests();

  const Duration interval_;
  signals::HeartbeatSource& source_;
  InFlightSampler& sampler_;
  signals::GcCountersSource& gcCounters_;
  const admission::Admission& admission_;
  admission::FirstRequest& firstRequest_;
  const std::function<void()> requestsCame_;
  admission::QuietWatch quiet_;
};

}  // namespace hodor::agent
