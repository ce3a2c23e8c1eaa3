#include "control/percentage_law.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

LawInput tickOf(double arrivals, double completions, bool overloaded, bool pressure) {
  LawInput in;
  in.load.elapsed = kTick;
  in.load.arrivals = static_cast<std::uint64_t>(arrivals * toSeconds(kTick));
  in.load.completions = static_cast<std::uint64_t>(completions * toSeconds(kTick));
  in.overloaded = overloaded;
  in.pressure = pressure;
  return in;
}

TEST(PercentageLawTest, NothingWithoutOverload) {
  PercentageLaw law;
  EXPECT_EQ(law.tick(tickOf(1000, 1000, false, false)), std::nullopt);
}

TEST(PercentageLawTest, RisesUnderPressureAndNeverTakesAll) {
  PercentageLaw law;
  double before = 0;
  for (int i = 0; i < 100; ++i) {
    const auto share = law.tick(tickOf(1000, 100, true, true));
    ASSERT_TRUE(share);
    EXPECT_GE(*share, before);
    EXPECT_LE(*share, PercentageLaw::kMaxShare);
    before = *share;
  }
  EXPECT_GT(before, 0.9);
}

TEST(PercentageLawTest, YieldsWithoutPressureDownToNothing) {
  PercentageLaw law;
  for (int i = 0; i < 20; ++i) {
    law.tick(tickOf(1000, 100, true, true));
  }
  double share = 1;
  for (int i = 0; i < 120; ++i) {
    const double next = *law.tick(tickOf(1000, 1000, true, false));
    EXPECT_LE(next, share);
    share = next;
  }
  EXPECT_EQ(share, 0);
}

TEST(PercentageLawTest, StartsAgainFromNothingAfterAnEnd) {
  PercentageLaw law;
  for (int i = 0; i < 20; ++i) {
    law.tick(tickOf(1000, 100, true, true));
  }
  law.tick(tickOf(100, 100, false, false));
  for (int i = 0; i < 40; ++i) {
    law.tick(tickOf(100, 100, false, false));
  }
  EXPECT_LT(*law.tick(tickOf(100, 100, true, false)), 0.05);
}

// Closed loop: capacity 500/s, offered 1000/s, a backlog is what makes pressure.
TEST(PercentageLawTest, ConvergesToTheSurplusOfASimpleService) {
  PercentageLaw law;
  double backlog = 500;
  double share = 0;
  double sum = 0;
  int ticks = 0;
  for (int i = 0; i < 1200; ++i) {
    const double admitted = 100 * (1 - share);
    const double served = std::min(50.0, backlog + admitted);
    backlog += admitted - served;
    share = *law.tick(tickOf(1000, served * 10, true, backlog > 20));
    if (i > 300) {
      sum += share;
      ++ticks;
    }
  }
  EXPECT_NEAR(sum / ticks, 0.55, 0.1);
  EXPECT_LT(backlog, 500);
}

}  // namespace
}  // namespace hodor::control
