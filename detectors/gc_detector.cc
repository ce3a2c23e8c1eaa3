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
// Less than this is not worth a word.
constexpr double kWorthMention = 0.005;
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
  Loss loss;
  addPauses(loss, begin);
  addConcurrent(loss, begin);
  loss.share = std::clamp(loss.share, 0.0, 1.0);
  loss.withoutLongestPause = std::clamp(loss.withoutLongestPause, 0.0, 1.0);
  return loss;
}

std::optional<double> GcDetector::lost(Duration time) const {
  const auto loss = points_.empty() ? std::nullopt : lossSince(points_.back().at - time);
  return loss ? std::optional(loss->share) : std::nullopt;
}

void GcDetector::addPauses(Loss& loss, Instant begin) const {
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
    const double lost = known * toSeconds(to->pausedTotal - from.pausedTotal);
    total += lost;
    // Which pause of a tick took how long is unknown: the one that ran before and the last one that
    // began may each have taken all of it.
    current = (from.pauseRunning ? current : 0) + lost;
    longest = std::max(longest, current);
    if (to->pausesStarted > from.pausesStarted) {
      current = lost;
    }
    known = 1;
  }
  const double time = toSeconds(points_.back().at - begin);
  loss.paused = total / time;
  loss.share += total / time;
  loss.withoutLongestPause += (total - longest) / time;
}

void GcDetector::addConcurrent(Loss& loss, Instant begin) const {
  const double time = toSeconds(points_.back().at - begin);
  for (auto it = stretches_.rbegin(); it != stretches_.rend() && it->to > begin; ++it) {
    const double part = toSeconds(it->to - std::max(it->from, begin)) / time;
    loss.share += part * it->loss.share;
    loss.withoutLongestPause += part * it->loss.share;
    loss.taken += part * it->loss.taken;
    loss.stalled += part * it->loss.stalled;
  }
}

Verdict GcDetector::stale() {
  points_.clear();
  stretches_.clear();
  base_.reset();
  verdict_ = {.value = verdict_.value};
  return verdict_;
}

bool GcDetector::goesBack(Instant now, const GcSample& sample) const {
  if (points_.empty()) {
    return false;
  }
  const Point& last = points_.back();
  return now <= last.at || sample.pausedTotal < last.pausedTotal ||
         sample.pausesStarted < last.pausesStarted ||
         (base_ && (sample.stallCyclesTotal < base_->total.stallCyclesTotal ||
                    sample.stalledThreadsTotal < base_->total.stalledThreadsTotal));
}

void GcDetector::extendStretches(Instant now, const GcSample& sample) {
  const Instant at = sample.threads ? sample.threadsReadAt : now;
  if (base_ && sample.threads && at <= base_->at) {
    return;  // they have not been looked at since
  }
  if (base_) {
    const GcSample& from = base_->total;
    CollectionInterval interval;
    interval.elapsed = at - base_->at;
    interval.paused = sample.pausedTotal - from.pausedTotal;
    interval.stallCycles = sample.stallCyclesTotal - from.stallCyclesTotal;
    if (sample.stalledThreadsTotal) {
      interval.stalledThreads =
          *sample.stalledThreadsTotal - from.stalledThreadsTotal.value_or(Duration::zero());
    }
    if (sample.threads && from.threads) {
      interval.threads = *sample.threads - *from.threads;
    }
    interval.effectiveCpus = sample.effectiveCpus;
    stretches_.push_back({base_->at, at, concurrentLoss(interval)});
  }
  base_ = Base{at, sample};
}

void GcDetector::forgetOld(Instant now) {
  const Instant begin = now - longest_;
  while (points_.size() > kMostPoints || (points_.size() > 2 && points_[1].at <= begin)) {
    points_.pop_front();
  }
  while (!stretches_.empty() && (stretches_.size() > kMostPoints || stretches_[0].to <= begin)) {
    stretches_.pop_front();
  }
}

Verdict GcDetector::observe(Instant now, const std::optional<GcSample>& sample) {
  if (!sample) {
    return stale();
  }
  const bool backwards = goesBack(now, *sample);
  if (backwards) {
    stale();
  }
  points_.push_back({now, sample->pausedTotal, sample->pausesStarted, sample->pauseRunning});
  extendStretches(now, *sample);
  heap_ = sample->heap;
  forgetOld(now);
  if (!backwards) {
    judge(now);
  }
  return verdict_;
}

void GcDetector::judge(Instant now) {
  verdict_ = {.value = 0, .band = 0, .firing = false, .stale = false, .quiet = true};
  explained_ = 0;
  explainedLoss_ = {};
  double highest = -1;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const auto loss = lossSince(now - bands_[i].duration);
    if (!loss) {
      continue;
    }
    // 1: the band fires.
    const double pressure =
        std::min(loss->share, loss->withoutLongestPause / kShareWithoutLongest) /
        bands_[i].threshold;
    const bool fires = pressure >= 1;
    if (fires || (!verdict_.firing && pressure > highest)) {
      explained_ = i;
      explainedLoss_ = *loss;
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

std::string GcDetector::parts() const {
  const Loss& loss = explainedLoss_;
  const bool stalls = loss.stalled >= loss.taken;
  if (std::max(loss.stalled, loss.taken) < kWorthMention) {
    return "";
  }
  char text[96];
  std::snprintf(text, sizeof text, " (%.1f %% in pauses, %.1f %% %s)", loss.paused * 100,
                std::max(loss.stalled, loss.taken) * 100,
                stalls ? "in allocation stalls" : "as CPU taken from waiting threads");
  return text;
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
  char lost[96];
  std::snprintf(lost, sizeof lost, "%.1f %% of the last %g s lost to garbage collection",
                verdict_.value * 100, toSeconds(band.duration));
  char heap[64] = "";
  if (heap_ && !verdict_.quiet) {
    std::snprintf(heap, sizeof heap, "; %s %.0f %% full after collection",
                  heap_->oldGeneration ? "old generation" : "heap", heap_->share * 100);
  }
  return lost + parts() + (onePause ? ", most of it in one pause" : "") + heap + "; " +
         describeBand(bands_, verdict_.band, 100, " %");
}

}  // namespace hodor::detectors
