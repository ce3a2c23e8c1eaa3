#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "detectors/momentary_value.h"
#include "detectors/time.h"

namespace hodor::control {

// Times under load in which nothing stirs. A control tick that interrupts a busy CPU costs its
// requests several times the CPU time that it uses itself, so in such times ticks are further
// apart, while the heartbeat, which wakes up anyway, looks whether an overload may begin.
class Calm {
 public:
  // So short that nothing takes such a tick for one that came late.
  static constexpr Duration kPeriod = std::chrono::milliseconds(250);
  static_assert(kPeriod < detectors::MomentaryValue::kLate);
  // A beat later than this is a hint that somebody does not get the CPU.
  static constexpr Duration kLateBeat = std::chrono::milliseconds(5);

  // What has the next tick come soon, on the thread of the beat: it must neither block nor throw.
  // Once, before the first tick().
  void onEnd(std::function<void()> wake) { wake_ = std::move(wake); }

  // After each tick, by the control thread. `stirs`: something is not as in healthy times.
  // `inFlight`: the requests in flight in healthy times. Returns whether the next tick may wait for
  // kPeriod.
  bool tick(Instant now, bool stirs, double inFlight, double effectiveCpus) {
    if (stirs) {
      since_.reset();
    } else if (!since_) {
      since_ = now;
    }
    const bool calm = since_ && now - *since_ >= kPatience;
    most_.store(calm ? mostInFlight(inFlight, effectiveCpus) : kAny, std::memory_order_relaxed);
    return calm;
  }

  // At each beat, by its thread.
  void look(std::int64_t inFlight, Duration late) {
    const std::int64_t most = most_.load(std::memory_order_relaxed);
    if (most != kAny && (inFlight > most || late > kLateBeat)) {
      most_.store(kAny, std::memory_order_relaxed);
      wake_();
    }
  }

 private:
  static constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  static constexpr Duration kPatience = std::chrono::seconds(1);
  // No more than what the overload gate takes for many.
  static constexpr double kNormalInFlight = 2;
  static constexpr double kNormalPerCpu = 2;

  static std::int64_t mostInFlight(double inFlight, double effectiveCpus) {
    return static_cast<std::int64_t>(
        std::max(kNormalInFlight * inFlight, kNormalPerCpu * effectiveCpus));
  }

  std::optional<Instant> since_;
  std::atomic<std::int64_t> most_{kAny};
  std::function<void()> wake_;
};

}  // namespace hodor::control
