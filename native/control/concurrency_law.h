#pragma once

#include <cstdint>
#include <optional>

#include "control/growth_trial.h"
#include "control/law_input.h"
#include "control/law_step.h"

namespace hodor::control {

// strategy=concurrency: how many requests may be in flight during an overload.
//
// Little's law gives the start (the concurrency that the present throughput needs at the latency of
// healthy times), direct signals cut it (run queue, queue wait, garbage collection), and it grows
// while requests are rejected although nothing of that speaks against more. When less arrives than
// can be served, headroom is added, so that a chance burst is not rejected by a limit made for an
// overload. Where only the latency speaks against growth, a trial tells (GrowthTrial). The "simpler
// variant" of the control-law study, section 6, and its test upwards; the constants are those of
// sections 4 and 5.
class ConcurrencyLaw {
 public:
  // The limit, in requests, or nothing while there is no overload.
  std::optional<std::uint32_t> tick(const LawInput& input);

  // Whether enough of healthy times was seen for the two below: a cold JVM's first requests say
  // nothing about what is normal.
  [[nodiscard]] bool learned() const { return healthyTicks_ >= kTicksToLearn; }
  // Mean latency in healthy times, seconds.
  [[nodiscard]] double healthyLatency() const { return healthyLatency_; }
  // Mean concurrency in healthy times.
  [[nodiscard]] double healthyInFlight() const { return healthyInFlight_.value(); }
  [[nodiscard]] const LoadEstimate& load() const { return load_; }
  // What the last tick did.
  [[nodiscard]] LawStep step() const { return step_; }
  // Requests per second that the service completes while requests are rejected, as last seen; 0:
  // never.
  [[nodiscard]] double capacity() const { return capacity_.value(); }
  // Requests beyond the limit that are let pass, as less arrives than can be served.
  [[nodiscard]] double spare() const { return spare_; }

 private:
  // Ticks with answers: 3 s of a busy service.
  static constexpr std::uint64_t kTicksToLearn = 30;
  static constexpr Duration kCapacityTime = std::chrono::seconds(2);
  static constexpr Duration kRunQueueTime = std::chrono::milliseconds(300);

  void learn(const LawInput& input);
  void engage(const LawInput& input);
  // Never raises it.
  void lower(double limit, LawStep why);
  // True if a cut large enough to end the tick was made.
  bool cut(const LawInput& input);
  void grow(const LawInput& input);
  // Growth where nothing but the latency speaks against it.
  void tryMore(const LawInput& input);
  void estimateCapacity(const LawInput& input, bool draining);
  double headroom(const LawInput& input);

  LoadEstimate load_;
  // Cold values: so low that the first real measurement replaces them.
  double healthyLatency_ = 0.0001;
  std::uint64_t healthyTicks_ = 0;
  Ewma healthyInFlight_{std::chrono::seconds(3)};
  std::optional<Instant> disengagedAt_;
  bool engaged_ = false;
  double limit_ = 0;
  double spare_ = 0;
  LawStep step_ = LawStep::kIdle;
  double referenceLatency_ = 0;
  // Requests per second that the service completes while requests are rejected: its capacity as far
  // as it can be seen. Kept while nothing is rejected.
  Ewma capacity_{kCapacityTime};
  Ewma runQueue_{kRunQueueTime};
  GrowthTrial trial_;
  // What a trial that fails goes back to.
  double beforeTrial_ = 0;
  // The last tick in which the backlog of before the limit was still there.
  Instant drainedAt_{};
  // The last tick in which requests were rejected or arrived close to the capacity.
  Instant lastPressed_{};
};

}  // namespace hodor::control
