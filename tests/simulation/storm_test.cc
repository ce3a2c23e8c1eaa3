#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <numeric>

#include "scenarios.h"
#include "world.h"

namespace hodor::simulation {
namespace {

// Served in time from 3 s after the step, as a share of the limit.
double settledShare(const Scenario& scenario, const Outcome& outcome) {
  constexpr double kTransient = 3;
  const auto from = static_cast<std::ptrdiff_t>(scenario.from + kTransient);
  const auto to = static_cast<std::ptrdiff_t>(scenario.to);
  const auto& served = outcome.servedPerSecond;
  return std::accumulate(served.begin() + from, served.begin() + to, 0.0) /
         static_cast<double>(to - from) / scenario.limit;
}

double afterwards(const Scenario& scenario, const Outcome& outcome) {
  return outcome.servedPerSecond[static_cast<std::size_t>(scenario.end) - 1];
}

// With the answers in the second before the step, in the first five after it, and in the last two.
void print(const char* name, double multiple, const Scenario& scenario, const Outcome& outcome) {
  const auto from = static_cast<std::size_t>(scenario.from);
  const auto& served = outcome.servedPerSecond;
  std::printf("%-12s %3.1fx: from 3 s on %.3f of the limit; answers/s %.0f |", name, multiple,
              settledShare(scenario, outcome), served[from - 1]);
  for (std::size_t i = from; i < from + 5; ++i) {
    std::printf(" %.0f", served[i]);
  }
  std::printf(" ... %.0f %.0f\n", served[served.size() - 2], served.back());
}

TEST(StormTest, WithoutAnAgentItDoesNotComeBackWhenTheLoadFalls) {
  const Scenario scenario = storm(5, false);
  const Outcome outcome = World(scenario, World::Agent::kNone).run();
  print("without", 5, scenario, outcome);
  EXPECT_LT(settledShare(scenario, outcome), 0.05);
  EXPECT_EQ(afterwards(scenario, outcome), 0);
}

// The same service, the same requests: what differs is how long the code that says no takes in its
// first two seconds. Connections are not limited.
TEST(StormTest, UnderOneLoadThereAreTwoStates) {
  const Scenario warm = storm(16, false);
  const Outcome good = World(warm, World::Agent::kOnlyRequests).run();
  print("with, warm", 16, warm, good);
  const Scenario cold = storm(16, true);
  const Outcome bad = World(cold, World::Agent::kOnlyRequests).run();
  print("with, cold", 16, cold, bad);
  EXPECT_GE(settledShare(warm, good), 0.95);
  EXPECT_LT(settledShare(cold, bad), 0.05);
}

TEST(StormTest, LimitingConnectionsLeadsOutOfTheBadState) {
  for (const double multiple : {16.0, 20.0, 40.0}) {
    const Scenario scenario = storm(multiple, true);
    const Outcome outcome = World(scenario, World::Agent::kRequestsAndConnections).run();
    print("limited", multiple, scenario, outcome);
    EXPECT_GE(settledShare(scenario, outcome), 0.90) << multiple;
    EXPECT_GT(afterwards(scenario, outcome), 0.4 * scenario.limit);
  }
}

TEST(StormTest, ColdUpToTenTimes) {
  for (const double multiple : {1.2, 2.0, 5.0, 10.0}) {
    const Scenario scenario = storm(multiple, true);
    const Outcome outcome = World(scenario, World::Agent::kRequestsAndConnections).run();
    print("with, cold", multiple, scenario, outcome);
    EXPECT_GE(settledShare(scenario, outcome), 0.93) << multiple;
    EXPECT_GT(afterwards(scenario, outcome), 0.4 * scenario.limit);
  }
}

}  // namespace
}  // namespace hodor::simulation
