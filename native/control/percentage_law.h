#pragma once

#include <optional>

#include "control/law_input.h"

namespace hodor::control {

// strategy=percentage: which share of the requests is rejected during an overload.
//
// The share goes towards what cannot be served (1 - throughput / arrivals) and past it while a
// detector still sees pressure; without pressure it is given back step by step, until pressure
// returns or nothing is rejected any more.
class PercentageLaw {
 public:
  // 0..kMaxShare, or nothing while there is no overload.
  std::optional<double> tick(const LawInput& input);

  // Some requests pass always: without any the law could not see that the load has gone.
  static constexpr double kMaxShare = 0.98;

 private:
  LoadEstimate load_;
  bool engaged_ = false;
  double share_ = 0;
};

}  // namespace hodor::control
