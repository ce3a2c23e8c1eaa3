#include "control/overload_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

// A service that completes 440 requests a second and has seen half of that.
class OverloadGateTest : public testing::Test {
 protected:
  OverloadGateTest() {
    input_.effectiveCpus = 1;
    input_.healthyInFlight = 1;
    input_.healthyLatency = 0.003;
    input_.learned = true;
    input_.bestThroughput = 440;
    input_.arrivals = 440;
    input_.completions = 440;
    input_.cpuUse = 1;
    input_.cpuBound = true;
  }

  Cause tick(double backlog, Duration elapsed = kTick) {
    now_ += elapsed;
    input_.now = now_;
    input_.elapsed = elapsed;
    input_.backlog = backlog;
    return gate_.tick(input_);
  }

  // Ticks until it trips while the backlog grows by `perTick`, or -1.
  int ticksToTrip(double perTick, int most = 200) {
    for (int i = 1; i <= most; ++i) {
      if (tick(perTick * i) != Cause::kNone) {
        return i;
      }
    }
    return -1;
  }

  OverloadGate gate_;
  OverloadGate::Input input_;
  Instant now_ = seconds(50);
};

// 5x: 1,760 requests a second too many.
TEST_F(OverloadGateTest, AStepToFiveTimesTripsWithinThreeTicks) {
  EXPECT_EQ(ticksToTrip(176), 3);
  EXPECT_NEAR(gate_.excess(), 3 * 176 / 440.0 - 0.003, 1e-9);
}

TEST_F(OverloadGateTest, AStepToTwiceTripsWithinASecond) { EXPECT_EQ(ticksToTrip(44), 7); }

TEST_F(OverloadGateTest, AFifthTooMuchTripsWithinTwoAndAHalfSeconds) {
  const int ticks = ticksToTrip(8.8);
  EXPECT_GT(ticks, 10);
  EXPECT_LE(ticks, 25);
}

// The best throughput of a server at half load is half of its capacity. Completions per CPU time
// tell better.
TEST_F(OverloadGateTest, AtHalfLoadTheCpuTellsTheCapacity) {
  input_.bestThroughput = 220;
  input_.completions = 220;
  input_.cpuUse = 0.5;
  input_.cpuBound = false;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(tick(1), Cause::kNone);
  }
  input_.cpuBound = true;
  tick(88);
  EXPECT_NEAR(gate_.wait(), 0.2, 1e-9);
}

// 300 ms of twice the capacity at a mean of 0.5 of it: 132 too many, which drain within 600 ms.
TEST_F(OverloadGateTest, AShortBurstDoesNotTrip) {
  for (int burst = 0; burst < 20; ++burst) {
    for (const double backlog : {1.0, 44.0, 88.0, 132.0, 110.0, 88.0, 66.0, 44.0, 22.0, 1.0}) {
      ASSERT_EQ(tick(backlog), Cause::kNone);
    }
  }
}

TEST_F(OverloadGateTest, WhatAPauseLeavesDrains) {
  input_.paused = true;
  for (int i = 1; i <= 5; ++i) {
    ASSERT_EQ(tick(40.0 * i), Cause::kNone);
  }
  input_.paused = false;
  for (double backlog = 220; backlog > 1; backlog -= 22) {
    ASSERT_EQ(tick(backlog), Cause::kNone) << backlog;
  }
}

TEST_F(OverloadGateTest, AServiceThatOnlyBecameSlowerIsNone) {
  input_.cpuBound = false;
  input_.cpuUse = 0.1;
  for (int i = 0; i < 300; ++i) {
    // Four times as many in flight, none of them more than complete.
    ASSERT_EQ(tick(std::min(100, 25 + 10 * i)), Cause::kNone);
  }
}

TEST_F(OverloadGateTest, RequestsThatPileUpWithoutAReasonOfOursAreTheDownstreams) {
  input_.cpuBound = false;
  input_.cpuUse = 0.1;
  input_.arrivals = 880;
  Cause cause = Cause::kNone;
  for (int i = 1; i < 20 && cause == Cause::kNone; ++i) {
    cause = tick(44.0 * i);
  }
  EXPECT_EQ(cause, Cause::kDownstream);
}

TEST_F(OverloadGateTest, AWaitForAThreadIsTheQueues) {
  input_.cpuBound = false;
  input_.cpuUse = 0.1;
  input_.wait = milliseconds(120);
  Cause cause = Cause::kNone;
  for (int i = 1; i < 40 && cause == Cause::kNone; ++i) {
    cause = tick(40);
  }
  EXPECT_EQ(cause, Cause::kQueue);
}

// Two threads, both hang: their requests are all there is, but those behind them wait.
TEST_F(OverloadGateTest, ASmallPoolThatHangsIsTheQueues) {
  input_.cpuBound = false;
  input_.cpuUse = 0;
  input_.effectiveCpus = 8;
  input_.completions = 0;
  Cause cause = Cause::kNone;
  int ticks = 0;
  while (cause == Cause::kNone && ticks < 20) {
    ++ticks;
    input_.wait = ticks * kTick;
    cause = tick(3);
  }
  EXPECT_EQ(cause, Cause::kQueue);
  EXPECT_LE(ticks, 8);
}

TEST_F(OverloadGateTest, AServiceOfSecondsIsNormalForItself) {
  input_.healthyInFlight = 4;
  input_.healthyLatency = 2;
  input_.bestThroughput = 2;  // 4 s now
  input_.completions = 2;
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(tick(8), Cause::kNone);
  }
}

TEST_F(OverloadGateTest, FewRequestsAreNeverABacklog) {
  input_.bestThroughput = 1;  // one request a second
  input_.completions = 1;
  input_.wait = milliseconds(400);
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(tick(2), Cause::kNone);
  }
}

TEST_F(OverloadGateTest, TheFirstRequestsOfAColdJvmAreNoOverload) {
  input_.learned = false;
  input_.healthyLatency = 0.0001;
  input_.bestThroughput = 5;
  input_.completions = 5;
  for (int i = 0; i < 15; ++i) {
    ASSERT_EQ(tick(10), Cause::kNone);
  }
  for (double backlog = 8; backlog > 0; --backlog) {
    ASSERT_EQ(tick(backlog), Cause::kNone);
  }
}

TEST_F(OverloadGateTest, AStartIntoAStormIsOneWithinSeconds) {
  input_.learned = false;
  input_.bestThroughput = 50;
  input_.completions = 50;
  EXPECT_GT(ticksToTrip(100), 10);
  EXPECT_LE(now_ - seconds(50), seconds(3));
}

TEST_F(OverloadGateTest, AfterAnOverloadItTripsSooner) {
  input_.overloaded = true;
  tick(1);
  input_.overloaded = false;
  tick(1);
  const int alert = ticksToTrip(8.8);
  for (int i = 0; i < 400; ++i) {
    tick(1);
  }
  EXPECT_LT(alert, ticksToTrip(8.8));
}

// A tick that comes 3 s late says what is there now, not what was there for 3 s.
TEST_F(OverloadGateTest, OneLateTickIsNoProof) {
  EXPECT_EQ(tick(1), Cause::kNone);
  EXPECT_EQ(tick(140, seconds(3)), Cause::kNone);
  EXPECT_EQ(tick(500, seconds(3)), Cause::kCpu) << "both say that it was at least 140";
}

// A process that was stopped for a second finds what has come meanwhile, and works it off.
TEST_F(OverloadGateTest, WhatAStoppedProcessFindsDrains) {
  EXPECT_EQ(tick(1), Cause::kNone);
  EXPECT_EQ(tick(440, seconds(1)), Cause::kNone);
  EXPECT_EQ(tick(460), Cause::kNone) << "cold caches, clients that come again";
  EXPECT_EQ(tick(470), Cause::kNone);
  EXPECT_EQ(tick(460), Cause::kNone);
  for (int backlog = 440; backlog > 0; backlog -= 22) {
    EXPECT_EQ(tick(backlog), Cause::kNone) << backlog;
  }
}

// While nobody came the ticks were rare. Their first one finds the beginning of a storm.
TEST_F(OverloadGateTest, ARestDoesNotDelayIt) {
  EXPECT_EQ(tick(0), Cause::kNone);
  input_.rested = true;
  EXPECT_EQ(tick(176, seconds(10)), Cause::kNone);
  input_.rested = false;
  EXPECT_EQ(tick(352), Cause::kNone);
  EXPECT_EQ(tick(528), Cause::kCpu);
}

TEST_F(OverloadGateTest, ItIsQuietOnceTheBacklogHasGone) {
  tick(300);
  EXPECT_FALSE(gate_.quiet());
  tick(2);
  EXPECT_TRUE(gate_.quiet());
}

// A third of an hour at 0.9 of 450/s: Poisson arrivals, fixed work.
TEST_F(OverloadGateTest, ChanceAtHighLoadNeverTrips) {
  std::mt19937_64 random(17);
  std::poisson_distribution<int> arrivals(0.9 * 45);
  double backlog = 0;
  for (int i = 0; i < 12000; ++i) {
    const int come = arrivals(random);
    const double served = std::min(backlog + come, 45.0);
    backlog += come - served;
    input_.bestThroughput = 430;
    input_.arrivals = come * 10;
    input_.completions = served * 10;
    input_.healthyInFlight = 4;
    ASSERT_EQ(tick(backlog), Cause::kNone) << i;
  }
}

// Whatever comes: no trip while every backlog is below what counts, always one when each is above.
TEST_F(OverloadGateTest, RandomBacklogsTripOnlyAboveTheFirstBand) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> below(0, 0.05 * 440);
  std::uniform_real_distribution<double> above(0.6 * 440, 5 * 440);
  std::uniform_int_distribution<int> millis(20, 300);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(tick(below(random), milliseconds(millis(random))), Cause::kNone);
  }
  double backlog = above(random);
  for (int i = 0; i < 5000; ++i) {
    backlog = std::max(backlog, above(random));  // not draining
    const Cause cause = tick(backlog, milliseconds(millis(random)));
    ASSERT_TRUE(i < 2 || cause == Cause::kCpu);
  }
}

// Where ticks are always late, as under thousands of threads, a band decides: 0.2 s for 1 s.
TEST_F(OverloadGateTest, LateTicksDelayItByNoMoreThanABand) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> millis(200, 900);
  double backlog = 300;
  tick(backlog, milliseconds(900));
  const Instant begin = now_;
  for (int i = 0; i < 1000; ++i) {
    const Cause cause = tick(++backlog, milliseconds(millis(random)));
    ASSERT_TRUE(now_ - begin < seconds(1) || cause == Cause::kCpu) << i;
  }
}

}  // namespace
}  // namespace hodor::control
