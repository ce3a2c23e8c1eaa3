#include "options/band_text.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "options/value_text.h"

namespace hodor::options {

namespace {

using detectors::Band;
using std::chrono::milliseconds;

constexpr std::size_t kMostBands = 8;
constexpr milliseconds kShortest{100};
constexpr milliseconds kLongest{60'000};

std::optional<double> parseMillis(std::string_view text) {
  const auto duration = parseDuration(text);
  return duration ? std::optional(static_cast<double>(duration->count())) : std::nullopt;
}

std::string formatMillis(double millis) {
  return formatDuration(milliseconds{std::lround(millis)});
}

std::optional<std::string> parseBand(std::string_view text, const ThresholdText& threshold,
                                     Band& band) {
  const auto parts = split(text, ':');
  if (parts.size() != 2) {
    return "is not threshold:duration";
  }
  const auto value = threshold.parse(parts[0]);
  if (!value || !(*value >= threshold.lowest && *value <= threshold.highest)) {
    return std::string("has no threshold of ").append(threshold.accepted);
  }
  const auto duration = parseDuration(parts[1]);
  if (!duration || *duration < kShortest || *duration > kLongest) {
    return "has no duration of 100ms to 1m";
  }
  band = Band{*value, *duration};
  return std::nullopt;
}

}  // namespace

const ThresholdText kCpuThreshold = {parseNumber, formatNumber, 0.1, 10'000, "0.1 to 10000"};
const ThresholdText kGcThreshold = {parseShare, formatShare, 0.001, 1, "0.1% to 100%"};
const ThresholdText kQueueThreshold = {parseMillis, formatMillis, 1, 60'000, "1ms to 1m"};

std::optional<std::string> parseBands(std::string_view text, const ThresholdText& threshold,
                                      std::vector<Band>& bands) {
  std::vector<Band> parsed;
  for (const std::string_view part : split(text, '+')) {
    if (parsed.size() == kMostBands) {
      return "more than 8 bands";
    }
    Band band{};
    if (const auto problem = parseBand(part, threshold, band)) {
      return std::string("band ").append(quote(part)).append(" ").append(*problem);
    }
    if (!parsed.empty() && !(band.threshold > parsed.back().threshold)) {
      return std::string("band ")
          .append(quote(part))
          .append(" does not have a higher threshold than the one before it");
    }
    parsed.push_back(band);
  }
  bands = std::move(parsed);
  return std::nullopt;
}

std::string formatBands(const std::vector<Band>& bands, const ThresholdText& threshold) {
  std::string text;
  for (const Band& band : bands) {
    text.append(text.empty() ? "" : "+")
        .append(threshold.format(band.threshold))
        .append(":")
        .append(formatDuration(band.duration));
  }
  return text;
}

}  // namespace hodor::options
