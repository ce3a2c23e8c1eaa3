#pragma once

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

  Verdict observe(Instant now, const std::optional<GcSample>& sample);

  // The value is the share of the band that is nearest to its threshold (or furthest above).
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "share"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  struct Point {
    Instant at{};
    GcSample total;
  };

  // What was lost between `begin` and the newest point.
  struct Loss {
    double share = 0;
    std::uint64_t pauses = 0;
  };
  [[nodiscard]] std::optional<Loss> lossSince(Instant begin) const;

  std::vector<Band> bands_;
  Duration longest_{};
  std::deque<Point> points_;
  Verdict verdict_;
};

}  // namespace hodor::detectors
