#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "detectors/time.h"

namespace hodor::detectors {

// One severity band: the value has been at or above `threshold` for `duration`.
struct Band {
  double threshold = 0;
  std::chrono::milliseconds duration{};

  bool operator==(const Band&) const = default;
};

// A detector is quiet below this share of its first threshold: the hysteresis.
inline constexpr double kRecoveryShare = 0.7;

// Keeps the recent values and says which bands they fulfil. Bands of up to 2 s need the value above
// the threshold for the whole of their duration, longer ones for 28/30 of it (one late tick in 15
// does not hide an overload); both weigh values by the time that they stand for, so irregular ticks
// make no difference. Time without a value is unknown: the window starts afresh after it.
class BandWindow {
 public:
  // `bands` sorted by threshold, ascending.
  explicit BandWindow(std::vector<Band> bands);

  // `value` held during the `elapsed` time before `now`. A value whose time does not join on to the
  // last one, or goes back behind it, starts the window afresh.
  void record(Instant now, Duration elapsed, double value);
  // The value is unknown: everything before is forgotten.
  void clear() { values_.clear(); }

  // 1..n: the highest band fulfilled; 0: none.
  [[nodiscard]] int firingBand() const;
  [[nodiscard]] bool quiet(double value) const;
  [[nodiscard]] const std::vector<Band>& bands() const { return bands_; }

 private:
  struct Value {
    Instant from{};
    Instant to{};
    double value = 0;
  };

  [[nodiscard]] bool fulfilled(const Band& band) const;

  std::vector<Band> bands_;
  Duration longest_{};
  std::deque<Value> values_;
};

// "band 2 (10 for 2 s) fires", or what the first band would need. `scale` turns a threshold into
// the unit of the sentence.
std::string describeBand(const std::vector<Band>& bands, int firing, double scale,
                         const char* unit);

}  // namespace hodor::detectors
