#include "control/calm.h"

#include <gtest/gtest.h>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;

class CalmTest : public testing::Test {
 protected:
  CalmTest() {
    calm_.onEnd([this] { ++woken_; });
  }

  bool tick(Duration after, bool stirs = false) {
    now_ += after;
    return calm_.tick(now_, stirs, inFlight_, effectiveCpus_);
  }
  void calmDown() {
    tick(milliseconds(100));
    ASSERT_TRUE(tick(milliseconds(1000)));
  }

  Calm calm_;
  Instant now_{std::chrono::hours(1)};
  double inFlight_ = 10;
  double effectiveCpus_ = 2;
  int woken_ = 0;
};

TEST_F(CalmTest, ItIsCalmOnceNothingStirredForASecond) {
  EXPECT_FALSE(tick(milliseconds(100)));
  EXPECT_FALSE(tick(milliseconds(999)));
  EXPECT_TRUE(tick(milliseconds(1)));
  EXPECT_TRUE(tick(Calm::kPeriod));
}

TEST_F(CalmTest, WhatStirsBeginsTheSecondAfresh) {
  calmDown();
  EXPECT_FALSE(tick(milliseconds(100), true));
  EXPECT_FALSE(tick(milliseconds(100)));
  EXPECT_FALSE(tick(milliseconds(900)));
  EXPECT_TRUE(tick(milliseconds(100)));
}

TEST_F(CalmTest, MoreInFlightThanUsualWakesOnce) {
  calmDown();
  calm_.look(20, {});
  EXPECT_EQ(woken_, 0);
  calm_.look(21, {});
  calm_.look(22, {});
  EXPECT_EQ(woken_, 1);
  EXPECT_TRUE(tick(milliseconds(100)));  // it was chance: the next one is watched for again
  calm_.look(21, {});
  EXPECT_EQ(woken_, 2);
}

TEST_F(CalmTest, TwoForEachCpuAreNeverMany) {
  inFlight_ = 0.1;
  effectiveCpus_ = 8;
  calmDown();
  calm_.look(16, {});
  EXPECT_EQ(woken_, 0);
  calm_.look(17, {});
  EXPECT_EQ(woken_, 1);
}

TEST_F(CalmTest, ALateBeatWakes) {
  calmDown();
  calm_.look(0, Calm::kLateBeat);
  EXPECT_EQ(woken_, 0);
  calm_.look(0, Calm::kLateBeat + Duration(1));
  EXPECT_EQ(woken_, 1);
}

TEST_F(CalmTest, NobodyIsWokenWhoTicksAnyway) {
  calm_.look(1000, std::chrono::seconds(1));
  tick(milliseconds(100));
  calm_.look(1000, std::chrono::seconds(1));
  calmDown();
  tick(milliseconds(100), true);
  calm_.look(1000, std::chrono::seconds(1));
  EXPECT_EQ(woken_, 0);
}

}  // namespace
}  // namespace hodor::control
