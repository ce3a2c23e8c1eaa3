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

TEST(HeartbeatDetectorTest, ASilenceOfThreeSecondsIsThirtyLateWindows) {
  HeartbeatDetector detector(HeartbeatRule{});
  const Verdict verdict = detector.observe(seconds(3), HeartbeatSample{seconds(3)});
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.value, 30);
  HeartbeatDetector other(HeartbeatRule{});
  EXPECT_EQ(other.observe(Duration::max(), HeartbeatSample{Duration::max()}).value, 30);
}

// The tick was held up, the beat was not: one beat in 3 s was a little late.
TEST(HeartbeatDetectorTest, ALateTickIsNoLateBeat) {
  HeartbeatDetector detector(HeartbeatRule{});
  const Verdict verdict = detector.observe(seconds(3), kLate);
  EXPECT_EQ(verdict.value, 2);
  EXPECT_TRUE(verdict.quiet);
  EXPECT_EQ(
      detector.observe(std::chrono::hours(24 * 365), HeartbeatSample{milliseconds(150)}).value, 3);
  EXPECT_EQ(detector.observe(seconds(3), kInTime).value, 0);
}

TEST(HeartbeatDetectorTest, ABeatThatSleepsOnIsLateInEachTick) {
  HeartbeatDetector detector(HeartbeatRule{});
  Duration asleep{};
  Verdict verdict;
  for (int i = 0; i < 28; ++i) {
    EXPECT_FALSE(verdict.firing);
    asleep += kTick;
    verdict = detector.observe(kTick, HeartbeatSample{asleep});
  }
  EXPECT_TRUE(verdict.firing);
}

TEST(HeartbeatDetectorTest, WithoutTimeItIsStale) {
  HeartbeatDetector detector(HeartbeatRule{});
  EXPECT_TRUE(detector.observe(Duration::zero(), kLate).stale);
  EXPECT_TRUE(detector.observe(-kTick, kLate).stale);
}

// Later beats never make fewer late windows; what is kept is bounded by the rule.
TEST(HeartbeatDetectorTest, Properties) {
  std::mt19937_64 random(20261130);
  for (int round = 0; round < 200; ++round) {
    HeartbeatDetector one(HeartbeatRule{});
    HeartbeatDetector later(HeartbeatRule{});
    for (int i = 0; i < 100; ++i) {
      const Duration elapsed = milliseconds(1 + static_cast<int>(random() % 500));
      const Duration worst = milliseconds(random() % 20);
      const Verdict verdict = one.observe(elapsed, HeartbeatSample{worst});
      const Verdict more =
          later.observe(elapsed, HeartbeatSample{worst + milliseconds(random() % 200)});
      ASSERT_GE(more.value, verdict.value);
      ASSERT_LE(more.value, 30);
      ASSERT_EQ(verdict.firing, verdict.value >= 28);
      ASSERT_FALSE(verdict.firing && verdict.quiet);
    }
  }
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
