#include "detectors/queue_detector.h"

#include <cstdio>
#include <utility>

namespace hodor::detectors {

std::vector<Band> QueueDetector::defaultBands() {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  return {{50, seconds(10)}, {200, seconds(2)}, {1000, milliseconds(500)}};
}

std::optional<QueueSample> longer(std::optional<QueueSample> one,
                                  std::optional<QueueSample> other) {
  if (!one || !other) {
    return one ? one : other;
  }
  if (other->wait > one->wait) {
    std::swap(one, other);
  }
  if (one->pool.empty() && 2 * other->wait >= one->wait) {
    one->pool = std::move(other->pool);
  }
  return one;
}

Verdict QueueDetector::observe(Instant now, Duration elapsed,
                               const std::optional<QueueSample>& sample) {
  if (!sample || sample->wait < Duration::zero() || elapsed <= Duration::zero()) {
    window_.clear();
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  pool_ = sample->pool;
  const double wait = toSeconds(sample->wait) * 1e3;
  window_.record(now, elapsed, wait);
  const int band = window_.firingBand();
  verdict_ = {.value = wait,
              .band = band,
              .firing = band > 0,
              .stale = false,
              .quiet = window_.quiet(wait)};
  return verdict_;
}

std::string QueueDetector::explain() const {
  if (verdict_.stale) {
    return "no data on the wait for a thread of the server's pool";
  }
  char text[64];
  std::snprintf(text, sizeof text, "work waits %.0f ms for a thread of ", verdict_.value);
  return text + (pool_.empty() ? "the server's pool" : "pool " + pool_) + "; " +
         describeBand(window_.bands(), verdict_.band, 1, " ms");
}

}  // namespace hodor::detectors
