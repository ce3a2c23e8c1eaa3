#include "signals/unread_watch.h"

#include <algorithm>

namespace hodor::signals {

namespace {

constexpr Duration kNormalPeriod = std::chrono::seconds(1);
constexpr Duration kQuietPeriod = std::chrono::seconds(5);
// More descriptors, rarer looks: their cost stays below 0.05 % of a CPU.
constexpr Duration kPeriodPerDescriptor = std::chrono::microseconds(800);
// So few say nothing: chance.
constexpr std::size_t kFewUnread = 2;

}  // namespace

bool UnreadWatch::due(Instant now, Pace pace) const {
  if (!lastLook_ || pace == Pace::kSuspicious) {
    return true;
  }
  const bool waiting =
      sample_ && (sample_->ages.size() > kFewUnread || sample_->acceptQueue > kFewUnread);
  if (waiting && pace == Pace::kNormal) {
    return true;
  }
  const Duration period = pace == Pace::kQuiet ? kQuietPeriod : kNormalPeriod;
  return now - *lastLook_ >= std::max(period, source_.descriptors() * kPeriodPerDescriptor);
}

const std::optional<detectors::UnreadSample>& UnreadWatch::observe(Instant now, Pace pace) {
  if (due(now, pace)) {
    lastLook_ = now;
    sample_ = source_.look(now);
  }
  return sample_;
}

}  // namespace hodor::signals
