#pragma once

#include <algorithm>
#include <chrono>

#include "detectors/time.h"

namespace hodor::detectors {

// A value of one moment, such as a wait or a backlog, that stands for the time since the one
// before.
class MomentaryValue {
 public:
  // If values are further apart than this, the process may have been stopped in between.
  static constexpr Duration kLate = std::chrono::milliseconds(300);

  // What counts for the `elapsed` time before `value`. What a process finds that was stopped was
  // not there all the time: only what both values say counts.
  double over(Duration elapsed, double value) {
    const double counts = elapsed > kLate ? std::min(value, last_) : value;
    last_ = value;
    return counts;
  }
  // The value is unknown; nothing of what was before counts.
  void clear() { last_ = 0; }

 private:
  double last_ = 0;
};

}  // namespace hodor::detectors
