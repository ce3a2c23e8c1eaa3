#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "tests/load/schedule.h"

namespace hodor::load {

// Poisson arrivals over a schedule; the same seed and schedule give the same times on every
// machine. Each arrival needs an exponentially distributed amount of "expected arrivals"; walking
// the schedule until that much has passed keeps the process exact across changes of the rate.
class ArrivalProcess {
 public:
  ArrivalProcess(Schedule schedule, std::uint64_t seed)
      : schedule_(std::move(schedule)), random_(seed) {}

  // The time of the next arrival since the start; nothing once the schedule is over.
  std::optional<Duration> next() {
    double need = unitExponential();
    while (segment_ < schedule_.size()) {
      const Segment& segment = schedule_[segment_];
      const double left = toSeconds(segment.length) - inSegment_;
      if (segment.rate * left > need) {
        inSegment_ += need / segment.rate;
        return segmentStart_ + fromSeconds(inSegment_);
      }
      need -= segment.rate * left;
      segmentStart_ += segment.length;
      inSegment_ = 0;
      ++segment_;
    }
    return std::nullopt;
  }

 private:
  // std::exponential_distribution may differ between libraries; this does not.
  double unitExponential() {
    constexpr double kScale = 1.0 / 9007199254740992.0;                             // 2^-53
    const double uniform = (static_cast<double>(random_() >> 11U) + 1.0) * kScale;  // (0, 1]
    return -std::log(uniform);
  }

  Schedule schedule_;
  std::mt19937_64 random_;
  std::size_t segment_ = 0;
  Duration segmentStart_{0};
  double inSegment_ = 0;  // seconds
};

}  // namespace hodor::load
