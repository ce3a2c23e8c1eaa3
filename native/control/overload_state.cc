#include "control/overload_state.h"

#include <cstddef>

namespace hodor::control {

void OverloadState::tick(Instant now, const Verdicts& verdicts, bool rejecting) {
  Cause worst = Cause::kNone;
  int worstBand = 0;
  bool quiet = true;
  for (std::size_t i = 1; i < kCauseCount; ++i) {
    const detectors::Verdict& verdict = verdicts[i];
    if (verdict.firing && verdict.band >= worstBand) {
      worst = static_cast<Cause>(i);
      worstBand = verdict.band;
    }
    quiet = quiet && (verdict.quiet || verdict.stale);
  }
  const bool firing = worst != Cause::kNone;
  if (firing && !overloaded_) {
    overloaded_ = true;
    since_ = now;
    ++transitions_;
    cause_ = worst;
    band_ = worstBand;
  } else if (firing && (worstBand > band_ || !verdicts[static_cast<std::size_t>(cause_)].firing)) {
    // The name changes only for something worse, or when the first cause is gone.
    cause_ = worst;
    band_ = worstBand;
  }
  if (firing || !quiet || rejecting) {
    lastSign_ = now;
  }
  if (overloaded_ && now - lastSign_ >= kDwell) {
    overloaded_ = false;
    since_ = now;
    ++transitions_;
    cause_ = Cause::kNone;
    band_ = 0;
  }
}

}  // namespace hodor::control
