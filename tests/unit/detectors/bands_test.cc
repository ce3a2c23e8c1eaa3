#include "detectors/bands.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::vector<Band> kBands = {{4, seconds(10)}, {10, seconds(2)}, {25, milliseconds(500)}};

class BandWindowTest : public testing::Test {
 protected:
  void feed(Duration time, double value, Duration tick = milliseconds(100)) {
    for (Duration passed{}; passed < time; passed += tick) {
      now_ += tick;
      window_.record(now_, tick, value);
    }
  }

  BandWindow window_{kBands};
  Instant now_ = seconds(50);
};

TEST_F(BandWindowTest, FiresExactlyWhenTheDurationIsServed) {
  feed(milliseconds(400), 25);
  EXPECT_EQ(window_.firingBand(), 0);
  feed(milliseconds(100), 25);
  EXPECT_EQ(window_.firingBand(), 3);
}

TEST_F(BandWindowTest, TheThresholdItselfCounts) {
  feed(seconds(2), 10);
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, ShortBandsAllowNoException) {
  feed(milliseconds(1000), 12);
  feed(milliseconds(100), 9);
  feed(milliseconds(1900), 12);
  EXPECT_EQ(window_.firingBand(), 0);
  feed(milliseconds(100), 12);
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, LongBandsAllowTwoOfThirty) {
  feed(seconds(5), 5);
  feed(milliseconds(600), 0);
  feed(milliseconds(4400), 5);
  EXPECT_EQ(window_.firingBand(), 1);
  feed(milliseconds(100), 0);
  EXPECT_EQ(window_.firingBand(), 0);
}

TEST_F(BandWindowTest, StopsWhenTheValueFalls) {
  feed(seconds(1), 30);
  EXPECT_EQ(window_.firingBand(), 3);
  feed(milliseconds(100), 1);
  EXPECT_EQ(window_.firingBand(), 0);
}

TEST_F(BandWindowTest, ATickThatIsThreeSecondsLateStandsForThreeSeconds) {
  now_ += seconds(3);
  window_.record(now_, seconds(3), 12);
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, TimeWithoutValueIsUnknown) {
  feed(milliseconds(1500), 12);
  now_ += seconds(1);  // nobody looked
  feed(milliseconds(1900), 12);
  EXPECT_EQ(window_.firingBand(), 0);
  feed(milliseconds(100), 12);
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, ClearForgets) {
  feed(seconds(20), 30);
  window_.clear();
  EXPECT_EQ(window_.firingBand(), 0);
  feed(milliseconds(400), 30);
  EXPECT_EQ(window_.firingBand(), 0);
}

TEST_F(BandWindowTest, SmallJitterOfTheTicksIsNoGap) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    const Duration tick = milliseconds(90 + static_cast<int>(random() % 20));
    now_ += tick;
    window_.record(now_, tick - milliseconds(2), 12);
  }
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, BackwardOrEmptyTimeIsIgnoredOrForgotten) {
  feed(milliseconds(1900), 12);
  window_.record(now_, Duration::zero(), 0);
  feed(milliseconds(100), 12);
  EXPECT_EQ(window_.firingBand(), 2);
  window_.record(now_ - seconds(100), milliseconds(100), 12);
  EXPECT_EQ(window_.firingBand(), 0);
}

// A clock that steps back by less than a tick would otherwise leave a value of negative time.
TEST_F(BandWindowTest, TimeThatGoesBackALittleStartsAfresh) {
  for (const Duration step : {milliseconds(50), milliseconds(0)}) {
    feed(seconds(20), 12);
    now_ -= step;
    window_.record(now_, milliseconds(40), 12);
    EXPECT_EQ(window_.firingBand(), 0);
    feed(milliseconds(1900), 12);
    EXPECT_EQ(window_.firingBand(), 0);
    feed(milliseconds(100), 12);
    EXPECT_EQ(window_.firingBand(), 2);
  }
}

TEST_F(BandWindowTest, AValueThatStandsForMoreThanWasSeenReplacesIt) {
  feed(seconds(5), 30);
  now_ += milliseconds(100);
  window_.record(now_, seconds(20), 5);
  EXPECT_EQ(window_.firingBand(), 1);
  now_ += milliseconds(100);
  window_.record(now_, Duration::max(), 12);
  EXPECT_EQ(window_.firingBand(), 2);
}

TEST_F(BandWindowTest, TheFastestTicksLeaveTheLongestBandUnknownAndTheRestExact) {
  feed(seconds(3), 12, milliseconds(1));
  EXPECT_EQ(window_.firingBand(), 2);
  BandWindow window({{4, seconds(10)}});
  for (int i = 1; i <= 20'000; ++i) {
    window.record(milliseconds(i), milliseconds(1), 12);
  }
  EXPECT_EQ(window.firingBand(), 0);
}

// Random walks with random ticks: never fires below the first threshold, always fires after the
// duration above it, and a higher value never gives a lower band.
TEST_F(BandWindowTest, Properties) {
  std::mt19937_64 random(20261130);
  std::uniform_real_distribution<double> low(0, 3.999);
  std::uniform_real_distribution<double> any(0, 60);
  for (int round = 0; round < 300; ++round) {
    BandWindow below(kBands);
    BandWindow above(kBands);
    BandWindow one(kBands);
    BandWindow higher(kBands);
    Instant now = seconds(1);
    Duration total{};
    const double base = 4 + any(random);
    for (int i = 0; i < 100; ++i) {
      const Duration tick = milliseconds(1 + static_cast<int>(random() % 500));
      now += tick;
      total += tick;
      below.record(now, tick, low(random));
      above.record(now, tick, base);
      const double value = any(random);
      one.record(now, tick, value);
      higher.record(now, tick, value + 3);
      ASSERT_EQ(below.firingBand(), 0);
      if (total >= seconds(10)) {
        ASSERT_GE(above.firingBand(), 1);
      }
      ASSERT_GE(higher.firingBand(), one.firingBand());
    }
  }
}

TEST(BandWindowEdgeTest, WithoutBandsNothingFires) {
  BandWindow window({});
  window.record(seconds(1), seconds(1), 1e9);
  EXPECT_EQ(window.firingBand(), 0);
  EXPECT_TRUE(window.quiet(1e9));
}

TEST(BandWindowEdgeTest, QuietBelowTheRecoveryShare) {
  BandWindow window(kBands);
  EXPECT_TRUE(window.quiet(2.7));
  EXPECT_FALSE(window.quiet(2.8));
}

TEST(DescribeBandTest, NamesTheBandThatFiresOrTheFirst) {
  EXPECT_EQ(describeBand(kBands, 3, 1, ""), "band 3 of 3 (25 for 0.5 s) fires");
  EXPECT_EQ(describeBand({{0.11, seconds(10)}}, 0, 100, " %"), "fires from 11 % for 10 s");
}

}  // namespace
}  // namespace hodor::detectors
