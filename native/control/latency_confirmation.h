#pragma once

#include <optional>
#include <string>

#include "control/load_estimate.h"
#include "detectors/time.h"

namespace hodor::control {

// Whether requests suffer: a detector that fires counts only then (option confirm=latency). Fast
// and slow moving averages of the latency, the wait for a thread included: the slow one is what is
// normal, learned in healthy times only; requests suffer while the fast one is well above it.
//
// It can refute, not prove: without an answer in the last kRecent nothing is known and a detector
// is believed. Without a baseline, in a cold JVM, requests suffer from kCold on. Not thread-safe;
// told the time.
class LatencyConfirmation {
 public:
  // The fast average is this many times the slow one: less is chance when few answers make it.
  static constexpr double kCrossing = 1.5;
  // Seconds: a tenth of what clients usually wait.
  static constexpr double kCold = 0.1;
  // Answers older than this say nothing about now.
  static constexpr Duration kRecent = std::chrono::seconds(5);
  // Seconds beyond what is normal that are slight: half of kCold, and where the gate's bands begin.
  static constexpr double kSlight = 0.05;

  struct Input {
    Instant now{};
    // Answers in this tick, and the sum of their latencies.
    std::uint64_t answers = 0;
    Duration latency{};
    // What requests that were not answered yet wait at least, in seconds: for a thread, or because
    // of what is in the server before them. 0: unknown.
    double waiting = 0;
    // Mean latency of healthy times, in seconds; absent: not learned yet.
    std::optional<double> healthyLatency;
  };

  // True: requests suffer, or nothing is known.
  bool tick(const Input& input);

  // Requests are answered, and what they wait beyond what is normal is slight: a machine that is
  // busy, as any is at nine tenths of what it can.
  [[nodiscard]] bool isSlight() const { return slight_; }

  // "latency 2.9 ms, normally 3.1 ms".
  [[nodiscard]] std::string explain() const;

 private:
  Ewma fast_{std::chrono::seconds(1)};
  std::optional<Instant> lastAnswer_;
  double now_ = 0;
  double normal_ = 0;
  bool slight_ = false;
};

}  // namespace hodor::control
