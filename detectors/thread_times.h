#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detectors/time.h"

namespace hodor::detectors {

// Whom a thread of the process works for.
enum class ThreadKind : std::uint8_t {
  kApplication,  // everything that is none of the others
  kCollector,    // garbage collection, pauses included
  kCompiler,     // the JIT compilers and what cleans up after them
  kOther,        // the JVM's housekeeping, flight recording, this agent
};

inline constexpr std::size_t kThreadKindCount = 4;

// What threads did with their time: they ran on a CPU, or waited for one.
struct ThreadTimes {
  Duration ran{};
  Duration waited{};
};

// The same, for each kind of thread.
class ThreadTimesByKind {
 public:
  ThreadTimes& operator[](ThreadKind kind) { return times_[static_cast<std::size_t>(kind)]; }
  const ThreadTimes& operator[](ThreadKind kind) const {
    return times_[static_cast<std::size_t>(kind)];
  }

  [[nodiscard]] ThreadTimes sum() const {
    ThreadTimes sum;
    for (const ThreadTimes& times : times_) {
      sum.ran += times.ran;
      sum.waited += times.waited;
    }
    return sum;
  }

  // What was added since `earlier`.
  friend ThreadTimesByKind operator-(ThreadTimesByKind later, const ThreadTimesByKind& earlier) {
    for (std::size_t i = 0; i < kThreadKindCount; ++i) {
      later.times_[i].ran -= earlier.times_[i].ran;
      later.times_[i].waited -= earlier.times_[i].waited;
    }
    return later;
  }

 private:
  std::array<ThreadTimes, kThreadKindCount> times_{};
};

}  // namespace hodor::detectors
