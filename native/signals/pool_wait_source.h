#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// The wait for a thread of the server's pools: by a probe task, of which each pool has one at a
// time, and by the exact waits of requests where they are known. Java threads hand in, with
// arguments that are not to be trusted; the control thread takes.
class PoolWaitSource {
 public:
  static constexpr int kMostPools = 16;

  // The id of the new pool, 0..15, or -1 if there are too many.
  int watch();
  void unwatch(int id);
  // Just before the probe is handed to the pool, and first thing when it runs.
  void probeSubmitted(int id, Instant now);
  void probeStarted(int id, Instant now);
  // How long one request waited for its thread.
  void recordWait(Duration wait);

  [[nodiscard]] int watched() const { return watched_.load(std::memory_order_relaxed); }
  // Calls with arguments that cannot be.
  [[nodiscard]] std::uint64_t invalid() const { return invalid_.load(std::memory_order_relaxed); }

  // The largest of: the age of a probe that still waits (a lower bound), the wait of one that ended
  // since the last call, the mean wait of the requests that started since then. Nothing if no pool
  // is watched and no request ever said how long it waited.
  std::optional<detectors::QueueSample> take(Instant now);

 private:
  static constexpr std::int64_t kNone = -1;
  static constexpr int kCountBits = 24;
  // Longer waits are nonsense.
  static constexpr Duration kLongestWait = std::chrono::hours(24);

  struct Pool {
    std::atomic<bool> used{false};
    std::atomic<std::int64_t> submittedAt{kNone};
    std::atomic<std::int64_t> endedWait{kNone};
  };

  Pool* find(int id);
  // Nanoseconds; 0 if no request has started since the last call.
  std::int64_t takeMeanWait();
  // False, and counted, if nobody can have waited that long.
  bool plausible(std::int64_t nanos);

  std::array<Pool, kMostPools> pools_;
  std::atomic<int> watched_{0};
  std::atomic<std::uint64_t> invalid_{0};
  // Microseconds waited (upper 40 bits) and the number of waits (lower 24), in one word, so that
  // one addition records a wait and one load sees both. Both wrap; what is new since the last call,
  // the difference, does not: it would take 16 million waits or 300 hours waited between two ticks.
  // On a line of its own: request threads write it.
  alignas(128) std::atomic<std::uint64_t> waits_{0};
  alignas(128) std::uint64_t takenWaits_ = 0;
  bool everWaited_ = false;
};

}  // namespace hodor::signals
