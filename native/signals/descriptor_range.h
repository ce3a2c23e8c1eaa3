#pragma once

#include <optional>
#include <string>

#include "detectors/time.h"

namespace hodor::signals {

// Up to which number this process has descriptors. A new one gets the lowest free number, so from
// one listing of /proc/self/fd to the next it is enough to try the numbers behind the last known
// one: that costs 0.1 us a number, a listing up to 1 us a descriptor.
//
// Not thread-safe.
class DescriptorRange {
 public:
  explicit DescriptorRange(std::string processRoot = "/proc/self");

  // One more than the highest number in use. Nothing if descriptors could never be listed.
  std::optional<int> end(Instant now);

  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  bool list();
  void extend();

  std::string folder_;
  int end_ = 0;
  int listed_ = 0;
  std::optional<Instant> lastList_;
  std::string lastError_;
};

}  // namespace hodor::signals
