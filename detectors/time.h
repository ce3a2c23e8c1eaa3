#pragma once

#include <chrono>

namespace hodor {

// A point on the monotonic clock, counted from an arbitrary origin. Pure code is told the time;
// only sources and threads read a clock.
using Instant = std::chrono::nanoseconds;
using Duration = std::chrono::nanoseconds;

// Seconds as a floating-point number, for arithmetic on rates.
constexpr double toSeconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace hodor
