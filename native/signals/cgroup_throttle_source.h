#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "detectors/samples.h"
#include "detectors/time.h"
#include "signals/cpu_groups.h"

namespace hodor::signals {

// How often the quota of a control group of this process was used up: nr_periods and nr_throttled
// of cpu.stat, which both versions of control groups have. Not thread-safe.
class CgroupThrottleSource {
 public:
  CgroupThrottleSource() : CgroupThrottleSource("/proc/self", "") {}
  CgroupThrottleSource(std::string processRoot, std::string fileRoot)
      : processRoot_(std::move(processRoot)), fileRoot_(std::move(fileRoot)) {}

  // Of the group, own or parent, that was throttled most since the last call; none at the first
  // call, and where no group has a quota. Nothing if it cannot be read.
  std::optional<detectors::ThrottledPeriods> take(Instant now);
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  // Finding the groups takes the whole table of mounts, so a move to another group is seen late.
  static constexpr Duration kFindPeriod = std::chrono::seconds(5);

  // False: they cannot be found.
  bool find(Instant now);

  const std::string processRoot_;
  const std::string fileRoot_;
  std::optional<Instant> foundAt_;
  std::vector<CpuGroup> groups_;
  // The last counts, by folder.
  std::map<std::string, detectors::ThrottledPeriods> last_;
  std::string lastError_;
};

}  // namespace hodor::signals
