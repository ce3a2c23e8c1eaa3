#include "control/percentage_law.h"

#include <algorithm>

namespace hodor::control {

namespace {

// Per second, so that irregular ticks make no difference.
constexpr double kRaisePerSecond = 0.4;
constexpr double kYieldPerSecond = 0.1;

}  // namespace

std::optional<double> PercentageLaw::tick(const LawInput& input) {
  load_.tick(input.load);
  if (!input.overloaded) {
    engaged_ = false;
    share_ = 0;
    return std::nullopt;
  }
  const double seconds = toSeconds(input.load.elapsed);
  const double arrivals = load_.arrivals();
  const double surplus =
      arrivals > 0 ? std::clamp(1.0 - load_.bestThroughput() / arrivals, 0.0, 1.0) : 0.0;
  if (!engaged_) {
    engaged_ = true;
    share_ = surplus;
  }
  if (input.pressure) {
    share_ = std::max(share_, surplus) + kRaisePerSecond * seconds;
  } else {
    share_ -= kYieldPerSecond * seconds;
  }
  share_ = std::clamp(share_, 0.0, kMaxShare);
  return share_;
}

}  // namespace hodor::control
