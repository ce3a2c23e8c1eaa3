#include "control/latency_confirmation.h"

#include <algorithm>
#include <cstdio>

namespace hodor::control {

bool LatencyConfirmation::tick(const Input& input) {
  if (input.answers > 0) {
    // Weighted by the time that they stand for: at one request a second each answer counts.
    const Duration since =
        lastAnswer_ ? std::max(input.now - *lastAnswer_, Duration(1)) : Duration(1);
    fast_.add(toSeconds(input.latency) / static_cast<double>(input.answers), since);
    lastAnswer_ = input.now;
  }
  now_ = std::max(fast_.value(), input.waiting);
  normal_ = input.healthyLatency.value_or(0);
  const bool known = lastAnswer_ && input.now - *lastAnswer_ <= kRecent;
  slight_ = known && now_ < normal_ + kSlight;
  if (!known) {
    return true;
  }
  return now_ > (input.healthyLatency ? kCrossing * normal_ : kCold);
}

std::string LatencyConfirmation::explain() const {
  char text[96];
  std::snprintf(text, sizeof text, "latency %.1f ms, normally %.1f ms", now_ * 1e3, normal_ * 1e3);
  return text;
}

}  // namespace hodor::control
