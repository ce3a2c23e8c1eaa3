#pragma once

#include <cmath>

#include "detectors/time.h"

namespace hodor::detectors {

// A sum of what came in during the last second or so: what came in one second ago counts 1/e. The
// ratio of two such sums is the ratio of late.
class DecayingSum {
 public:
  // `amount` came in during `elapsed`.
  void add(Duration elapsed, double amount) {
    value_ = value_ * std::exp(-toSeconds(elapsed)) + amount;
  }
  void clear() { value_ = 0; }

  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0;
};

}  // namespace hodor::detectors
