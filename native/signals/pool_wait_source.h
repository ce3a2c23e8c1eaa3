#pragma once

#include <array>
#include <atomic>
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
  // Longer waits are nonsense.
  static constexpr Duration kLongestWait = std::chrono::hours(24);

  struct Pool {
    std::atomic<bool> used{false};
    std::atomic<std::int64_t> submittedAt{kNone};
    std::atomic<std::int64_t> endedWait{kNone};
  };

  Pool* find(int id);
  // False, and counted, if nobody can have waited that long.
  bool plausible(std::int64_t nanos);

  std::array<Pool, kMostPools> pools_;
  std::atomic<int> watched_{0};
  std::atomic<std::uint64_t> invalid_{0};
  // On a line of their own: request threads write them.
  alignas(128) std::atomic<std::int64_t> waitNanos_{0};
  std::atomic<std::int64_t> waits_{0};
  alignas(128) std::int64_t takenNanos_ = 0;
  std::int64_t taken_ = 0;
};

}  // namespace hodor::signals
