#pragma once

#include <array>
#include <cstddef>

#include "detectors/time.h"

namespace hodor::control {

// Sees a step in the load by the run queue, relative to what is normal for this service. In a storm
// the threads that accept and read requests starve like all others, so the backlog stays in the
// kernel and neither requests in flight nor the pool's queue show it; a run queue deeper than any
// of healthy times does. Absolute bands cannot be that low: at 0.9 load such depths are
// chance, and normal.
class SurgeGate {
 public:
  // How long the run queue must be that deep.
  static constexpr Duration kTime = std::chrono::milliseconds(500);

  // `runQueue`: threads that wait, per CPU. `cpuUse`: 0..1. `healthy`: this tick may be learned
  // from. True: overloaded now.
  bool tick(Duration elapsed, double runQueue, double cpuUse, bool healthy);
  // The run queue cannot be read: everything but what is normal is forgotten.
  void stale();

  // Threads that wait, per CPU, from which on it counts.
  [[nodiscard]] double threshold() const;

 private:
  static constexpr std::size_t kSmoothed = 3;

  // Highest smoothed depth of the last minute or so, overloads left out.
  double peak_ = 0;
  // The kernel books a wait when it ends, so one tick says little: the mean of some.
  std::array<double, kSmoothed> recent_{};
  double smoothedBefore_ = 0;
  Duration above_{};
};

}  // namespace hodor::control
