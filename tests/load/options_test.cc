#include "tests/load/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hodor::load {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Arguments = std::vector<std::string>;

std::string errorOf(const Arguments& arguments) {
  std::string error;
  parseOptions(arguments, error);
  return error;
}

TEST(Options, ReadsAnOpenLoop) {
  std::string error;
  const Options options = parseOptions({"--target",   "127.1.2.3:8080",
                                        "--schedule", "10:1,20:2",
                                        "--path",     "/cpu?x=1",
                                        "--header",   "X-Hodor-Tier: optional",
                                        "--timeout",  "250ms",
                                        "--close",    "rst",
                                        "--source",   "127.0.0.2,127.0.0.3",
                                        "--seed",     "9",
                                        "--live",     "--max-connections",
                                        "5",          "--retries",
                                        "3"},
                                       error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(options.targetHost, "127.1.2.3");
  EXPECT_EQ(options.targetPort, 8080);
  EXPECT_EQ(options.schedule.size(), 2U);
  EXPECT_EQ(options.timeout, milliseconds(250));
  EXPECT_TRUE(options.closeByReset);
  EXPECT_THAT(options.sources, testing::ElementsAre("127.0.0.2", "127.0.0.3"));
  EXPECT_THAT(options.headers, testing::ElementsAre("X-Hodor-Tier: optional"));
  EXPECT_EQ(options.seed, 9U);
  EXPECT_EQ(options.maxConnections, 5);
  EXPECT_EQ(options.retries, 3);
  EXPECT_TRUE(options.live);
}

TEST(Options, ReadsAClosedLoop) {
  std::string error;
  const Options options =
      parseOptions({"--target", "[::1]:80", "--closed", "4", "--seconds", "2.5"}, error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(options.targetHost, "::1");
  EXPECT_EQ(options.closed, 4);
  EXPECT_EQ(options.closedLength, milliseconds(2500));
}

TEST(Options, RefusesTargetsOutsideTheLoopback) {
  for (const char* target : {"10.0.0.1:80", "128.0.0.1:80", "localhost:80", "[::2]:80", "::1:80",
                             "[fe80::1]:80", "0.0.0.0:80", "[::ffff:127.0.0.1]:80"}) {
    EXPECT_NE(errorOf({"--target", target, "--schedule", "1:1"}), "") << target;
  }
}

TEST(Options, NamesTheOptionThatIsWrong) {
  const Arguments good = {"--target", "127.0.0.1:80", "--schedule", "1:1"};
  const std::vector<Arguments> bad = {{"--timeout", "1"},
                                      {"--timeout", "0s"},
                                      {"--timeout", "61s"},
                                      {"--close", "maybe"},
                                      {"--retries", "11"},
                                      {"--header", "no"},
                                      {"--header", ": x"},
                                      {"--header", "A: b\r\nC"},
                                      {"--path", "cpu"},
                                      {"--path", "/a b"},
                                      {"--seed", "-1"},
                                      {"--source", "1.2.3.4"},
                                      {"--source", "127.0.0.1,"},
                                      {"--closed", "0"},
                                      {"--seconds", "901"},
                                      {"--max-connections", "0"},
                                      {"--lag-limit", "5"},
                                      {"--target", "127.0.0.1"},
                                      {"--target", "127.0.0.1:0"},
                                      {"--target", "127.0.0.1:65536"},
                                      {"--nonsense", "1"},
                                      {"--schedule", "x"}};
  for (const Arguments& pair : bad) {
    Arguments all = good;
    all.insert(all.end(), pair.begin(), pair.end());
    EXPECT_THAT(errorOf(all), testing::StartsWith(pair[0])) << pair[1];
  }
}

TEST(Options, RefusesWhatDoesNotFitTogether) {
  EXPECT_NE(errorOf({}), "");
  EXPECT_NE(errorOf({"--schedule", "1:1"}), "");
  EXPECT_NE(errorOf({"--target", "127.0.0.1:80"}), "");
  EXPECT_NE(errorOf({"--target", "127.0.0.1:80", "--closed", "4"}), "");
  EXPECT_NE(errorOf({"--target", "127.0.0.1:80", "--schedule", "1:1", "--seconds", "1"}), "");
  EXPECT_NE(
      errorOf({"--target", "127.0.0.1:80", "--schedule", "1:1", "--closed", "4", "--seconds", "1"}),
      "");
  EXPECT_NE(errorOf({"--target", "127.0.0.1:80", "--schedule", "1:1", "--source", "::1"}), "");
  EXPECT_NE(errorOf({"--target", "127.0.0.1:80", "--schedule"}), "");
  EXPECT_EQ(errorOf({"--help", "--nonsense"}), "");
}

}  // namespace
}  // namespace hodor::load
