#include "admission/queue_watch.h"

#include <algorithm>

namespace hodor::admission {

std::optional<detectors::QueueSample> QueueWatch::observe(Instant now,
                                                          const AdmissionTotals& totals) {
  if (totals.queued < last_.queued || totals.neverStarted < last_.neverStarted) {
    *this = {};  // counted anew; what came before is unknown
  }
  const WaitSum ended = totals.queueWaits - last_.queueWaits;
  count(now, totals.queued - last_.queued,
        ended.count() + totals.neverStarted - last_.neverStarted);
  last_ = totals;
  if (totals.queued == 0) {
    return std::nullopt;
  }
  return detectors::QueueSample{std::max(ended.mean(), oldest(now)), ""};
}

void QueueWatch::count(Instant now, std::uint64_t queued, std::uint64_t left) {
  queued_ += queued;
  left_ += left;
  // More have left than came: some of those given up as lost had only waited.
  left_ = std::min(left_, queued_);
  if (queued > 0) {
    if (points_.size() >= kMostPoints) {
      // Every second one: those in between count as come with the next.
      for (std::size_t i = 1; i < points_.size(); ++i) {
        points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    points_.push_back({now, queued_});
  }
  while (!points_.empty() && (points_.front().queued <= left_ || oldest(now) > kLost)) {
    left_ = std::max(left_, points_.front().queued);
    points_.pop_front();
  }
}

Duration QueueWatch::oldest(Instant now) const {
  return points_.empty() ? Duration::zero() : std::max(now - points_.front().at, Duration::zero());
}

}  // namespace hodor::admission
