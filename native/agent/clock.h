#pragma once

#include <ctime>

#include "detectors/time.h"

namespace hodor::agent {

// CLOCK_MONOTONIC, as System.nanoTime() reads it.
inline Instant monotonicNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace hodor::agent
