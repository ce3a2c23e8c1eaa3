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

// A value of one moment, such as a wait or a backlog, stands for the time since the one before. If
// that is longer than this, the process may have been stopped in between, and what it finds then
// was not there all the time: only what both values say counts.
inline constexpr Duration kLateSample = std::chrono::milliseconds(300);

}  // namespace hodor
