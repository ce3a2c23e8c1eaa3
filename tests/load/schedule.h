#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/time.h"

namespace hodor::load {

// Requests arrive at `rate` a second (0 = silence) for `length`.
struct Segment {
  double rate;
  Duration length;
};

using Schedule = std::vector<Segment>;

inline constexpr double kMaxRate = 100'000;
inline constexpr Duration kMaxLength = std::chrono::minutes(15);

inline Duration totalLength(const Schedule& schedule) {
  Duration total{0};
  for (const Segment& segment : schedule) total += segment.length;
  return total;
}

inline Duration fromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

// A whole text as a finite number; -1 if it is not one, or negative.
inline double parseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = error == std::errc{} && end == text.data() + text.size();
  // A comparison with NaN is false, so this refuses "nan" too.
  return all && value >= 0 && value < 1e12 ? value : -1;
}

// Parses "220:10,2200:20": rate a second, then seconds, separated by commas. On failure returns an
// empty schedule and a sentence in `error`.
inline Schedule parseSchedule(std::string_view text, std::string& error) {
  Schedule schedule;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const auto colon = part.find(':');
    const double rate = parseNumber(part.substr(0, colon));
    const double seconds =
        colon == std::string_view::npos ? -1 : parseNumber(part.substr(colon + 1));
    if (rate < 0 || rate > kMaxRate || seconds < 0.001 || seconds > toSeconds(kMaxLength)) {
      error = "not a segment: '";
      error.append(part).append(
          "'; write rate:seconds, for example 220:10 (rate 0 to 100000 a second, 0.001 to 900 "
          "seconds)");
      return {};
    }
    schedule.push_back({rate, fromSeconds(seconds)});
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  if (totalLength(schedule) > kMaxLength) {
    error = "the schedule is longer than 15 minutes";
    return {};
  }
  return schedule;
}

}  // namespace hodor::load
