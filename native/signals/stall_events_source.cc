#include "signals/stall_events_source.h"

#include <algorithm>
#include <cmath>

namespace hodor::signals {

namespace {
// Longer waits are nonsense.
constexpr Duration kLongestWait = std::chrono::hours(1);
constexpr double kSpreadSeconds = 1;
}  // namespace

bool StallEventsSource::add(Duration waited) {
  if (waited < Duration::zero() || waited > kLongestWait) {
    return false;
  }
  std::int64_t before = nanos_.load(std::memory_order_relaxed);
  while (!nanos_.compare_exchange_weak(before, std::max<std::int64_t>(before, 0) + waited.count(),
                                       std::memory_order_relaxed)) {
  }
  return true;
}

std::optional<Duration> StallEventsSource::take(Duration elapsed) {
  const std::int64_t sum = nanos_.load(std::memory_order_relaxed);
  if (sum == kNotBegun) {
    return std::nullopt;
  }
  const double seconds = std::max(toSeconds(elapsed), 0.0);
  handedOn_ += (static_cast<double>(sum) - handedOn_) * (1 - std::exp(-seconds / kSpreadSeconds));
  return Duration(static_cast<std::int64_t>(handedOn_));
}

}  // namespace hodor::signals
