#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detectors/thread_times.h"
#include "detectors/time.h"

// What the signals hand to the detectors, once a tick. A source that cannot be read hands over
// std::nullopt (stale), never a zero.
namespace hodor::detectors {

// Periods of a CPU quota in which the process wanted to run, and those of them in which the quota
// was used up before the period was over.
struct ThrottledPeriods {
  std::uint64_t periods = 0;
  std::uint64_t throttled = 0;
};

// What everybody together, this process included, did with the CPUs that this process may use.
struct MachineCpu {
  Duration busy{};
  // Taken by other guests of the same host; not part of `busy`.
  Duration stolen{};
  int cpus = 0;
};

// Who got the CPU time. Absent parts could not be read.
struct CpuShares {
  Duration elapsed{};
  double effectiveCpus = 1.0;
  // Used by this process.
  std::optional<Duration> own;
  std::optional<MachineCpu> machine;
  std::optional<ThrottledPeriods> quota;
};

struct CpuSample {
  // What the threads of this process did since the last sample.
  ThreadTimesByKind threads;
  // Time since the last sample; sweeps are rarer when nothing suggests that they matter.
  Duration elapsed{};
  // CPUs this process may use: affinity and quota, fractions kept. > 0.
  double effectiveCpus = 1.0;
  // With some of the samples, with an elapsed time of its own.
  std::optional<CpuShares> shares;
};

struct HeartbeatSample {
  // Worst overshoot of the beats that ended since the last sample, or of the one still sleeping.
  Duration worstOvershoot{};
};

// How much of a part of the heap was in use after the last collection.
struct HeapOccupancy {
  // The old generation, as a share of what it may grow to; else the heap as a whole.
  bool oldGeneration = false;
  double share = 0;
};

// Totals since the start of the agent; they never go backwards.
struct GcSample {
  // Stop-the-world time, the part of a running pause that has passed included.
  Duration pausedTotal{};
  std::uint64_t pausesStarted = 0;
  bool pauseRunning = false;
  // Time of the collections that a thread began because it found no memory and had to wait.
  Duration stallCyclesTotal{};
  // Time that threads waited in allocations, all threads together; absent: not known that well.
  std::optional<Duration> stalledThreadsTotal;
  // What the threads did up to `threadsReadAt`; absent: unknown.
  std::optional<ThreadTimesByKind> threads;
  Instant threadsReadAt{};
  // CPUs this process may use, see CpuSample.
  double effectiveCpus = 1.0;
  // Absent: this JVM does not say.
  std::optional<HeapOccupancy> heap;
};

struct QueueSample {
  // Wait for a thread of a server's pool; of work that waits still, its age (a lower bound).
  Duration wait{};
  // Which pool, by name; empty: not known, requests said so themselves.
  std::string pool;
};

// What waits in the kernel to be read by the servers of this process, as of the last look.
struct UnreadSample {
  // How long ago data last arrived, for each connection with something unread; the oldest first.
  std::vector<Duration> ages;
  // One connection in so many was looked at: the number of ages is to be multiplied by it. >= 1.
  double scale = 1;
  // Connections to our listeners that are open.
  double connections = 0;
  // Connections that nobody has accepted yet; not among `connections`.
  std::uint64_t acceptQueue = 0;
  // For how long there has been one at every look. None waits longer; how long they do is unknown.
  Duration acceptQueueFor{};
};

}  // namespace hodor::detectors
