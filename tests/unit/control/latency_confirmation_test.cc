#include "control/latency_confirmation.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::control {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

class LatencyConfirmationTest : public testing::Test {
 protected:
  bool tick(std::uint64_t answers, Duration each, double waiting = 0,
            Duration elapsed = milliseconds(100)) {
    input_.now += elapsed;
    input_.answers = answers;
    input_.latency = each * static_cast<std::int64_t>(answers);
    input_.waiting = waiting;
    return confirmation_.tick(input_);
  }

  LatencyConfirmationTest() { input_.now = seconds(10); }

  void learn(double latency) { input_.healthyLatency = latency; }

  LatencyConfirmation confirmation_;
  LatencyConfirmation::Input input_;
};

TEST_F(LatencyConfirmationTest, WithoutAnAnswerADetectorIsBelieved) {
  EXPECT_TRUE(tick(0, {}));
  learn(0.003);
  EXPECT_TRUE(tick(0, {}));
}

TEST_F(LatencyConfirmationTest, InAColdJvmRequestsSufferFromATenthOfASecondOn) {
  EXPECT_FALSE(tick(20, milliseconds(40)));
  EXPECT_TRUE(tick(20, milliseconds(40), 0.2));
  EXPECT_TRUE(tick(20, seconds(2), 0, seconds(3)));
}

TEST_F(LatencyConfirmationTest, AsInHealthyTimesRefutes) {
  learn(0.003);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(tick(20, milliseconds(3)));
  }
  EXPECT_EQ(confirmation_.explain(), "latency 3.0 ms, normally 3.0 ms");
}

TEST_F(LatencyConfirmationTest, ARiseIsSlightBelowATwentiethOfASecond) {
  EXPECT_FALSE(confirmation_.isSlight());
  learn(0.003);
  tick(20, milliseconds(52));
  EXPECT_TRUE(confirmation_.isSlight());
  tick(20, milliseconds(52), 0.054);
  EXPECT_FALSE(confirmation_.isSlight());
  tick(0, {}, 0, seconds(6));
  EXPECT_FALSE(confirmation_.isSlight());
}

TEST_F(LatencyConfirmationTest, ARiseConfirmsWithinASecond) {
  learn(0.003);
  for (int i = 0; i < 30; ++i) {
    tick(20, milliseconds(3));
  }
  int ticks = 1;
  while (!tick(20, milliseconds(12)) && ticks < 50) {
    ++ticks;
  }
  EXPECT_LE(ticks, 5);
}

TEST_F(LatencyConfirmationTest, WhatWaitsCountsBeforeItIsAnswered) {
  learn(0.003);
  tick(20, milliseconds(3));
  EXPECT_TRUE(tick(0, {}, 0.2));
}

TEST_F(LatencyConfirmationTest, NoTrafficIsUnknownAfterAWhile) {
  learn(0.003);
  EXPECT_FALSE(tick(20, milliseconds(3)));
  EXPECT_FALSE(tick(0, {}, 0, seconds(4)));
  EXPECT_TRUE(tick(0, {}, 0, seconds(2)));
}

TEST_F(LatencyConfirmationTest, OneRequestASecondCountsInFull) {
  learn(0.5);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(tick(1, milliseconds(500), 0, seconds(1)));
  }
  tick(1, milliseconds(1000), 0, seconds(1));
  EXPECT_TRUE(tick(1, milliseconds(1000), 0, seconds(1)));
}

// 5 % of the requests take 200 ms, the others 2: the mean is 12 and stays there.
TEST_F(LatencyConfirmationTest, TwoKindsOfRequestsAreOneMean) {
  learn(0.0119);
  std::mt19937_64 random(3);
  std::binomial_distribution<int> slow(40, 0.05);
  int confirmed = 0;
  for (int i = 0; i < 3000; ++i) {
    const int some = slow(random);
    const Duration sum = some * milliseconds(200) + (40 - some) * milliseconds(2);
    confirmed += tick(40, sum / 40) ? 1 : 0;
  }
  EXPECT_LT(confirmed, 30);
}

TEST_F(LatencyConfirmationTest, TimeThatStandsStillIsHarmless) {
  learn(0.003);
  EXPECT_FALSE(tick(20, milliseconds(3), 0, Duration(0)));
  EXPECT_FALSE(tick(20, milliseconds(3), 0, -seconds(3)));
  EXPECT_FALSE(tick(20, microseconds(2900), 0, Duration(0)));
}

}  // namespace
}  // namespace hodor::control
