#pragma once

#include <cstdint>
#include <optional>

#include "detectors/time.h"

namespace hodor::control {

// Whether a higher limit would serve more, where the latency alone speaks against it: a downstream
// that became slower makes each request slow, and the limit of before may leave it half used. Only
// a trial tells: more in flight for a moment, and what is completed then. Control-law.md, section
// 5.4, UP; its constants.
//
// Not thread-safe; told the time.
class GrowthTrial {
 public:
  // A trial raises the limit by this.
  static constexpr double kFactor = 1.3;

  enum class Verdict : std::uint8_t { kWait, kRaise, kKeep, kRestore };

  struct Input {
    Instant now{};
    Duration elapsed{};   // since the last tick, > 0
    double inFlight = 0;  // time average over the tick
    double completions = 0;
    double sojourn = 0;  // seconds that a request takes
  };

  // To be called in each tick in which nothing but the latency speaks against a higher limit.
  // kRaise: the limit is to be raised by kFactor; kKeep, kRestore: how that ended.
  Verdict tick(const Input& input);

  // A raised limit has to be taken back before it was measured, as something else speaks against it
  // now. Counts as a trial that gained nothing.
  void fail(Instant now);
  // What was measured says nothing any more: the limit was changed for another reason.
  void abandon();
  // As in the beginning.
  void reset() { *this = GrowthTrial(); }

  [[nodiscard]] bool raised() const {
    return phase_ == Phase::kSettling || phase_ == Phase::kAfter;
  }

 private:
  enum class Phase : std::uint8_t { kBefore, kSettling, kAfter };

  static constexpr Duration kFirstBackOff = std::chrono::seconds(2);

  // Means over some time.
  struct Epoch {
    Duration elapsed{};
    double inFlight = 0;  // integral over seconds
    double completions = 0;

    void add(const Input& input);
    [[nodiscard]] bool isLongEnough(double sojourn) const;
    [[nodiscard]] double meanInFlight() const { return inFlight / toSeconds(elapsed); }
    [[nodiscard]] double rate() const { return completions / toSeconds(elapsed); }
  };

  [[nodiscard]] bool gained() const;

  Phase phase_ = Phase::kBefore;
  Epoch before_;
  Epoch after_;
  Duration settled_{};
  Duration backOff_ = kFirstBackOff;
  std::optional<Instant> notBefore_;
};

}  // namespace hodor::control
