#include "control/load_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

LoadSample sample(Duration elapsed, std::uint64_t completions, double inFlight, Duration latency) {
  LoadSample load;
  load.elapsed = elapsed;
  load.inFlight = inFlight;
  load.inFlightNow = static_cast<std::int64_t>(inFlight);
  load.arrivals = completions;
  load.completions = completions;
  load.successes = completions;
  load.latency = latency * static_cast<std::int64_t>(completions);
  return load;
}

TEST(EwmaTest, TakesTheFirstValueAndThenFollowsItsTimeConstant) {
  Ewma mean(seconds(1));
  EXPECT_TRUE(mean.empty());
  mean.add(10, milliseconds(1));
  EXPECT_EQ(mean.value(), 10);
  mean.add(0, seconds(1));
  EXPECT_NEAR(mean.value(), 10 * std::exp(-1.0), 1e-9);
}

TEST(EwmaTest, OneLongStepEqualsManyShortOnes) {
  Ewma once(seconds(1));
  Ewma often(seconds(1));
  once.add(1, seconds(1));
  often.add(1, seconds(1));
  once.add(5, seconds(3));
  for (int i = 0; i < 30; ++i) {
    often.add(5, milliseconds(100));
  }
  EXPECT_NEAR(once.value(), often.value(), 1e-9);
}

TEST(LoadEstimateTest, ThroughputLatencyAndSojournInSteadyState) {
  LoadEstimate load;
  for (int i = 0; i < 100; ++i) {
    load.tick(sample(milliseconds(100), 44, 2.2, milliseconds(5)));
  }
  EXPECT_NEAR(load.throughput(), 440, 1e-6);
  EXPECT_NEAR(load.arrivals(), 440, 1e-6);
  EXPECT_NEAR(load.latencyFast(), 0.005, 1e-9);
  EXPECT_NEAR(load.sojourn(), 0.005, 1e-9);
  EXPECT_NEAR(load.bestThroughput(), 440, 1e-6);
}

TEST(LoadEstimateTest, BestThroughputIsForgottenAfterThreeSeconds) {
  LoadEstimate load;
  for (int i = 0; i < 20; ++i) {
    load.tick(sample(milliseconds(100), 100, 1, milliseconds(1)));
  }
  for (int i = 0; i < 10; ++i) {
    load.tick(sample(milliseconds(100), 10, 1, milliseconds(1)));
  }
  EXPECT_NEAR(load.bestThroughput(), 1000, 1);
  for (int i = 0; i < 40; ++i) {
    load.tick(sample(milliseconds(100), 10, 1, milliseconds(1)));
  }
  EXPECT_NEAR(load.bestThroughput(), 100, 5);
}

TEST(LoadEstimateTest, FastRisesBeforeSlow) {
  LoadEstimate load;
  for (int i = 0; i < 300; ++i) {
    load.tick(sample(milliseconds(100), 10, 1, milliseconds(2)));
  }
  for (int i = 0; i < 10; ++i) {
    load.tick(sample(milliseconds(100), 10, 1, milliseconds(100)));
  }
  EXPECT_GT(load.latencyFast(), 5 * load.latencySlow());
}

TEST(LoadEstimateTest, NoAnswersLeaveTheLatencyAsItWas) {
  LoadEstimate load;
  EXPECT_EQ(load.latencyFast(), 0);
  load.tick(sample(milliseconds(100), 10, 1, milliseconds(2)));
  load.tick(sample(milliseconds(100), 0, 50, milliseconds(0)));
  EXPECT_NEAR(load.latencyFast(), 0.002, 1e-9);
}

}  // namespace
}  // namespace hodor::control
