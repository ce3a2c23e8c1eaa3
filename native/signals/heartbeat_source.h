#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// How late the heartbeat thread woke up. One thread beats, one takes.
class HeartbeatSource {
 public:
  // The beat goes to sleep until `due`.
  void beatBegins(Instant due) { dueAt_.store(due.count(), std::memory_order_release); }

  void beatEnded(Instant now) {
    const std::int64_t due = dueAt_.load(std::memory_order_relaxed);
    if (due == kNever) {
      return;
    }
    const std::int64_t late = now.count() - due;
    std::int64_t worst = worstNanos_.load(std::memory_order_relaxed);
    while (late > worst && !worstNanos_.compare_exchange_weak(worst, late)) {
    }
  }

  // The worst overshoot since the last call; a beat still asleep past its time counts with its age.
  // Nothing before the first beat.
  std::optional<detectors::HeartbeatSample> take(Instant now) {
    const std::int64_t due = dueAt_.load(std::memory_order_acquire);
    if (due == kNever) {
      return std::nullopt;
    }
    const std::int64_t worst =
        std::max(worstNanos_.exchange(0), std::max<std::int64_t>(now.count() - due, 0));
    return detectors::HeartbeatSample{Duration(worst)};
  }

 private:
  static constexpr std::int64_t kNever = INT64_MIN;

  std::atomic<std::int64_t> dueAt_{kNever};
  std::atomic<std::int64_t> worstNanos_{0};
};

}  // namespace hodor::signals
