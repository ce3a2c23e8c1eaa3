#include "detectors/gc_detector.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace hodor::detectors {

namespace {
constexpr std::size_t kMostPoints = 4096;
constexpr std::uint64_t kFewestPauses = 2;
}  // namespace

std::vector<Band> GcDetector::defaultBands() {
  using std::chrono::seconds;
  return {{0.11, seconds(10)}, {0.30, seconds(3)}, {0.60, seconds(1)}};
}

GcDetector::GcDetector(std::vector<Band> bands) : bands_(std::move(bands)) {
  for (const Band& band : bands_) {
    longest_ = std::max<Duration>(longest_, band.duration);
  }
}

std::optional<GcDetector::Loss> GcDetector::lossSince(Instant begin) const {
  if (points_.empty() || points_.front().at > begin) {
    return std::nullopt;
  }
  const auto after = std::upper_bound(points_.begin(), points_.end(), begin,
                                      [](Instant at, const Point& p) { return at < p.at; });
  const Point& before = *std::prev(after);
  Duration paused = before.total.pausedTotal;
  if (after != points_.end() && after->at > before.at) {
    // Within a tick the pauses are taken as evenly spread.
    const double share = toSeconds(begin - before.at) / toSeconds(after->at - before.at);
    paused += std::chrono::duration_cast<Duration>(
        (after->total.pausedTotal - before.total.pausedTotal) * share);
  }
  const Point& last = points_.back();
  Loss loss;
  loss.share =
      std::clamp(toSeconds(last.total.pausedTotal - paused) / toSeconds(last.at - begin), 0.0, 1.0);
  loss.pauses =
      last.total.pausesStarted - before.total.pausesStarted + (before.total.pauseRunning ? 1U : 0U);
  return loss;
}

Verdict GcDetector::observe(Instant now, const std::optional<GcSample>& sample) {
  if (!sample) {
    points_.clear();
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  if (!points_.empty() &&
      (sample->pausedTotal < points_.back().total.pausedTotal ||
       sample->pausesStarted < points_.back().total.pausesStarted || now <= points_.back().at)) {
    points_.clear();
  }
  points_.push_back({now, *sample});
  while (points_.size() > kMostPoints || (points_.size() > 2 && points_[1].at <= now - longest_)) {
    points_.pop_front();
  }
  verdict_ = {.value = 0, .band = 0, .firing = false, .stale = false, .quiet = true};
  double nearest = -1;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const auto loss = lossSince(now - bands_[i].duration);
    if (!loss) {
      continue;
    }
    if (loss->share / bands_[i].threshold > nearest) {
      nearest = loss->share / bands_[i].threshold;
      verdict_.value = loss->share;
    }
    if (loss->share >= bands_[i].threshold && loss->pauses >= kFewestPauses) {
      verdict_.band = static_cast<int>(i) + 1;
      verdict_.firing = true;
    }
  }
  verdict_.quiet = nearest < kRecoveryShare;
  return verdict_;
}

std::string GcDetector::explain() const {
  if (verdict_.stale) {
    return "no data on garbage collection";
  }
  char text[128];
  std::snprintf(text, sizeof text, "%.1f %% of the time lost to garbage collection; ",
                verdict_.value * 100);
  return text + describeBand(bands_, verdict_.band, 100, " %");
}

}  // namespace hodor::detectors
