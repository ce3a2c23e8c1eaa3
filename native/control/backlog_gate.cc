#include "control/backlog_gate.h"

#include <algorithm>

namespace hodor::control {

namespace {
constexpr int kTicks = 2;
constexpr double kNormalInFlight = 3;  // times the healthy concurrency
constexpr double kNormalPerCpu = 2;    // requests per CPU that are never many
constexpr double kNormalLatency = 2.5;
// Less than this share of the number of two ticks ago: the backlog drains.
constexpr double kDraining = 0.97;
}  // namespace

bool BacklogGate::tick(const Input& input) {
  const auto inFlight = static_cast<double>(input.inFlight);
  const bool draining = inFlight < kDraining * static_cast<double>(before_[1]);
  before_ = {input.inFlight, before_[0]};
  const double wait = input.bestThroughput > 0 ? inFlight / input.bestThroughput : 0;
  const bool big = inFlight > std::max(kNormalInFlight * input.healthyInFlight,
                                       kNormalPerCpu * input.effectiveCpus) &&
                   wait > kNormalLatency * input.healthyLatency;
  excess_ = std::max(wait - input.healthyLatency, 0.0);
  const bool above = big && input.evidence && !draining && excess_ > toSeconds(kExcess);
  ticksAbove_ = above ? ticksAbove_ + 1 : 0;
  return ticksAbove_ >= kTicks;
}

}  // namespace hodor::control
