#include "detectors/concurrent_loss.h"

#include <algorithm>
#include <cmath>

namespace hodor::detectors {

namespace {

// Shares of the effective CPUs' time.
struct CpuUse {
  double collector = 0;
  double application = 0;
  double waited = 0;
  double idle = 0;
};

double shareOf(Duration part, double whole) { return std::max(toSeconds(part) / whole, 0.0); }

std::optional<CpuUse> cpuUse(const CollectionInterval& interval, double cpuSeconds) {
  if (!interval.threads || !std::isfinite(cpuSeconds) || cpuSeconds <= 0) {
    return std::nullopt;
  }
  const ThreadTimesByKind& threads = *interval.threads;
  return CpuUse{shareOf(threads[ThreadKind::kCollector].ran, cpuSeconds),
                shareOf(threads[ThreadKind::kApplication].ran, cpuSeconds),
                shareOf(threads[ThreadKind::kApplication].waited, cpuSeconds),
                std::max(1 - shareOf(threads.sum().ran, cpuSeconds), 0.0)};
}

double partOf(double part, double others) { return part > 0 ? part / (part + others) : 0; }

// `stuck`: shares of the time of all CPUs in which what the stalls stand for was active.
double stalled(Duration stalls, double seconds, double stuck, const std::optional<CpuUse>& use) {
  const double share = std::min(shareOf(stalls, seconds), 1.0);
  return use ? share * partOf(stuck, use->application) : share;
}

}  // namespace

ConcurrentLoss concurrentLoss(const CollectionInterval& interval) {
  ConcurrentLoss loss;
  if (interval.elapsed <= Duration::zero()) {
    return loss;
  }
  const double seconds = toSeconds(interval.elapsed);
  const double cpuSeconds = interval.effectiveCpus * seconds;
  const double paused = std::min(shareOf(interval.paused, seconds), 1.0);
  const std::optional<CpuUse> use = cpuUse(interval, cpuSeconds);
  if (use) {
    const double concurrent = std::max(use->collector - paused, 0.0);
    loss.taken = std::clamp(std::min(concurrent, use->waited) - use->idle, 0.0, 1.0);
  }
  loss.stalled = stalled(interval.stallCycles, seconds, use ? use->collector : 0, use);
  if (interval.stalledThreads) {
    const Duration threads = *interval.stalledThreads;
    loss.stalled =
        std::max(loss.stalled, stalled(threads, seconds, shareOf(threads, cpuSeconds), use));
  }
  loss.share = std::min(std::max(loss.taken, loss.stalled), 1 - paused);
  return loss;
}

}  // namespace hodor::detectors
