#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "detectors/time.h"

namespace hodor::admission {

// How many requests a second pass by every limit because their path is exempt. Bounded, so that
// such a path is no way around the limit: what is beyond it is treated like any other request. Any
// thread; lock-free.
class ExemptBudget {
 public:
  // From the next request on.
  void setLimit(std::uint32_t perSecond) { limit_.store(perSecond, std::memory_order_relaxed); }

  // Whether a request of an exempt path passes; counts it either way. `now` >= 0.
  [[nodiscard]] bool take(Instant now);

  [[nodiscard]] std::uint64_t passed() const { return passed_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t beyond() const { return beyond_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> limit_{std::numeric_limits<std::uint32_t>::max()};
  // The second in the upper half, how many have passed in it in the lower.
  std::atomic<std::uint64_t> window_{0};
  std::atomic<std::uint64_t> passed_{0};
  std::atomic<std::uint64_t> beyond_{0};
};

}  // namespace hodor::admission
