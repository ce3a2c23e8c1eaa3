#include "detectors/gc_detector.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace hodor::detectors {

namespace {
// Bands are at most 1 m long, 600 ticks. With more points the longest band is not known to its full
// duration and does not fire.
constexpr std::size_t kMostPoints = 4096;
// So much of the threshold has to be there without the longest pause.
constexpr double kShareWithoutLongest = 0.5;
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
  if (points_.empty() || points_.front().at > begin || points_.back().at <= begin) {
    return std::nullopt;
  }
  const auto end = points_.end();
  auto to = std::upper_bound(points_.begin(), end, begin,
                             [](Instant at, const Point& p) { return at < p.at; });
  // Within a tick the pauses are taken as evenly spread.
  double known = toSeconds(to->at - begin) / toSeconds(to->at - std::prev(to)->at);
  double total = 0;
  double longest = 0;
  double current = 0;
  for (; to != end; ++to) {
    const Point& from = *std::prev(to);
    const double lost = known * toSeconds(to->total.pausedTotal - from.total.pausedTotal);
    total += lost;
    // Which pause of a tick took how long is unknown: the one that ran before and the last one that
    // began may each have taken all of it.
    current = (from.total.pauseRunning ? current : 0) + lost;
    longest = std::max(longest, current);
    if (to->total.pausesStarted > from.total.pausesStarted) {
      current = lost;
    }
    known = 1;
  }
  const double time = toSeconds(points_.back().at - begin);
  return Loss{std::clamp(total / time, 0.0, 1.0), std::clamp((total - longest) / time, 0.0, 1.0)};
}

Verdict GcDetector::stale() {
  points_.clear();
  verdict_ = {.value = verdict_.value};
  return verdict_;
}

Verdict GcDetector::observe(Instant now, const std::optional<GcSample>& sample) {
  if (!sample) {
    return stale();
  }
  const bool backwards =
      !points_.empty() &&
      (sample->pausedTotal < points_.back().total.pausedTotal ||
       sample->pausesStarted < points_.back().total.pausesStarted || now <= points_.back().at);
  if (backwards) {
    stale();
  }
  points_.push_back({now, *sample});
  while (points_.size() > kMostPoints || (points_.size() > 2 && points_[1].at <= now - longest_)) {
    points_.pop_front();
  }
  if (!backwards) {
    judge(now);
  }
  return verdict_;
}

void GcDetector::judge(Instant now) {
  verdict_ = {.value = 0, .band = 0, .firing = false, .stale = false, .quiet = true};
  explained_ = 0;
  double highest = -1;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const auto loss = lossSince(now - bands_[i].duration);
    if (!loss) {
      continue;
    }
    // 1: the band fires.
    const double pressure =
        std::min(loss->share, loss->shareWithoutLongest / kShareWithoutLongest) /
        bands_[i].threshold;
    const bool fires = pressure >= 1;
    if (fires || (!verdict_.firing && pressure > highest)) {
      explained_ = i;
      verdict_.value = loss->share;
    }
    if (fires) {
      verdict_.band = static_cast<int>(i) + 1;
      verdict_.firing = true;
    }
    highest = std::max(highest, pressure);
  }
  verdict_.quiet = highest < kRecoveryShare;
}

std::string GcDetector::explain() const {
  if (verdict_.stale) {
    return "no data on garbage collection";
  }
  if (bands_.empty()) {
    return describeBand(bands_, 0, 100, " %");
  }
  const Band& band = bands_[explained_];
  const bool onePause = !verdict_.firing && verdict_.value >= band.threshold;
  char text[160];
  std::snprintf(text, sizeof text, "%.1f %% of the last %g s lost to garbage collection%s; ",
                verdict_.value * 100, toSeconds(band.duration),
                onePause ? ", most of it in one pause" : "");
  return text + describeBand(bands_, verdict_.band, 100, " %");
}

}  // namespace hodor::detectors
