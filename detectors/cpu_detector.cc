#include "detectors/cpu_detector.h"

#include <cmath>
#include <cstdio>

namespace hodor::detectors {

namespace {
// Linux has no more threads than this (PID_MAX_LIMIT): more of them cannot wait.
constexpr double kMostThreads = 4'194'304;
}  // namespace

std::vector<Band> CpuDetector::defaultBands() {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  return {{4, seconds(10)}, {10, seconds(2)}, {25, milliseconds(500)}};
}

Verdict CpuDetector::observe(Instant now, const std::optional<CpuSample>& sample) {
  const bool usable = sample && sample->elapsed > Duration::zero() &&
                      sample->runQueueWait >= Duration::zero() &&
                      std::isfinite(sample->effectiveCpus) && sample->effectiveCpus > 0 &&
                      toSeconds(sample->runQueueWait) <= kMostThreads * toSeconds(sample->elapsed);
  if (!usable) {
    window_.clear();
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  effectiveCpus_ = sample->effectiveCpus;
  const double depth =
      toSeconds(sample->runQueueWait) / toSeconds(sample->elapsed) / sample->effectiveCpus;
  window_.record(now, sample->elapsed, depth);
  const int band = window_.firingBand();
  verdict_ = {.value = depth,
              .band = band,
              .firing = band > 0,
              .stale = false,
              .quiet = window_.quiet(depth)};
  return verdict_;
}

std::string CpuDetector::explain() const {
  if (verdict_.stale) {
    return "no data on the run queues";
  }
  char text[128];
  std::snprintf(text, sizeof text, "run queue %.1f threads deep per CPU on %.2f CPUs; ",
                verdict_.value, effectiveCpus_);
  return text + describeBand(window_.bands(), verdict_.band, 1, "");
}

}  // namespace hodor::detectors
