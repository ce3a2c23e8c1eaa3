#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/options.h"

namespace hodor::options {

// One key: everything the parser, the error messages, docs/options.md and JMX know about it.
struct OptionSpec {
  std::string_view key;
  std::string_view type;
  // How a number must be written; empty when the value has no unit.
  std::string_view unit;
  std::string_view accepted;
  std::string_view defaultText;
  std::string_view help;
  // Can be set while the JVM runs; otherwise it counts at start only.
  bool changeable;
  // Says what is wrong and leaves the options alone, or sets the value. Null: the key names a file
  // of options and is not itself a setting; it stands in the option string only.
  std::optional<std::string> (*set)(Options&, std::string_view);
  std::string (*get)(const Options&);
};

// The names in the order of the enums.
inline constexpr std::array<std::string_view, 3> kModeNames = {"off", "monitor", "enforce"};
inline constexpr std::array<std::string_view, 2> kStrategyNames = {"concurrency", "percentage"};
inline constexpr std::array<std::string_view, 2> kConfirmNames = {"none", "latency"};
inline constexpr std::array<std::string_view, 2> kGcStallsNames = {"counters", "jfr"};
inline constexpr std::array<std::string_view, 2> kSwitchNames = {"off", "on"};
inline constexpr std::array<std::string_view, 3> kAbandonedNames = {"none", "reset", "closed"};
inline constexpr std::array<std::string_view, 4> kLogLevelNames = {"error", "warn", "info",
                                                                   "debug"};

// All keys in the order of the documentation.
std::span<const OptionSpec> optionTable();

// Exact; null when there is no such key.
const OptionSpec* findOption(std::string_view key);

// `unknown key "mod"; did you mean mode?`
std::string describeUnknown(std::string_view key);

// The value in force as it would be written; empty for an unknown key.
std::string valueOf(const Options& options, std::string_view key);

// Every setting as key and value. Parsed again, they give the same options.
std::vector<std::pair<std::string, std::string>> render(const Options& options);

}  // namespace hodor::options
