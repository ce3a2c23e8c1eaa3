#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "admission/admission.h"
#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::admission {

// How long requests wait for their thread that were admitted before a pool's queue, from the totals
// of one tick after the other: the mean of those that started since the last, or the age of the
// oldest that waits still, if that is more. One thread.
//
// Which one waits is not known, but how many have come until when, and how many have left: in the
// order of their coming the next one to leave is the oldest. Its age is a lower bound, up to a tick
// too small; in a queue that is not in order, it is that of one that came later than the oldest.
class QueueWatch {
 public:
  // Who waited that long has been forgotten by whoever had it: clients have left long before.
  static constexpr Duration kLost = std::chrono::seconds(30);

  // Nothing until the first request was queued.
  std::optional<detectors::QueueSample> observe(Instant now, const AdmissionTotals& totals);

 private:
  static constexpr std::size_t kMostPoints = 64;

  // By `at`, `queued` had come.
  struct Point {
    Instant at{};
    std::uint64_t queued = 0;
  };

  void count(Instant now, std::uint64_t queued, std::uint64_t left);
  [[nodiscard]] Duration oldest(Instant now) const;

  // From the first that waits to the newest.
  std::deque<Point> points_;
  std::uint64_t queued_ = 0;
  std::uint64_t left_ = 0;
  AdmissionTotals last_;
};

}  // namespace hodor::admission
