#include "detectors/concurrent_loss.h"

#include <algorithm>
#include <cmath>

namespace hodor::detectors {

namespace {

double shareOf(Duration part, double whole) { return std::max(toSeconds(part) / whole, 0.0); }

}  // namespace

ConcurrentLoss concurrentLoss(const CollectionInterval& interval) {
  ConcurrentLoss loss;
  if (interval.elapsed <= Duration::zero()) {
    return loss;
  }
  const double seconds = toSeconds(interval.elapsed);
  const double paused = std::min(shareOf(interval.paused, seconds), 1.0);
  loss.stalled = std::min(shareOf(interval.stallCycles, seconds), 1.0);
  if (interval.threads && std::isfinite(interval.effectiveCpus) && interval.effectiveCpus > 0) {
    const double cpus = interval.effectiveCpus * seconds;
    const ThreadTimesByKind& threads = *interval.threads;
    const double collector = shareOf(threads[ThreadKind::kCollector].ran, cpus);
    const double application = shareOf(threads[ThreadKind::kApplication].ran, cpus);
    const double waited = shareOf(threads[ThreadKind::kApplication].waited, cpus);
    const double idle = std::max(1 - shareOf(threads.sum().ran, cpus), 0.0);
    const double concurrent = std::max(collector - paused, 0.0);
    loss.taken = std::clamp(std::min(concurrent, waited) - idle, 0.0, 1.0);
    loss.stalled *= collector > 0 ? collector / (collector + application) : 0;
  }
  loss.share = std::min(std::max(loss.taken, loss.stalled), 1 - paused);
  return loss;
}

}  // namespace hodor::detectors
