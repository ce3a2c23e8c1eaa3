#pragma once

#include <string>

namespace hodor::detectors {

// What a detector thinks after one sample.
struct Verdict {
  // The measured value, in the detector's unit; the last known one while stale.
  double value = 0;
  // 0: below every band. 1..n: the highest band whose duration was served.
  int band = 0;
  bool firing = false;
  // The source could not be read: unknown. A stale verdict never fires.
  bool stale = true;
  // The value is below the recovery threshold (hysteresis): nothing of this detector speaks against
  // ending an overload. True while stale, so that a lost source cannot keep an overload alive.
  bool quiet = true;
};

}  // namespace hodor::detectors
