#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Values of options as text. Exact: no locale, no blanks, no signs, no exponents; what is not
// understood to the last character is not a value. Pure.
namespace hodor::options {

// The parts between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

// Digits only; nothing when it does not fit.
std::optional<long> parseInteger(std::string_view text);

// A decimal number with at most three decimals, so that it can be written back exactly.
std::optional<double> parseNumber(std::string_view text);
std::string formatNumber(double value);

// A whole number with a unit: ms, s or m.
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);
// With the largest unit that needs no fraction.
std::string formatDuration(std::chrono::milliseconds value);

// "11%" is 0.11.
std::optional<double> parseShare(std::string_view text);
std::string formatShare(double value);

// UTF-8 that JNI can carry too: no control characters, nothing beyond the basic plane; not empty,
// no blank at either end.
bool isPath(std::string_view text);

// For messages: in quotes, control and non-ASCII characters escaped, shortened when long.
std::string quote(std::string_view text);

}  // namespace hodor::options
