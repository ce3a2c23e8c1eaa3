#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "agent/source_health.h"
#include "detectors/samples.h"
#include "signals/cgroup_throttle_source.h"
#include "signals/effective_cpus_source.h"
#include "signals/machine_cpu_source.h"
#include "signals/process_cpu_source.h"
#include "signals/run_queue_source.h"

namespace hodor::agent {

// Reads what is known of the CPUs: how many there are, how much of them is used, who waits for them
// and who has them. Each part costs more than the one before and is asked for by itself. Not
// thread-safe.
class CpuReader {
 public:
  explicit CpuReader(SourceJudge judge) : judge_(std::move(judge)) {}

  // Affinity and quota, if they were not read within `period`.
  void readCapacity(Instant now, Duration period);
  [[nodiscard]] double effectiveCpus() const { return effectiveCpus_; }

  // Share of the effective CPUs that the process used since the last call; 0 if it is unknown.
  double takeUse(Instant now);

  // Reads the run queues of all threads. Nothing if they cannot be read, and the first time, which
  // only lays the base. Who has the CPU is read as well, if it was not within `sharesPeriod`.
  std::optional<detectors::CpuSample> sweep(Instant now, Duration sharesPeriod);
  [[nodiscard]] const std::optional<Instant>& lastSweep() const { return lastSweep_; }
  // What the threads of each kind have done until the last sweep; nothing if it failed.
  [[nodiscard]] const std::optional<detectors::ThreadTimesByKind>& threads() const {
    return lastThreads_;
  }
  // Threads that waited per CPU, all kinds of them, as the last sweep found; 0 if it is unknown.
  [[nodiscard]] double depth() const { return depth_; }

 private:
  // `used`: CPU time of the process until now.
  std::optional<detectors::CpuShares> takeShares(Instant now, Duration period,
                                                 const std::optional<Duration>& used);
  [[nodiscard]] detectors::ThreadTimesByKind withShortLived(
      detectors::ThreadTimesByKind threads, const std::optional<Duration>& used) const;

  SourceJudge judge_;
  signals::EffectiveCpusSource capacity_;
  signals::ProcessCpuSource use_;
  signals::RunQueueSource runQueue_;
  signals::CgroupThrottleSource throttling_;
  signals::MachineCpuSource machine_;
  SourceHealth capacityHealth_{"CPU affinity and quota"};
  SourceHealth runQueueHealth_{"run-queue wait of the threads"};
  static constexpr std::string_view kNoBlame = "an overload of the CPU is not blamed on anybody";
  SourceHealth throttlingHealth_{"throttling by the CPU quota", kNoBlame};
  SourceHealth machineHealth_{"CPU use of the machine", kNoBlame};

  double effectiveCpus_ = 1;
  std::optional<Instant> lastCapacity_;
  std::optional<Instant> lastSweep_;
  std::optional<detectors::ThreadTimesByKind> lastThreads_;
  std::optional<Duration> lastUsed_;
  double depth_ = 0;
  std::optional<Instant> lastShares_;
  std::optional<Duration> lastSharesUsed_;
};

}  // namespace hodor::agent
