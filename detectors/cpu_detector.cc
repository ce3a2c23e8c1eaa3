#include "detectors/cpu_detector.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hodor::detectors {

namespace {

// Linux has no more threads than this (PID_MAX_LIMIT): more of them cannot wait.
constexpr double kMostThreads = 4'194'304;
// From this share of the CPU time on the sentence names a kind of thread.
constexpr double kWorthNaming = 0.1;

constexpr std::array<ThreadKind, kThreadKindCount> kKinds = {
    ThreadKind::kApplication, ThreadKind::kCollector, ThreadKind::kCompiler, ThreadKind::kOther};

bool isUsable(const CpuSample& sample) {
  const double most = kMostThreads * toSeconds(sample.elapsed);
  const auto plausible = [most](Duration time) {
    return time >= Duration::zero() && toSeconds(time) <= most;
  };
  return sample.elapsed > Duration::zero() && std::isfinite(sample.effectiveCpus) &&
         sample.effectiveCpus > 0 &&
         std::all_of(kKinds.begin(), kKinds.end(), [&](ThreadKind kind) {
           return plausible(sample.threads[kind].ran) && plausible(sample.threads[kind].waited);
         });
}

// Of the CPU time of the process, what neither collector nor compiler had. Of this one sample: a
// storm that breaks into a warm-up must not be taken for it.
double shareOfApplication(const ThreadTimesByKind& threads) {
  const Duration all = threads.sum().ran;
  const Duration taken = threads[ThreadKind::kCollector].ran + threads[ThreadKind::kCompiler].ran;
  return all > Duration::zero() ? 1 - toSeconds(taken) / toSeconds(all) : 1;
}

}  // namespace

std::vector<Band> CpuDetector::defaultBands() {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  return {{4, seconds(10)}, {10, seconds(2)}, {25, milliseconds(500)}};
}

void CpuDetector::remember(const CpuSample& sample) {
  for (const ThreadKind kind : kKinds) {
    KindSums& sums = kinds_[static_cast<std::size_t>(kind)];
    sums.ran.add(sample.elapsed, toSeconds(sample.threads[kind].ran));
    sums.waited.add(sample.elapsed, toSeconds(sample.threads[kind].waited));
  }
  if (sample.shares) {
    judge_.observe(*sample.shares);
  }
}

Verdict CpuDetector::observe(Instant now, const std::optional<CpuSample>& sample) {
  if (!sample || !isUsable(*sample)) {
    window_.clear();
    judge_.clear();
    kinds_ = {};
    deepSince_.reset();
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  now_ = now;
  effectiveCpus_ = sample->effectiveCpus;
  remember(*sample);
  const double depth = toSeconds(sample->threads[ThreadKind::kApplication].waited) /
                       toSeconds(sample->elapsed) / sample->effectiveCpus *
                       shareOfApplication(sample->threads);
  window_.record(now, sample->elapsed, depth);
  const int band = window_.firingBand();
  verdict_ = {.value = depth,
              .band = band,
              .firing = band > 0,
              .stale = false,
              .quiet = window_.quiet(depth)};
  if (verdict_.quiet) {
    deepSince_.reset();
  } else if (!deepSince_) {
    deepSince_ = now - sample->elapsed;
  }
  return verdict_;
}

std::string CpuDetector::explainKinds() const {
  double waited = 0;
  double ran = 0;
  for (const KindSums& sums : kinds_) {
    waited += sums.waited.value();
    ran += sums.ran.value();
  }
  std::string sentence;
  char text[128];
  if (waited > 0) {
    const auto& application = kinds_[static_cast<std::size_t>(ThreadKind::kApplication)];
    std::snprintf(text, sizeof text, "%.0f %% of the wait is in application threads; ",
                  100 * application.waited.value() / waited);
    sentence += text;
  }
  const auto name = [&](ThreadKind kind, const char* who) {
    const double share = ran > 0 ? kinds_[static_cast<std::size_t>(kind)].ran.value() / ran : 0;
    if (share >= kWorthNaming) {
      std::snprintf(text, sizeof text,
                    "%s has %.0f %% of its CPU time, waits for it do not count; ", who,
                    100 * share);
      sentence += text;
    }
  };
  name(ThreadKind::kCollector, "the garbage collector");
  name(ThreadKind::kCompiler, "the JIT compiler");
  return sentence;
}

std::string CpuDetector::explain() const {
  if (verdict_.stale) {
    return "no data on the run queues";
  }
  char text[128];
  std::snprintf(text, sizeof text, "run queue %.1f threads deep per CPU on %.2f CPUs",
                verdict_.value, effectiveCpus_);
  std::string sentence = text;
  if (deepSince_) {
    std::snprintf(text, sizeof text, " for %.1f s", toSeconds(now_ - *deepSince_));
    sentence += text;
  }
  return sentence + "; " + explainKinds() + judge_.explain() + "; " +
         describeBand(window_.bands(), verdict_.band, 1, "");
}

}  // namespace hodor::detectors
