#pragma once

#include <array>
#include <cstdint>

#include "control/cause.h"
#include "detectors/time.h"
#include "detectors/verdict.h"

namespace hodor::control {

// One verdict for each cause; the one for kNone is not used.
using Verdicts = std::array<detectors::Verdict, kCauseCount>;

// Combines the verdicts: the worst firing one wins. An overload ends only after kDwell in which no
// detector fired, each was quiet (below its recovery threshold) and nothing was rejected, so the
// state cannot flap. A stale verdict is unknown: it neither starts nor prolongs an overload.
class OverloadState {
 public:
  static constexpr Duration kDwell = std::chrono::seconds(5);

  // `rejecting`: a request was rejected, or would have been, since the last tick.
  void tick(Instant now, const Verdicts& verdicts, bool rejecting);

  [[nodiscard]] bool overloaded() const { return overloaded_; }
  [[nodiscard]] Cause cause() const { return cause_; }
  // When the present state began.
  [[nodiscard]] Instant since() const { return since_; }
  // How often an overload began or ended.
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }

 private:
  bool overloaded_ = false;
  Cause cause_ = Cause::kNone;
  int band_ = 0;
  Instant since_{};
  Instant lastSign_{};
  std::uint64_t transitions_ = 0;
};

}  // namespace hodor::control
