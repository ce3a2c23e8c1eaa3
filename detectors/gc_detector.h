#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/concurrent_loss.h"
#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// Share of time that the application lost to garbage collection: to stop-the-world pauses, and to
// concurrent collection what ConcurrentLoss says. A band fires when the mean over its duration is
// at or above its threshold, and half of the threshold is there without the longest pause: one long
// pause is over when it has been seen, it is not a process that keeps collecting.
class GcDetector {
 public:
  // Thresholds are shares, 0..1.
  explicit GcDetector(std::vector<Band> bands);

  // The value is the share, 0..1, over the duration of one band: the one that fires, else the one
  // that is nearest to firing. Totals that go back are stale once and then a new base.
  Verdict observe(Instant now, const std::optional<GcSample>& sample);

  // The share of the last so much time, 0..1; nothing while that is not known. At most as long as
  // the longest band.
  [[nodiscard]] std::optional<double> lost(Duration time) const;

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "share"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  struct Point {
    Instant at{};
    Duration pausedTotal{};
    std::uint64_t pausesStarted = 0;
    bool pauseRunning = false;
  };
  // Concurrent collection is known from one look at the threads to the next.
  struct Stretch {
    Instant from{};
    Instant to{};
    ConcurrentLoss loss;
  };
  // Where the stretch begins that the next look at the threads ends.
  struct Base {
    Instant at{};
    GcSample total;
  };

  // Shares of the time between `begin` and the newest point.
  struct Loss {
    double share = 0;
    double withoutLongestPause = 0;
    double paused = 0;
    double taken = 0;
    double stalled = 0;
  };
  [[nodiscard]] std::optional<Loss> lossSince(Instant begin) const;
  void addPauses(Loss& loss, Instant begin) const;
  void addConcurrent(Loss& loss, Instant begin) const;
  [[nodiscard]] bool goesBack(Instant now, const GcSample& sample) const;
  void extendStretches(Instant now, const GcSample& sample);
  void forgetOld(Instant now);
  void judge(Instant now);
  Verdict stale();
  [[nodiscard]] std::string parts() const;

  std::vector<Band> bands_;
  Duration longest_{};
  std::deque<Point> points_;
  std::deque<Stretch> stretches_;
  std::optional<Base> base_;
  Verdict verdict_;
  // The band over whose duration the value is measured, and what was lost in it.
  std::size_t explained_ = 0;
  Loss explainedLoss_;
  std::optional<HeapOccupancy> heap_;
};

}  // namespace hodor::detectors
