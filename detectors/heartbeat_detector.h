#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

struct HeartbeatRule {
  // A window is late if one of its beats woke up later than this.
  std::chrono::milliseconds limit{5};
  // The detector fires when this many ...
  int lateWindows = 28;
  // ... of this many windows were late. 1 <= lateWindows <= windows.
  int windows = 30;

  bool operator==(const HeartbeatRule&) const = default;
};

// Windows of 100 ms in which a sleeping thread woke up too late. It sees CPU quotas that throttle
// and hosts that stall; it is nearly blind to saturation by the own process, as the scheduler
// favours sleepers.
class HeartbeatDetector {
 public:
  static constexpr Duration kWindow = std::chrono::milliseconds(100);

  explicit HeartbeatDetector(const HeartbeatRule& rule) : rule_(rule) {}

  // `elapsed` since the last sample: a beat that is 3 s late counts as 30 late windows, a tick that
  // is 3 s late as 30 windows of which those are late that the worst beat can have touched.
  Verdict observe(Duration elapsed, const std::optional<HeartbeatSample>& sample);

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "late windows"; }

 private:
  HeartbeatRule rule_;
  // Newest last; true: late.
  std::deque<bool> windows_;
  int late_ = 0;
  Duration worst_{};
  Verdict verdict_;
};

}  // namespace hodor::detectors
