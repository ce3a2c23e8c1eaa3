#include "options/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/options_parser.h"

namespace hodor::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> keys() {
  std::vector<std::string> keys;
  for (const OptionSpec& spec : optionTable()) {
    keys.emplace_back(spec.key);
  }
  return keys;
}

TEST(OptionTable, HasExactlyTheseKeys) {
  EXPECT_THAT(keys(), ElementsAre("mode", "strategy", "cpu.bands", "heartbeat.interval",
                                  "heartbeat.limit", "heartbeat.violations", "gc.bands",
                                  "gc.stalls", "queue.bands", "confirm", "inject", "attach",
                                  "exempt", "exempt.connectors", "exempt.limit", "connections",
                                  "connections.exempt", "connections.abandoned", "reject.status",
                                  "reject.retry-after", "log.level", "log.file", "config"));
}

TEST(OptionTable, TellsOfEveryKeyAllThatUsersNeed) {
  for (const OptionSpec& spec : optionTable()) {
    EXPECT_FALSE(spec.type.empty()) << spec.key;
    EXPECT_FALSE(spec.accepted.empty()) << spec.key;
    EXPECT_FALSE(spec.help.empty()) << spec.key;
    EXPECT_EQ(spec.set == nullptr, spec.key == "config") << spec.key;
    EXPECT_EQ(spec.get == nullptr, spec.key == "config") << spec.key;
    EXPECT_EQ(spec.defaultText.empty(), spec.key == "config") << spec.key;
  }
}

TEST(OptionTable, DefaultsAreThoseOfTheStruct) {
  for (const OptionSpec& spec : optionTable()) {
    if (spec.set == nullptr) {
      continue;
    }
    EXPECT_EQ(spec.get(Options{}), spec.defaultText);
    Options options;
    EXPECT_EQ(spec.set(options, spec.defaultText), std::nullopt) << spec.key;
    EXPECT_TRUE(options == Options{}) << spec.key;
  }
}

TEST(OptionTable, NamesStandInTheOrderOfTheEnums) {
  EXPECT_EQ(kModeNames[static_cast<std::size_t>(Mode::kEnforce)], "enforce");
  EXPECT_EQ(kModeNames[static_cast<std::size_t>(Mode::kMonitor)], "monitor");
  EXPECT_EQ(kStrategyNames[static_cast<std::size_t>(Strategy::kPercentage)], "percentage");
  EXPECT_EQ(kLogLevelNames[static_cast<std::size_t>(LogLevel::kDebug)], "debug");
}

TEST(OptionTable, KeysAreFoundExactly) {
  EXPECT_NE(findOption("mode"), nullptr);
  for (const char* wrong : {"", "Mode", "MODE", "mod", "modes", " mode", "mode ", "cpu", "cpu.",
                            "cpu_bands", "heartbeat"}) {
    EXPECT_EQ(findOption(wrong), nullptr) << wrong;
  }
}

TEST(OptionTable, UnknownKeysGetTheNearest) {
  EXPECT_EQ(describeUnknown("mod"), "unknown key \"mod\"; the nearest right key is mode");
  EXPECT_THAT(describeUnknown("Mode"), HasSubstr("key is mode"));
  EXPECT_THAT(describeUnknown("cpu.band"), HasSubstr("key is cpu.bands"));
  EXPECT_THAT(describeUnknown("heartbeat.intervall"), HasSubstr("key is heartbeat.interval"));
  EXPECT_THAT(describeUnknown("reject.retryAfter"), HasSubstr("key is reject.retry-after"));
  EXPECT_THAT(describeUnknown("loglevel"), HasSubstr("key is log.level"));
  EXPECT_THAT(describeUnknown(""), HasSubstr("unknown key \"\""));
  EXPECT_LT(describeUnknown(std::string(100'000, 'x')).size(), 200U);
}

TEST(OptionTable, ValuesOfUnknownKeysAreEmpty) {
  EXPECT_EQ(valueOf(Options{}, "mode"), "monitor");
  EXPECT_EQ(valueOf(Options{}, "config"), "");
  EXPECT_EQ(valueOf(Options{}, "nonsense"), "");
}

TEST(OptionTable, RenderedOptionsParseToTheSame) {
  Options options;
  options.mode = Mode::kEnforce;
  options.strategy = Strategy::kPercentage;
  options.cpuBands = {{0.125, std::chrono::milliseconds(100)}, {9999.9, std::chrono::minutes(1)}};
  options.heartbeatInterval = std::chrono::milliseconds(999);
  options.heartbeat = {std::chrono::milliseconds(77), 1, 300};
  options.gcBands = {{0.29, std::chrono::milliseconds(1500)}};
  options.queueBands = {{1, std::chrono::milliseconds(60'000)}};
  options.inject = {"queue", "cpu"};
  options.exemptLimit = 7;
  options.rejectStatus = 429;
  options.rejectRetryAfter = std::chrono::seconds(3600);
  options.logLevel = LogLevel::kDebug;
  options.logFile = "/tmp/a, b=c";
  std::string file;
  for (const auto& [key, value] : render(options)) {
    file.append(key).append("=").append(value).append("\n");
  }
  const ParseResult parsed = parseAgentOptions("config=x", [&](const std::string&) {
    return FileContent{file, ""};
  });
  EXPECT_THAT(parsed.errors, ElementsAre());
  EXPECT_TRUE(parsed.options == options);
  EXPECT_EQ(render(options).size(), optionTable().size() - 1);
}

}  // namespace
}  // namespace hodor::options
