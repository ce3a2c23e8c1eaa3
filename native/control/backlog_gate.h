#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "control/load_estimate.h"
#include "detectors/time.h"

namespace hodor::control {

// Sees a sudden overload before run queues and probes do: what is in flight already takes longer
// than clients usually wait. The fastest band of the gate in control-law.md, section 4: excess
// (in-flight / best recent throughput - healthy latency) above 500 ms in two ticks, with evidence
// that the service itself is the bottleneck, and not while the backlog drains (a pause or a burst
// that is over).
class BacklogGate {
 public:
  // Half of the usual client deadline of 1 s.
  static constexpr Duration kExcess = std::chrono::milliseconds(500);

  struct Input {
    std::int64_t inFlight = 0;
    double effectiveCpus = 1;
    // What is normal, learned in healthy times: requests in flight, seconds.
    double healthyInFlight = 1;
    double healthyLatency = 0;
    // Requests per second.
    double bestThroughput = 0;
    // The CPUs are busy, threads wait for a CPU, or work waits for a thread.
    bool evidence = false;
  };

  // True: overloaded now.
  bool tick(const Input& input);

  // Seconds that the requests in flight take beyond what is normal; 0 if that is not known.
  [[nodiscard]] double excess() const { return excess_; }

 private:
  double excess_ = 0;
  int ticksAbove_ = 0;
  // In flight one and two ticks ago.
  std::array<std::int64_t, 2> before_{};
};

}  // namespace hodor::control
