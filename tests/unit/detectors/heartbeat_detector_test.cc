#include "detectors/heartbeat_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);
constexpr HeartbeatSample kLate{milliseconds(6)};
constexpr HeartbeatSample kInTime{milliseconds(5)};

TEST(HeartbeatDetectorTest, FiresAtTheTwentyEighthLateWindow) {
  HeartbeatDetector detector(HeartbeatRule{});
  for (int i = 1; i <= 27; ++i) {
    EXPECT_FALSE(detector.observe(kTick, kLate).firing) << i;
  }
  EXPECT_TRUE(detector.observe(kTick, kLate).firing);
}

TEST(HeartbeatDetectorTest, TwoGoodWindowsOfThirtyAreForgivenThreeAreNot) {
  HeartbeatDetector detector(HeartbeatRule{});
  Verdict verdict;
  for (int i = 0; i < 30; ++i) {
    verdict = detector.observe(kTick, i == 5 || i == 15 ? kInTime : kLate);
  }
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.value, 28);
  EXPECT_FALSE(detector.observe(kTick, kInTime).firing);
}

TEST(HeartbeatDetectorTest, ALateTickOfThreeSecondsIsThirtyWindows) {
  HeartbeatDetector detector(HeartbeatRule{});
  EXPECT_TRUE(detector.observe(seconds(3), HeartbeatSample{seconds(3)}).firing);
  HeartbeatDetector other(HeartbeatRule{});
  EXPECT_EQ(other.observe(std::chrono::hours(24 * 365), kLate).value, 30);
}

TEST(HeartbeatDetectorTest, StaleForgets) {
  HeartbeatDetector detector(HeartbeatRule{});
  for (int i = 0; i < 30; ++i) {
    detector.observe(kTick, kLate);
  }
  EXPECT_TRUE(detector.observe(kTick, std::nullopt).stale);
  EXPECT_EQ(detector.explain(), "no heartbeat");
  EXPECT_FALSE(detector.observe(kTick, kLate).firing);
}

TEST(HeartbeatDetectorTest, OneLateWindowInTenIsQuiet) {
  HeartbeatDetector detector(HeartbeatRule{});
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const Verdict verdict = detector.observe(kTick, random() % 10 == 0 ? kLate : kInTime);
    ASSERT_FALSE(verdict.firing);
    ASSERT_TRUE(verdict.quiet);
  }
}

TEST(HeartbeatDetectorTest, OwnRule) {
  HeartbeatDetector detector(HeartbeatRule{milliseconds(20), 2, 3});
  EXPECT_FALSE(detector.observe(kTick, kLate).firing);
  detector.observe(kTick, HeartbeatSample{milliseconds(21)});
  EXPECT_TRUE(detector.observe(kTick, HeartbeatSample{milliseconds(21)}).firing);
  EXPECT_NE(detector.explain().find("2 of the last 3 windows"), std::string::npos);
}

}  // namespace
}  // namespace hodor::detectors
