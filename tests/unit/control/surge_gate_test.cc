#include "control/surge_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;

constexpr Duration kTick = milliseconds(100);

class SurgeGateTest : public testing::Test {
 protected:
  void learn(double depth, int ticks = 600) {
    for (int i = 0; i < ticks; ++i) {
      ASSERT_FALSE(gate_.tick(kTick, depth, 0.5, true));
    }
  }

  // Ticks until it trips, or -1.
  int ticksToTrip(double depth, double cpuUse, int most = 100) {
    for (int i = 1; i <= most; ++i) {
      if (gate_.tick(kTick, depth, cpuUse, false)) {
        return i;
      }
    }
    return -1;
  }

  SurgeGate gate_;
};

TEST_F(SurgeGateTest, AStepTripsWithinAFewTicks) {
  learn(0.8);
  EXPECT_EQ(ticksToTrip(20, 1), 6);
}

TEST_F(SurgeGateTest, WhatIsNormalForTheServiceIsNoSurge) {
  learn(7.9);
  EXPECT_EQ(ticksToTrip(10, 1), -1);
  EXPECT_GT(ticksToTrip(40, 1), 0);
}

TEST_F(SurgeGateTest, ADepthBelowEightIsNever) {
  learn(0.1);
  EXPECT_EQ(ticksToTrip(7.9, 1), -1);
}

TEST_F(SurgeGateTest, WithoutABusyCpuItIsANeighbour) {
  learn(0.8);
  EXPECT_EQ(ticksToTrip(30, 0.5), -1);
}

TEST_F(SurgeGateTest, ABurstThatDrainsDoesNotTrip) {
  learn(0.8);
  for (const double depth : {12.0, 24.0, 36.0}) {
    EXPECT_FALSE(gate_.tick(kTick, depth, 1, false));
  }
  for (double depth = 30; depth > 1; depth *= 0.8) {
    EXPECT_FALSE(gate_.tick(kTick, depth, 1, false)) << depth;
  }
}

TEST_F(SurgeGateTest, OneLateTickIsNotEnough) {
  learn(0.8);
  EXPECT_FALSE(gate_.tick(std::chrono::seconds(3), 60, 1, false));
}

TEST_F(SurgeGateTest, StaleForgets) {
  learn(0.8);
  gate_.tick(kTick, 30, 1, false);
  gate_.tick(kTick, 30, 1, false);
  gate_.stale();
  EXPECT_EQ(ticksToTrip(20, 1), 6);
}

// A third of an hour at 0.9 of 450/s: Poisson arrivals, fixed work. The peaks are high, but they
// are part of what was learned. (A few are left: chance alone cannot be told from a small step.)
TEST_F(SurgeGateTest, ChanceAtHighLoadSeldomTrips) {
  std::mt19937_64 random(17);
  std::poisson_distribution<int> arrivals(0.9 * 45);
  double queue = 0;
  int begins = 0;
  bool tripped = false;
  for (int i = 0; i < 12000; ++i) {
    queue = std::max(0.0, queue + arrivals(random) - 45);
    const bool now = gate_.tick(kTick, queue, queue > 0 ? 1 : 0.9, true);
    begins += now && !tripped ? 1 : 0;
    tripped = now;
  }
  EXPECT_LE(begins, 6);
}

}  // namespace
}  // namespace hodor::control
