#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// Share of time that the application lost to stop-the-world collection. A band fires when the mean
// over its duration is at or above its threshold and at least two pauses touch it: one long pause
// is over when it has been seen, it is not a process that keeps collecting.
class GcDetector {
 public:
  // Thresholds are shares, 0..1.
  explicit GcDetector(std::vector<Band> bands);

  // The value is the share, 0..1, over the duration of one band: the one that fires, else the one
  // that is nearest to firing. Totals that go back are stale once and then a new base.
  Verdict observe(Instant now, const std::optional<GcSample>& sample);

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "share"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  struct Point {
    Instant at{};
    GcSample total;
  };

  // Shares of the time between `begin` and the newest point.
  struct Loss {
    double share = 0;
    double shareWithoutLongest = 0;
  };
  [[nodiscard]] std::optional<Loss> lossSince(Instant begin) const;
  void judge(Instant now);
  Verdict stale();

  std::vector<Band> bands_;
  Duration longest_{};
  std::deque<Point> points_;
  Verdict verdict_;
  // The band over whose duration the value is measured.
  std::size_t explained_ = 0;
};

}  // namespace hodor::detectors
