#include "control/load_estimate.h"

#include <algorithm>
#include <cmath>

namespace hodor::control {

void Ewma::add(double value, Duration elapsed) {
  if (empty_) {
    value_ = value;
    empty_ = false;
    return;
  }
  const double alpha = 1.0 - std::exp(-toSeconds(elapsed) / toSeconds(timeConstant_));
  value_ += alpha * (value - value_);
}

void LoadEstimate::tick(const LoadSample& sample) {
  const double seconds = toSeconds(sample.elapsed);
  const auto completions = static_cast<double>(sample.completions);
  throughput_.add(completions / seconds, sample.elapsed);
  arrivals_.add(static_cast<double>(sample.arrivals) / seconds, sample.elapsed);
  if (throughput_.value() > 0) {
    sojourn_.add(sample.inFlight / throughput_.value(), sample.elapsed);
  }
  if (sample.successes > 0) {
    const double latency = toSeconds(sample.latency) / static_cast<double>(sample.successes);
    latencyFast_.add(latency, sample.elapsed);
    latencySlow_.add(latency, sample.elapsed);
  }
  if (halfSeconds_[current_].elapsed >= std::chrono::milliseconds(500)) {
    current_ = (current_ + 1) % halfSeconds_.size();
    halfSeconds_[current_] = {};
  }
  halfSeconds_[current_].elapsed += sample.elapsed;
  halfSeconds_[current_].completions += completions;
}

void LoadEstimate::restart() {
  throughput_ = Ewma(kThroughputTime);
  sojourn_ = Ewma(kSojournTime);
}

double LoadEstimate::bestThroughput() const {
  double best = throughput_.value();
  for (const HalfSecond& half : halfSeconds_) {
    if (half.elapsed >= std::chrono::milliseconds(500)) {
      best = std::max(best, half.completions / toSeconds(half.elapsed));
    }
  }
  return best;
}

}  // namespace hodor::control
