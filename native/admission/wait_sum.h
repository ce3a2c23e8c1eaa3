#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "detectors/time.h"

namespace hodor::admission {

// Waits and their number in one word, so that one addition records a wait and one load sees both:
// microseconds in the upper 40 bits, the number in the lower 24. Sums of words are sums of waits.
// Both parts wrap, and the difference of two sums is right all the same, unless more than 16
// million waits or 300 hours of them lie between.
struct WaitSum {
  static constexpr int kCountBits = 24;

  std::uint64_t word = 0;

  static constexpr WaitSum of(Duration wait) {
    constexpr Duration kLongest = std::chrono::hours(24);
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
        std::clamp(wait, Duration::zero(), kLongest));
    return {(static_cast<std::uint64_t>(micros.count()) << kCountBits) + 1};
  }

  [[nodiscard]] constexpr std::uint64_t count() const {
    return word & ((std::uint64_t{1} << kCountBits) - 1);
  }
  // Zero if there is none.
  [[nodiscard]] constexpr Duration mean() const {
    return count() == 0 ? Duration::zero()
                        : Duration(std::chrono::microseconds(word >> kCountBits)) /
                              static_cast<std::int64_t>(count());
  }

  constexpr WaitSum operator-(WaitSum before) const { return {word - before.word}; }
};

}  // namespace hodor::admission
