#include "detectors/heartbeat_detector.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace hodor::detectors {

namespace {

double windowsIn(Duration time) { return toSeconds(time) / toSeconds(HeartbeatDetector::kWindow); }

}  // namespace

Verdict HeartbeatDetector::observe(Duration elapsed, const std::optional<HeartbeatSample>& sample) {
  if (!sample || elapsed <= Duration::zero()) {
    windows_.clear();
    late_ = 0;
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  worst_ = sample->worstOvershoot;
  const auto atMost = [this](double windows) {
    return static_cast<int>(std::clamp<double>(windows, 1, rule_.windows));
  };
  const int count = atMost(std::round(windowsIn(elapsed)));
  // A beat late by one window and a half touches three windows at most: when only the tick was held
  // up, the windows without a late beat stay good ones.
  const int late = worst_ > rule_.limit ? atMost(std::ceil(windowsIn(worst_)) + 1) : 0;
  for (int i = count; i > 0; --i) {
    const bool isLate = i <= late;
    windows_.push_back(isLate);
    late_ += isLate ? 1 : 0;
    if (windows_.size() > static_cast<std::size_t>(rule_.windows)) {
      late_ -= windows_.front() ? 1 : 0;
      windows_.pop_front();
    }
  }
  const bool firing = late_ >= rule_.lateWindows;
  verdict_ = {.value = static_cast<double>(late_),
              .band = firing ? 1 : 0,
              .firing = firing,
              .stale = false,
              .quiet = 2 * late_ < rule_.lateWindows};
  return verdict_;
}

std::string HeartbeatDetector::explain() const {
  if (verdict_.stale) {
    return "no heartbeat";
  }
  char text[160];
  std::snprintf(text, sizeof text,
                "%d of the last %zu windows had a beat later than %lld ms (the last one %.1f ms); "
                "fires at %d of %d",
                late_, windows_.size(), static_cast<long long>(rule_.limit.count()),
                toSeconds(worst_) * 1e3, rule_.lateWindows, rule_.windows);
  return text;
}

}  // namespace hodor::detectors
