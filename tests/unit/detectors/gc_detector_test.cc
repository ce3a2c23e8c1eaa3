#include "detectors/gc_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GcDetectorTest : public testing::Test {
 protected:
  // `pause` of each `period` is spent in a pause of its own, seen by ticks of 100 ms.
  Verdict collect(Duration time, Duration period, Duration pause) {
    Verdict verdict;
    for (Duration passed{}; passed < time; passed += milliseconds(1)) {
      now_ += milliseconds(1);
      phase_ = (phase_ + milliseconds(1)) % period;
      const bool running = phase_ < pause;
      if (running && !total_.pauseRunning) {
        ++total_.pausesStarted;
      }
      total_.pauseRunning = running;
      total_.pausedTotal += running ? milliseconds(1) : milliseconds(0);
      if (now_ % milliseconds(100) == Duration::zero()) {
        verdict = detector_.observe(now_, total_);
      }
    }
    return verdict;
  }

  GcDetector detector_{GcDetector::defaultBands()};
  GcSample total_;
  Instant now_ = seconds(10);
  Duration phase_ = milliseconds(500);
};

TEST_F(GcDetectorTest, FivePercentIsQuiet) {
  const Verdict verdict = collect(seconds(30), milliseconds(200), milliseconds(10));
  EXPECT_FALSE(verdict.firing);
  EXPECT_TRUE(verdict.quiet);
  EXPECT_NEAR(verdict.value, 0.05, 0.02);
}

TEST_F(GcDetectorTest, TwelvePercentFiresAfterTenSeconds) {
  EXPECT_FALSE(collect(seconds(9), milliseconds(200), milliseconds(24)).firing);
  const Verdict verdict = collect(seconds(3), milliseconds(200), milliseconds(24));
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 1);
}

TEST_F(GcDetectorTest, ASpiralFiresWithinASecondAndAHalf) {
  collect(seconds(20), seconds(1), Duration::zero());
  const Verdict verdict = collect(milliseconds(1500), milliseconds(200), milliseconds(150));
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_NE(detector_.explain().find("band 3 of 3 (60 % for 1 s) fires"), std::string::npos);
}

TEST_F(GcDetectorTest, OneLongPauseIsNoSpiral) {
  collect(seconds(20), seconds(100), Duration::zero());
  phase_ = seconds(100) - milliseconds(1);
  for (int i = 0; i < 110; ++i) {
    EXPECT_FALSE(collect(milliseconds(100), seconds(100), seconds(2)).firing) << i;
  }
}

TEST_F(GcDetectorTest, LongPausesBackToBackAreOne) {
  collect(seconds(20), seconds(100), Duration::zero());
  const Verdict verdict = collect(seconds(5), milliseconds(1700), milliseconds(1500));
  EXPECT_TRUE(verdict.firing);
}

TEST_F(GcDetectorTest, TotalsThatGoBackStartAfresh) {
  collect(seconds(5), milliseconds(200), milliseconds(180));
  total_ = GcSample{};
  EXPECT_FALSE(detector_.observe(now_ += milliseconds(100), total_).firing);
  EXPECT_FALSE(detector_.observe(now_ += milliseconds(100), total_).stale);
}

TEST_F(GcDetectorTest, StaleIsNotSticky) {
  collect(seconds(5), milliseconds(200), milliseconds(180));
  const Verdict verdict = detector_.observe(now_, std::nullopt);
  EXPECT_TRUE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  EXPECT_FALSE(collect(milliseconds(500), milliseconds(200), milliseconds(180)).firing);
}

TEST_F(GcDetectorTest, ALateTickChangesNothing) {
  collect(seconds(20), milliseconds(200), milliseconds(10));
  // 3 s without a tick, in the rhythm of before.
  now_ += seconds(3);
  total_.pausedTotal += milliseconds(150);
  total_.pausesStarted += 15;
  EXPECT_FALSE(detector_.observe(now_, total_).firing);
}

TEST_F(GcDetectorTest, ValueStaysAShare) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    const Duration step = milliseconds(1 + static_cast<int>(random() % 300));
    now_ += step;
    total_.pausedTotal += step * static_cast<int>(random() % 3);  // more than all of it, too
    total_.pausesStarted += random() % 4;
    const Verdict verdict = detector_.observe(now_, total_);
    ASSERT_GE(verdict.value, 0);
    ASSERT_LE(verdict.value, 1);
    ASSERT_EQ(verdict.firing, verdict.band > 0);
  }
}

}  // namespace
}  // namespace hodor::detectors
