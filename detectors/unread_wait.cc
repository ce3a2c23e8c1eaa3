#include "detectors/unread_wait.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace hodor::detectors {

namespace {

constexpr Duration kForgotten = std::chrono::minutes(1);
constexpr double kFew = 4;
constexpr double kFewShare = 0.02;

}  // namespace

UnreadWait unreadWait(const UnreadSample& sample, std::int64_t inFlight, bool poolWaits) {
  const auto first =
      std::upper_bound(sample.ages.begin(), sample.ages.end(), kForgotten, std::greater<>());
  const auto unread = static_cast<double>(sample.ages.end() - first);
  const double bodies =
      poolWaits
          ? 0
          : std::ceil(static_cast<double>(std::max<std::int64_t>(inFlight, 0)) / sample.scale);
  UnreadWait result;
  result.requests = std::max(unread - bodies, 0.0) * sample.scale;
  if (bodies < unread) {
    result.oldest = first[static_cast<std::ptrdiff_t>(bodies)];
  }
  const double few = std::max(kFew, std::ceil(kFewShare * sample.connections / sample.scale));
  const double before = bodies + few - 1;
  if (before < unread) {
    result.wait = first[static_cast<std::ptrdiff_t>(before)];
  }
  return result;
}

}  // namespace hodor::detectors
