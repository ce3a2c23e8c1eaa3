#include "detectors/bands.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace hodor::detectors {

namespace {

// Bands of up to this duration allow no exception.
constexpr Duration kStrict = std::chrono::seconds(2);
constexpr double kAllowedShare = 28.0 / 30.0;
// Two values belong together if no more than this lies between them: ticks carry some jitter.
constexpr Duration kJoint = std::chrono::milliseconds(50);
// Memory stays bounded whatever the ticks do. Bands are at most 1 m long, 600 ticks; with more
// values the longest band is not known to its full duration and does not fire.
constexpr std::size_t kMostValues = 4096;

}  // namespace

BandWindow::BandWindow(std::vector<Band> bands) : bands_(std::move(bands)) {
  for (const Band& band : bands_) {
    longest_ = std::max<Duration>(longest_, band.duration);
  }
}

void BandWindow::record(Instant now, Duration elapsed, double value) {
  if (elapsed <= Duration::zero()) {
    return;
  }
  const Instant from = now - elapsed;
  if (!values_.empty() && (now <= values_.back().to || from < values_.back().from ||
                           from > values_.back().to + kJoint)) {
    values_.clear();
  }
  values_.push_back({values_.empty() ? from : values_.back().to, now, value});
  while (!values_.empty() &&
         (values_.size() > kMostValues || values_.front().to <= now - longest_)) {
    values_.pop_front();
  }
}

bool BandWindow::fulfilled(const Band& band) const {
  if (values_.empty()) {
    return false;
  }
  const Instant end = values_.back().to;
  const Instant begin = end - band.duration;
  if (values_.front().from > begin) {
    return false;  // not known for long enough
  }
  Duration above{};
  for (auto it = values_.rbegin(); it != values_.rend() && it->to > begin; ++it) {
    if (it->value >= band.threshold) {
      above += it->to - std::max(it->from, begin);
    }
  }
  const double needed = band.duration <= kStrict ? 1.0 : kAllowedShare;
  // Half a nanosecond of tolerance, against the rounding of the product.
  return static_cast<double>(above.count()) + 0.5 >=
         needed * static_cast<double>(Duration(band.duration).count());
}

int BandWindow::firingBand() const {
  for (std::size_t i = bands_.size(); i > 0; --i) {
    if (fulfilled(bands_[i - 1])) {
      return static_cast<int>(i);
    }
  }
  return 0;
}

bool BandWindow::quiet(double value) const {
  return bands_.empty() || value < kRecoveryShare * bands_.front().threshold;
}

std::string describeBand(const std::vector<Band>& bands, int firing, double scale,
                         const char* unit) {
  if (bands.empty()) {
    return "no band is set";
  }
  const auto index = static_cast<std::size_t>(std::max(firing, 1)) - 1;
  const Band& band = bands[std::min(index, bands.size() - 1)];
  const double seconds = toSeconds(band.duration);
  char text[128];
  if (firing > 0) {
    std::snprintf(text, sizeof text, "band %d of %zu (%g%s for %g s) fires", firing, bands.size(),
                  band.threshold * scale, unit, seconds);
  } else {
    std::snprintf(text, sizeof text, "fires from %g%s for %g s", band.threshold * scale, unit,
                  seconds);
  }
  return text;
}

}  // namespace hodor::detectors
