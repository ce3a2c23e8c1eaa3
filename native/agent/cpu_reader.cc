#include "agent/cpu_reader.h"

#include <algorithm>

#include "signals/affinity.h"

namespace hodor::agent {

namespace {

using detectors::ThreadKind;

std::optional<Duration> difference(const std::optional<Duration>& later,
                                   const std::optional<Duration>& earlier) {
  return later && earlier ? std::optional(*later - *earlier) : std::nullopt;
}

}  // namespace

void CpuReader::readCapacity(Instant now, Duration period) {
  if (lastCapacity_ && now - *lastCapacity_ < period) {
    return;
  }
  lastCapacity_ = now;
  const auto cpus = capacity_.read();
  judge_(capacityHealth_, cpus.has_value(), capacity_.lastError());
  effectiveCpus_ = cpus.value_or(effectiveCpus_);
}

double CpuReader::takeUse(Instant now) { return use_.takeShare(now, effectiveCpus_).value_or(0); }

detectors::ThreadTimesByKind CpuReader::withShortLived(detectors::ThreadTimesByKind threads,
                                                       const std::optional<Duration>& used) const {
  // Threads that ended before they were seen were the application's: JVMs start theirs rarely.
  if (used) {
    detectors::ThreadTimes& application = threads[ThreadKind::kApplication];
    application.ran += std::max(*used - threads.sum().ran, Duration::zero());
  }
  return threads;
}

std::optional<detectors::CpuSample> CpuReader::sweep(Instant now, Duration sharesPeriod) {
  const auto threads = runQueue_.read();
  judge_(runQueueHealth_, threads.has_value(), runQueue_.lastError());
  const auto used = signals::ProcessCpuSource::readProcessClock();
  const auto shares = takeShares(now, sharesPeriod, used);  // the first sweep lays their base, too
  std::optional<detectors::CpuSample> sample;
  if (threads && lastThreads_ && lastSweep_ && now > *lastSweep_) {
    sample.emplace();
    sample->elapsed = now - *lastSweep_;
    sample->effectiveCpus = effectiveCpus_;
    sample->threads = withShortLived(*threads - *lastThreads_, difference(used, lastUsed_));
    sample->shares = shares;
  }
  depth_ =
      sample ? toSeconds(sample->threads.sum().waited) / toSeconds(sample->elapsed) / effectiveCpus_
             : 0;
  lastThreads_ = threads;
  lastUsed_ = used;
  lastSweep_ = now;
  return sample;
}

std::optional<detectors::CpuShares> CpuReader::takeShares(Instant now, Duration period,
                                                          const std::optional<Duration>& used) {
  if (lastShares_ && now - *lastShares_ < period) {
    return std::nullopt;
  }
  const auto affine = signals::readAffinity();
  const auto machine = affine ? machine_.take(*affine) : std::nullopt;
  judge_(machineHealth_, machine.has_value(),
         affine ? machine_.lastError() : std::string("the CPU affinity cannot be read"));
  const auto quota = throttling_.take(now);
  judge_(throttlingHealth_, quota.has_value(), throttling_.lastError());
  std::optional<detectors::CpuShares> shares;
  if (lastShares_) {
    shares = {.elapsed = now - *lastShares_,
              .effectiveCpus = effectiveCpus_,
              .own = difference(used, lastSharesUsed_),
              .machine = machine,
              .quota = quota};
  }
  lastShares_ = now;
  lastSharesUsed_ = used;
  return shares;
}

}  // namespace hodor::agent
