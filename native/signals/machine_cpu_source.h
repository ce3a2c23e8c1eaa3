#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// What everybody together did with the CPUs that this process may use: /proc/stat. The kernel
// writes all of that file, with every interrupt of every CPU, for each reader: not for every tick.
//
// Idle and I/O wait are not read: with a kernel that stops its tick they go backwards, and what is
// neither busy nor stolen is idle anyway. Not thread-safe.
class MachineCpuSource {
 public:
  explicit MachineCpuSource(std::string path = "/proc/stat") : path_(std::move(path)) {}

  // Since the last call, summed over `cpus`; zeros at the first call. A CPU that was not there
  // before starts with this call. Nothing if it cannot be read, or has none of these CPUs.
  std::optional<detectors::MachineCpu> take(const std::vector<int>& cpus);
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  struct Counters {
    std::uint64_t busy = 0;
    std::uint64_t stolen = 0;
  };

  const std::string path_;
  std::map<int, Counters> last_;
  std::string lastError_;
};

}  // namespace hodor::signals
