#pragma once

#include <optional>

#include "detectors/thread_times.h"
#include "detectors/time.h"

namespace hodor::detectors {

// What happened between two looks at the threads.
struct CollectionInterval {
  Duration elapsed{};
  Duration paused{};
  // See GcSample.
  Duration stallCycles{};
  std::optional<Duration> stalledThreads;
  // Absent: unknown.
  std::optional<ThreadTimesByKind> threads;
  double effectiveCpus = 1.0;
};

// Shares of the interval, 0..1, that the application lost to collection outside pauses.
struct ConcurrentLoss {
  // CPU that the collector took from threads that wanted it.
  double taken = 0;
  // Threads stuck in an allocation until the collector finds memory.
  double stalled = 0;
  // At most what the pauses left.
  double share = 0;
};

// With T the time, E the effective CPUs, all in shares of E * T, and P the share of T in pauses:
//
//   collector = CPU of the collector's threads - P     (but >= 0)
//   idle      = 1 - CPU of all threads
//   taken     = min(collector, run-queue wait of the application's threads) - idle    (but >= 0)
//   stalled   = share of T in stall cycles * collector's CPU / (collector's + application's CPU)
//               or, if it is more, with S the time that threads waited:
//               min(S / T, 1) * S / (S + the application's CPU time)
//   lost      = min(max(taken, stalled), 1 - P)
//
// taken: without the collector the application could have had its CPU time, but no more of it than
// it waited for. What was idle all the same could have served both: a collector that works hard
// while the application has all the CPU it needs takes nothing. In a pause the collector may use
// every CPU, and the pause counts by itself: so much of its CPU time is left out.
//
// stalled: a cycle that a stalled thread began is known by its cause; how many threads wait for it
// and for how long is not. Where they are stuck the collector has the CPUs for itself. Where only
// one was, for a moment, the others go on, and a long cycle that has that cause costs little. The
// share of the collector in the CPU time of both tells these apart: compared with the stalls in the
// log of ZGC on JDK 11 to 25 it is within a fifth of the mean share of the threads that waited.
// That share is what the second formula has: of the time in which threads ran or waited for memory,
// and no more than the time in which at least one of them waited. Whoever reads what they waited
// needs memory, too, and may be late.
//
// Not seen: Shenandoah's pacing, which makes threads that allocate wait up to 10 ms each, unless
// the collector also takes their CPU; relocation stalls of ZGC; caches and memory bandwidth; idle
// CPUs of ours that neighbours use. Where the CPUs are full anyway, all that a concurrent collector
// uses is taken, as with pauses.
ConcurrentLoss concurrentLoss(const CollectionInterval& interval);

}  // namespace hodor::detectors
