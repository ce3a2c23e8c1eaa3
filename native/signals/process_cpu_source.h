#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "detectors/time.h"

namespace hodor::signals {

// CPU time of this process: a cheap hint whether the run queues are worth a look.
class ProcessCpuSource {
 public:
  using CpuClock = std::function<std::optional<Duration>()>;

  ProcessCpuSource() : ProcessCpuSource(readProcessClock) {}
  explicit ProcessCpuSource(CpuClock clock) : clock_(std::move(clock)) {}

  // Share of `cpus` CPUs used since the last call, 0..1; nothing at the first call and when the
  // clock cannot be read.
  std::optional<double> takeShare(Instant now, double cpus);

  // CPU time used since the start, by threads that have ended, too.
  static std::optional<Duration> readProcessClock();

 private:
  CpuClock clock_;
  std::optional<Instant> lastAt_;
  Duration lastUsed_{};
};

}  // namespace hodor::signals
