#include "signals/process_cpu_source.h"

#include <algorithm>
#include <ctime>

namespace hodor::signals {

std::optional<Duration> ProcessCpuSource::readProcessClock() {
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) {
    return std::nullopt;
  }
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::optional<double> ProcessCpuSource::takeShare(Instant now, double cpus) {
  const auto used = clock_();
  if (!used) {
    lastAt_.reset();
    return std::nullopt;
  }
  std::optional<double> share;
  if (lastAt_ && now > *lastAt_ && cpus > 0) {
    share = std::clamp(toSeconds(*used - lastUsed_) / toSeconds(now - *lastAt_) / cpus, 0.0, 1.0);
  }
  lastAt_ = now;
  lastUsed_ = *used;
  return share;
}

}  // namespace hodor::signals
