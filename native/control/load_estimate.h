#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detectors/time.h"

namespace hodor::control {

// Requests in one tick.
struct LoadSample {
  Duration elapsed{};             // > 0
  double inFlight = 0;            // time average over the tick
  std::int64_t inFlightNow = 0;   // at its end
  std::uint64_t arrivals = 0;     // admitted or rejected
  std::uint64_t completions = 0;  // ended after the application saw them
  Duration latency{};             // summed over the successful ones, the wait in the queue included
  std::uint64_t successes = 0;
};

// Exponentially weighted mean with a time constant, right under irregular ticks.
class Ewma {
 public:
  explicit Ewma(Duration timeConstant) : timeConstant_(timeConstant) {}
  // The first value is taken as it is.
  void add(double value, Duration elapsed);
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  Duration timeConstant_;
  double value_ = 0;
  bool empty_ = true;
};

// Throughput, arrivals and latency, smoothed. Time constants: control-law.md, section 4.
class LoadEstimate {
 public:
  void tick(const LoadSample& sample);

  // Throughput and sojourn are measured anew: what was says nothing about what is.
  void restart();

  // Completions per second (EWMA, 0.3 s).
  [[nodiscard]] double throughput() const { return throughput_.value(); }
  // Arrivals per second (EWMA, 0.3 s).
  [[nodiscard]] double arrivals() const { return arrivals_.value(); }
  // Largest mean throughput over 0.5 s in the last 3 s: what the service can do now.
  [[nodiscard]] double bestThroughput() const;
  // In-flight over throughput by Little's law, in seconds: what a newcomer waits.
  [[nodiscard]] double sojourn() const { return sojourn_.value(); }
  // Mean latency in seconds, fast (1 s) and slow (30 s); 0 before the first answer.
  [[nodiscard]] double latencyFast() const { return latencyFast_.value(); }
  [[nodiscard]] double latencySlow() const { return latencySlow_.value(); }

 private:
  struct HalfSecond {
    Duration elapsed{};
    double completions = 0;
  };

  static constexpr Duration kThroughputTime = std::chrono::milliseconds(300);
  static constexpr Duration kSojournTime = std::chrono::milliseconds(280);

  Ewma throughput_{kThroughputTime};
  Ewma arrivals_{kThroughputTime};
  Ewma sojourn_{kSojournTime};
  Ewma latencyFast_{std::chrono::seconds(1)};
  Ewma latencySlow_{std::chrono::seconds(30)};
  std::array<HalfSecond, 6> halfSeconds_{};
  std::size_t current_ = 0;
};

}  // namespace hodor::control
