#include "options/value_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hodor::options {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(ValueText, SplitsKeepingEmptyParts) {
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split(",a,,b,", ','), ElementsAre("", "a", "", "b", ""));
}

TEST(ValueText, IntegersAreDigitsOnly) {
  EXPECT_EQ(parseInteger("0"), 0);
  EXPECT_EQ(parseInteger("007"), 7);
  EXPECT_EQ(parseInteger("9223372036854775807"), 9223372036854775807);
  for (const char* wrong : {"", " 1", "1 ", "+1", "-1", "1.0", "1e3", "0x10", "one", "1,000",
                            "9223372036854775808", "99999999999999999999999", "\xd9\xa1"}) {
    EXPECT_EQ(parseInteger(wrong), std::nullopt) << wrong;
  }
}

TEST(ValueText, NumbersHaveAtMostThreeDecimals) {
  EXPECT_EQ(parseNumber("4"), 4);
  EXPECT_EQ(parseNumber("0.125"), 0.125);
  for (const char* wrong : {"", ".", "1.", ".5", "1.2345", "+1", "-1", "1e3", "inf", "nan", "1,5",
                            "0x1p3", " 1", "1 ", "1.2.3"}) {
    EXPECT_EQ(parseNumber(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(parseNumber(std::string(400, '9')), std::nullopt);
}

TEST(ValueText, NumbersAreWrittenWithoutNoise) {
  EXPECT_EQ(formatNumber(4), "4");
  EXPECT_EQ(formatNumber(10'000), "10000");
  EXPECT_EQ(formatNumber(0.1 + 0.2), "0.3");
  EXPECT_EQ(formatNumber(0), "0");
}

TEST(ValueText, DurationsNeedAUnit) {
  EXPECT_EQ(parseDuration("5ms"), milliseconds(5));
  EXPECT_EQ(parseDuration("5s"), milliseconds(5000));
  EXPECT_EQ(parseDuration("5m"), milliseconds(300'000));
  for (const char* wrong :
       {"", "5", "ms", "s", "m", "5 ms", "5MS", "5S", "5us", "5h", "5sec", "1.5s", "-5ms", "+5ms",
        "5mss", "9223372036854775807s", "9223372036854775808ms"}) {
    EXPECT_EQ(parseDuration(wrong), std::nullopt) << wrong;
  }
}

TEST(ValueText, DurationsAreWrittenWithTheLargestUnit) {
  EXPECT_EQ(formatDuration(milliseconds(0)), "0ms");
  EXPECT_EQ(formatDuration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(formatDuration(milliseconds(10'000)), "10s");
  EXPECT_EQ(formatDuration(milliseconds(120'000)), "2m");
}

TEST(ValueText, EveryShareIsWrittenAsItWasRead) {
  for (int thousandths = 0; thousandths <= 100'000; ++thousandths) {
    const std::string text = formatNumber(thousandths / 1000.0) + "%";
    const auto share = parseShare(text);
    ASSERT_TRUE(share) << text;
    ASSERT_EQ(formatShare(*share), text);
  }
}

TEST(ValueText, SharesNeedThePercentSign) {
  for (const char* wrong : {"", "%", "11", "0.11", "11 %", "11%%", "-1%", "nan%", "inf%"}) {
    EXPECT_EQ(parseShare(wrong), std::nullopt) << wrong;
  }
}

TEST(ValueText, QuotesEscapeAndShorten) {
  EXPECT_EQ(quote("a b"), "\"a b\"");
  EXPECT_EQ(quote("\"\\"), R"("\"\\")");
  EXPECT_EQ(quote("\x1b[31m\n\xff"), R"("\x1b[31m\x0a\xff")");
  EXPECT_EQ(quote(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
  EXPECT_EQ(quote(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(ValueText, PathsAreWhatJniCanCarry) {
  for (const char* path :
       {"a", "/var/log/hodor.log", "a b", "#x", "k=v,w", "gr\xc3\xbc\xc3\x9f", "\xe6\x97\xa5"}) {
    EXPECT_TRUE(isPath(path)) << path;
  }
  for (const char* wrong :
       {"", " a", "a ", "a\nb", "a\tb", "\x7f", "\xff", "\xc3", "\xc3x", "\xc0\xaf", "\xe0\x80\xaf",
        "\xed\xa0\x80", "\xf0\x9f\x98\x80", "\xc2\x85", "a\xe6\x97"}) {
    EXPECT_FALSE(isPath(wrong)) << wrong;
  }
  EXPECT_FALSE(isPath(std::string("a\0b", 3)));
  EXPECT_TRUE(isPath(std::string(4096, 'x')));
  EXPECT_FALSE(isPath(std::string(4097, 'x')));
}

}  // namespace
}  // namespace hodor::options
