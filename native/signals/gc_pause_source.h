#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// Stop-the-world pauses, as JVMTI reports them. pauseStarted() and pauseFinished() come from the
// thread that collects, with the world stopped: they store atomics and do nothing else. They may
// come without their counterpart, and after disable().
class GcPauseSource {
 public:
  void pauseStarted(Instant now) {
    if (!enabled_.load(std::memory_order_relaxed)) {
      return;
    }
    // A second start belongs to the pause that is running already.
    std::int64_t notRunning = kNotRunning;
    if (startedAt_.compare_exchange_strong(notRunning, now.count(), std::memory_order_relaxed)) {
      started_.fetch_add(1, std::memory_order_release);
    }
  }

  void pauseFinished(Instant now) {
    const std::int64_t startedAt = startedAt_.exchange(kNotRunning, std::memory_order_relaxed);
    if (startedAt == kNotRunning || !enabled_.load(std::memory_order_relaxed)) {
      return;
    }
    pausedNanos_.fetch_add(std::max<std::int64_t>(now.count() - startedAt, 0),
                           std::memory_order_release);
  }

  // The JVM dies: what still comes is ignored.
  void disable() { enabled_.store(false, std::memory_order_relaxed); }

  // Whether this JVM reports pauses at all.
  void setAvailable(bool available) { available_.store(available, std::memory_order_relaxed); }
  [[nodiscard]] bool available() const { return available_.load(std::memory_order_relaxed); }

  // For one reader. The pause that is running counts with the time that has passed.
  detectors::GcSample read(Instant now) {
    detectors::GcSample sample;
    // In this order a pause that ends between the two loads is missed for one tick; in the other it
    // would count twice.
    std::int64_t paused = pausedNanos_.load(std::memory_order_acquire);
    const std::int64_t startedAt = startedAt_.load(std::memory_order_acquire);
    sample.pausesStarted = started_.load(std::memory_order_acquire);
    sample.pauseRunning = startedAt != kNotRunning;
    if (sample.pauseRunning) {
      paused += std::max<std::int64_t>(now.count() - startedAt, 0);
    }
    lastNanos_ = std::max(lastNanos_, paused);
    sample.pausedTotal = Duration(lastNanos_);
    return sample;
  }

 private:
  static constexpr std::int64_t kNotRunning = -1;

  std::atomic<bool> enabled_{true};
  std::atomic<bool> available_{false};
  std::atomic<std::int64_t> startedAt_{kNotRunning};
  std::atomic<std::int64_t> pausedNanos_{0};
  std::atomic<std::uint64_t> started_{0};
  std::int64_t lastNanos_ = 0;
};

}  // namespace hodor::signals
