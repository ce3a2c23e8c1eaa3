#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// The wait for a thread of each pool, by probe tasks. Java threads hand in, with arguments that are
// not to be trusted; the control thread takes.
//
// A wait begins with a first probe and ends with the first of its probes that runs: further ones
// are sent while it lasts, as a pool may have dropped those before.
class PoolWaitSource {
 public:
  static constexpr int kMostPools = 16;

  // The id of the new pool, 0..15, or -1 if there are too many. The name is for explanations; what
  // is longer than kLongestName is cut.
  int watch(std::string_view name);
  void unwatch(int id);
  // Just before a probe is handed to the pool, and first thing when it runs. `further`: the wait
  // goes on. `submitted`: when this probe was handed over.
  void probeSubmitted(int id, bool further, Instant now);
  void probeStarted(int id, Instant submitted, Instant now);
  // The probes wait though no request does: the time until now is nobody's wait.
  void nobodyWaits(int id, Instant now);

  [[nodiscard]] int watched() const { return watched_.load(std::memory_order_relaxed); }
  // Whether there ever was a pool: one that has gone has ended, or has no queue of threads.
  [[nodiscard]] bool everWatched() const { return everWatched_.load(std::memory_order_relaxed); }
  // Calls with arguments that cannot be.
  [[nodiscard]] std::uint64_t invalid() const { return invalid_.load(std::memory_order_relaxed); }

  // The longest wait of all pools: the age of one that goes on (a lower bound), or one that ended
  // since the last call. Nothing if no pool is watched.
  std::optional<detectors::QueueSample> take(Instant now);

 private:
  static constexpr std::int64_t kNone = -1;
  static constexpr std::size_t kLongestName = 120;
  // Longer waits are nonsense.
  static constexpr Duration kLongestWait = std::chrono::hours(24);

  struct Pool {
    std::atomic<bool> used{false};
    // When the wait that goes on began.
    std::atomic<std::int64_t> waitingSince{kNone};
    std::atomic<std::int64_t> endedWait{kNone};
    // What was waited before is nobody's wait.
    std::atomic<std::int64_t> idleUntil{kNone};
    // Guarded by mutex_.
    std::string name;
  };

  Pool* find(int id);
  Duration takeWait(Pool& pool, Instant now);
  // False, and counted, if no probe of ours can have been handed over then.
  bool plausible(Instant submitted, Instant now);

  std::array<Pool, kMostPools> pools_;
  std::atomic<int> watched_{0};
  std::atomic<bool> everWatched_{false};
  std::atomic<std::uint64_t> invalid_{0};
  std::mutex mutex_;
};

}  // namespace hodor::signals
