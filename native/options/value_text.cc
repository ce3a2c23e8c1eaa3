#include "options/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hodor::options {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostDecimals = 3;
constexpr std::size_t kLongestQuote = 40;

struct TimeUnit {
  std::string_view name;
  long millis;
};
// Ascending; "ms" stands before "s", with which it ends.
constexpr std::array<TimeUnit, 3> kTimeUnits = {{{"ms", 1}, {"s", 1000}, {"m", 60'000}}};

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isDecimal(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(), isDigit)) {
    return false;
  }
  if (point == std::string_view::npos) {
    return true;
  }
  const std::string_view decimals = text.substr(point + 1);
  return !decimals.empty() && decimals.size() <= kMostDecimals &&
         std::all_of(decimals.begin(), decimals.end(), isDigit);
}

// Bytes of the printable character at the start of the text, 1 to 3; 0 if there is none.
std::size_t characterLength(std::string_view text) {
  const auto byteAt = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byteAt(0);
  if (first < 0x80) {
    return first >= 0x20 && first != 0x7f ? 1 : 0;
  }
  const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : (first >> 4U) == 0xe ? 3 : 0;
  if (length == 0 || text.size() < length) {
    return 0;
  }
  unsigned code = first & (length == 2 ? 0x1fU : 0xfU);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byteAt(i) & 0xc0U) != 0x80) {
      return 0;
    }
    code = (code << 6U) | (byteAt(i) & 0x3fU);
  }
  const bool control = code < 0xa0;
  const bool overlong = length == 3 && code < 0x800;
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return control || overlong || surrogate ? 0 : length;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) {
      return parts;
    }
    from = to + 1;
  }
}

std::optional<long> parseInteger(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), isDigit)) {
    return std::nullopt;
  }
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> parseNumber(std::string_view text) {
  if (!isDecimal(text)) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::string formatNumber(double value) {
  std::array<char, std::numeric_limits<double>::max_exponent10 + 8> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                    static_cast<int>(kMostDecimals));
  std::string text(buffer.data(), error == std::errc{} ? end : buffer.data());
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

std::optional<milliseconds> parseDuration(std::string_view text) {
  for (const TimeUnit& unit : kTimeUnits) {
    if (!text.ends_with(unit.name)) {
      continue;
    }
    const auto count = parseInteger(text.substr(0, text.size() - unit.name.size()));
    if (!count || *count > std::numeric_limits<long>::max() / unit.millis) {
      return std::nullopt;
    }
    return milliseconds{*count * unit.millis};
  }
  return std::nullopt;
}

std::string formatDuration(milliseconds value) {
  const long millis = value.count();
  const auto* unit = kTimeUnits.begin();
  for (const TimeUnit& candidate : kTimeUnits) {
    if (millis != 0 && millis % candidate.millis == 0) {
      unit = &candidate;
    }
  }
  return std::to_string(millis / unit->millis).append(unit->name);
}

std::optional<double> parseShare(std::string_view text) {
  if (!text.ends_with('%')) {
    return std::nullopt;
  }
  const auto percent = parseNumber(text.substr(0, text.size() - 1));
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

std::string formatShare(double value) { return formatNumber(value * 100).append("%"); }

bool isPath(std::string_view text) {
  constexpr std::size_t kLongestPath = 4096;
  if (text.empty() || text.size() > kLongestPath || text.front() == ' ' || text.back() == ' ') {
    return false;
  }
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

std::string quote(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text.substr(0, kLongestQuote)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e) {
      quoted.append("\\x").append({kHex[byte >> 4U], kHex[byte & 0xfU]});
    } else if (c == '"' || c == '\\') {
      quoted.append({'\\', c});
    } else {
      quoted.push_back(c);
    }
  }
  return quoted.append(text.size() > kLongestQuote ? "...\"" : "\"");
}

}  // namespace hodor::options
