#include "control/surge_gate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hodor::control {

namespace {
constexpr double kLeast = 8;         // threads per CPU
constexpr double kTimesPeak = 1.3;   // times the highest depth of healthy times
constexpr double kPeakSeconds = 60;  // in which a peak is forgotten, but for 1/e
constexpr double kBusy = 0.9;        // share of the CPUs
constexpr double kDraining = 0.9;    // of the depth one tick ago: it falls
}  // namespace

double SurgeGate::threshold() const { return std::max(kLeast, kTimesPeak * peak_); }

void SurgeGate::stale() {
  recent_ = {};
  smoothedBefore_ = 0;
  above_ = Duration::zero();
}

bool SurgeGate::tick(Duration elapsed, double runQueue, double cpuUse, bool healthy) {
  std::rotate(recent_.begin(), recent_.end() - 1, recent_.end());
  recent_[0] = runQueue;
  const double smoothed =
      std::accumulate(recent_.begin(), recent_.end(), 0.0) / static_cast<double>(kSmoothed);
  const bool draining = smoothed < kDraining * smoothedBefore_;
  smoothedBefore_ = smoothed;
  // The chance peaks of a high load are normal; what counts as a surge is not.
  if (healthy) {
    peak_ *= std::exp(-toSeconds(elapsed) / kPeakSeconds);
    if (smoothed < threshold()) {
      peak_ = std::max(peak_, smoothed);
    }
  }
  if (smoothed < threshold() || cpuUse < kBusy) {
    above_ = Duration::zero();
    return false;
  }
  // What falls for now is neither counted nor forgotten.
  if (!draining) {
    above_ += std::min(elapsed, kTime / 2);
  }
  return above_ >= kTime && !draining;
}

}  // namespace hodor::control
