#include "detectors/queue_detector.h"

#include <gtest/gtest.h>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

TEST(QueueDetectorTest, AHungPoolIsSeenByTheAgeOfItsProbe) {
  QueueDetector detector(QueueDetector::defaultBands());
  Instant now = seconds(1);
  Duration age{};
  Duration detected{};
  Verdict verdict;
  for (int i = 0; i < 40 && !verdict.firing; ++i) {
    now += kTick;
    age += kTick;
    verdict = detector.observe(now, kTick, QueueSample{age}, std::nullopt, 0);
    detected = age;
  }
  EXPECT_TRUE(verdict.firing);
  // 1 s until the third band counts and 0.5 s of it; the second one is slower.
  EXPECT_EQ(detected, milliseconds(1400));
  EXPECT_EQ(verdict.band, 3);
}

TEST(QueueDetectorTest, ShortWaitsAreQuiet) {
  QueueDetector detector(QueueDetector::defaultBands());
  Verdict verdict;
  for (int i = 1; i < 600; ++i) {
    verdict = detector.observe(i * kTick, kTick, QueueSample{milliseconds(30)}, std::nullopt, 0);
    ASSERT_FALSE(verdict.firing);
  }
  EXPECT_TRUE(verdict.quiet);
  EXPECT_EQ(detector.explain(),
            "work waits 30 ms for a thread of the server's pool; fires from 50 ms for 10 s");
}

TEST(QueueDetectorTest, WithoutPoolItIsStale) {
  QueueDetector detector(QueueDetector::defaultBands());
  const Verdict verdict = detector.observe(seconds(1), kTick, std::nullopt, std::nullopt, 0);
  EXPECT_TRUE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  EXPECT_TRUE(
      detector.observe(seconds(2), kTick, QueueSample{milliseconds(-1)}, std::nullopt, 0).stale);
}

}  // namespace
}  // namespace hodor::detectors
