#include "control/backlog_gate.h"

#include <gtest/gtest.h>

namespace hodor::control {
namespace {

BacklogGate::Input backlog(std::int64_t inFlight) {
  BacklogGate::Input input;
  input.inFlight = inFlight;
  input.effectiveCpus = 1;
  input.healthyInFlight = 1;
  input.healthyLatency = 0.003;
  input.bestThroughput = 400;
  input.evidence = true;
  return input;
}

TEST(BacklogGateTest, ABacklogOfMoreThanHalfASecondTripsInTheSecondTick) {
  BacklogGate gate;
  EXPECT_FALSE(gate.tick(backlog(10)));
  EXPECT_FALSE(gate.tick(backlog(210)));
  EXPECT_TRUE(gate.tick(backlog(300)));
  EXPECT_NEAR(gate.excess(), 0.747, 1e-9);
}

TEST(BacklogGateTest, LessThanHalfASecondDoesNot) {
  BacklogGate gate;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(gate.tick(backlog(195)));
  }
}

// What a pause has left is above the limit for one tick and falls from then on.
TEST(BacklogGateTest, WhatDrainsDoesNotTrip) {
  BacklogGate gate;
  EXPECT_FALSE(gate.tick(backlog(290)));
  for (std::int64_t inFlight = 280; inFlight > 0; inFlight -= 40) {
    // Two ticks ago there were more, from the second tick on; the first one is the only one above.
    EXPECT_FALSE(gate.tick(backlog(inFlight - 80))) << inFlight;
  }
}

TEST(BacklogGateTest, AFallInBetweenStartsTheCountAgain) {
  BacklogGate gate;
  gate.tick(backlog(400));
  EXPECT_FALSE(gate.tick(backlog(150)));
  EXPECT_FALSE(gate.tick(backlog(300)));  // fewer than two ticks ago
  EXPECT_FALSE(gate.tick(backlog(400)));
  EXPECT_TRUE(gate.tick(backlog(410)));
}

TEST(BacklogGateTest, WithoutEvidenceASlowDownstreamIsNoOverload) {
  BacklogGate gate;
  for (int i = 0; i < 10; ++i) {
    BacklogGate::Input input = backlog(1000);
    input.evidence = false;
    EXPECT_FALSE(gate.tick(input));
  }
}

TEST(BacklogGateTest, AServiceOfSecondsIsNormalForItself) {
  BacklogGate gate;
  for (int i = 0; i < 10; ++i) {
    BacklogGate::Input input = backlog(8);
    input.healthyInFlight = 4;
    input.healthyLatency = 2;
    input.bestThroughput = 2;  // 4 s now
    EXPECT_FALSE(gate.tick(input));
  }
}

TEST(BacklogGateTest, FewRequestsAreNeverABacklog) {
  BacklogGate gate;
  for (int i = 0; i < 10; ++i) {
    BacklogGate::Input input = backlog(2);
    input.bestThroughput = 1;  // one request a second
    EXPECT_FALSE(gate.tick(input));
  }
}

TEST(BacklogGateTest, ThroughputUnknownIsNoBacklog) {
  BacklogGate gate;
  for (int i = 0; i < 10; ++i) {
    BacklogGate::Input input = backlog(1000);
    input.bestThroughput = 0;
    EXPECT_FALSE(gate.tick(input));
  }
}

}  // namespace
}  // namespace hodor::control
