#include "signals/unread_watch.h"

#include <algorithm>

namespace hodor::signals {

namespace {

constexpr Duration kNormalPeriod = std::chrono::seconds(1);
constexpr Duration kQuietPeriod = std::chrono::seconds(5);
constexpr Duration kOverloadedPeriod = std::chrono::milliseconds(500);
// More descriptors, rarer looks: their cost stays below 0.05 % of a CPU.
constexpr Duration kPeriodPerDescriptor = std::chrono::microseconds(800);
// So few say nothing: chance.
constexpr std::size_t kFewUnread = 2;

}  // namespace

Duration UnreadWatch::periodOf(Pace pace) {
  switch (pace) {
    case Pace::kQuiet:
      return kQuietPeriod;
    case Pace::kNormal:
      return kNormalPeriod;
    case Pace::kOverloaded:
      return kOverloadedPeriod;
    case Pace::kSuspicious:
    case Pace::kStorm:
      break;
  }
  return Duration::zero();
}

bool UnreadWatch::due(Instant now, Pace pace) const {
  if (!lastLook_ || pace == Pace::kSuspicious || pace == Pace::kStorm) {
    return true;
  }
  const bool waiting =
      sample_ && (sample_->ages.size() > kFewUnread || sample_->acceptQueue > kFewUnread);
  if (waiting && pace == Pace::kNormal) {
    return true;
  }
  const Duration sparing =
      pace == Pace::kOverloaded ? Duration::zero() : source_.descriptors() * kPeriodPerDescriptor;
  return now - *lastLook_ >= std::max(periodOf(pace), sparing);
}

const std::optional<detectors::UnreadSample>& UnreadWatch::observe(Instant now, Pace pace) {
  if (due(now, pace)) {
    lastLook_ = now;
    sample_ = source_.look(now);
  }
  return sample_;
}

}  // namespace hodor::signals
