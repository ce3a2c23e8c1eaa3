#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// What is known of the queue from two sides: the longer wait of the two, nothing if neither knows
// one. They do not refute each other: probes see the pools that they are sent to, requests those
// that they were handed to, and a wait that either sees is one that requests have. Where the two
// agree within a factor of 2, the pool that the probe names is taken for the requests' too.
std::optional<QueueSample> longer(std::optional<QueueSample> one, std::optional<QueueSample> other);

// How long work waits for a thread of a server's pool, in milliseconds.
class QueueDetector {
 public:
  // Thresholds in milliseconds.
  explicit QueueDetector(std::vector<Band> bands) : window_(std::move(bands)) {}

  // `elapsed`: the time that the sample stands for, usually one tick.
  Verdict observe(Instant now, Duration elapsed, const std::optional<QueueSample>& sample);

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "ms"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  BandWindow window_;
  Verdict verdict_;
  std::string pool_;
};

}  // namespace hodor::detectors
