#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"

// Severity bands as text: threshold:duration, joined by '+', thresholds rising. Pure.
namespace hodor::options {

// How the thresholds of one detector are written and what they may be.
struct ThresholdText {
  std::optional<double> (*parse)(std::string_view);
  std::string (*format)(double);
  double lowest;
  double highest;
  std::string_view accepted;
};

// Threads per CPU; share of time 0..1 as %; milliseconds as a duration.
extern const ThresholdText kCpuThreshold;
extern const ThresholdText kGcThreshold;
extern const ThresholdText kQueueThreshold;

// What is wrong, or nothing and `bands` is set.
std::optional<std::string> parseBands(std::string_view text, const ThresholdText& threshold,
                                      std::vector<detectors::Band>& bands);
std::string formatBands(const std::vector<detectors::Band>& bands, const ThresholdText& threshold);

}  // namespace hodor::options
