#pragma once

#include <cstdint>
#include <string>

#include "detectors/time.h"

// What the signals hand to the detectors, once a tick. A source that cannot be read hands over
// std::nullopt (stale), never a zero.
namespace hodor::detectors {

struct CpuSample {
  // Time that threads of this process waited for a CPU since the last sample, summed over threads.
  Duration runQueueWait{};
  // Time since the last sample; sweeps are rarer when nothing suggests that they matter.
  Duration elapsed{};
  // CPUs this process may use: affinity and quota, fractions kept. > 0.
  double effectiveCpus = 1.0;
};

struct HeartbeatSample {
  // Worst overshoot of the beats that ended since the last sample, or of the one still sleeping.
  Duration worstOvershoot{};
};

// Totals since the start of the agent; they never go backwards.
struct GcSample {
  // Stop-the-world time, the part of a running pause that has passed included.
  Duration pausedTotal{};
  std::uint64_t pausesStarted = 0;
  bool pauseRunning = false;
};

struct QueueSample {
  // Wait for a thread of a server's pool; of work that waits still, its age (a lower bound).
  Duration wait{};
  // Which pool, by name; empty: not known, requests said so themselves.
  std::string pool;
};

}  // namespace hodor::detectors
