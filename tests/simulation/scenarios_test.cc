#include "scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <string>

#include "world.h"

namespace hodor::simulation {
namespace {

std::string testName(const testing::TestParamInfo<Scenario>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

void print(const Scenario& scenario, const char* who, const Outcome& outcome) {
  std::printf(
      "%-30s %-7s served %.3f of the limit, rejected %5.1f %%, first after %5.2f s, p99 %6.0f ms, "
      "from 5 s on %6.0f ms\n",
      scenario.name.c_str(), who, outcome.share(scenario),
      100 * outcome.rejected / std::max(outcome.arrivals, 1.0), outcome.firstRejection,
      outcome.p99 * 1e3, outcome.settledP99 * 1e3);
}

// What is served in time in the whole overload, detection included, as a share of what is possible.
const std::map<std::string, double> kGoals = {
    {"A1.2", 0.95}, {"A2", 0.95},    {"A5", 0.95},     {"A2hv", 0.95},  {"A.2ms", 0.95},
    {"A50", 0.95},  {"retry", 0.95}, {"B2", 0.95},     {"Bslow", 0.80}, {"C2", 0.90},
    {"D", 0.95},    {"E2", 0.95},    {"EBslow", 0.80}, {"cold", 0.95}};

class OverloadScenarioTest : public testing::TestWithParam<Scenario> {};

TEST_P(OverloadScenarioTest, MostOfWhatIsPossibleIsServed) {
  const Scenario& scenario = GetParam();
  print(scenario, "without", World(scenario, World::Agent::kNone).run());
  const Outcome outcome = World(scenario, World::Agent::kRequestsAndConnections).run();
  print(scenario, "with", outcome);
  EXPECT_GE(outcome.share(scenario), kGoals.at(scenario.name));
}

INSTANTIATE_TEST_SUITE_P(ControlLaw, OverloadScenarioTest, testing::ValuesIn(overloads()),
                         testName);

class HealthyScenarioTest : public testing::TestWithParam<Scenario> {};

TEST_P(HealthyScenarioTest, NothingIsRejected) {
  const Outcome outcome = World(GetParam(), World::Agent::kRequestsAndConnections).run();
  print(GetParam(), "with", outcome);
  EXPECT_GT(outcome.arrivals, 0);
  EXPECT_EQ(outcome.rejected, 0);
}

INSTANTIATE_TEST_SUITE_P(ControlLaw, HealthyScenarioTest, testing::ValuesIn(healthy()), testName);

TEST(WorldTest, TheSameSeedGivesTheSameRun) {
  const Scenario scenario = overloads()[1];
  const Outcome first = World(scenario, World::Agent::kRequestsAndConnections).run();
  const Outcome second = World(scenario, World::Agent::kRequestsAndConnections).run();
  EXPECT_EQ(first.arrivals, second.arrivals);
  EXPECT_EQ(first.served, second.served);
  EXPECT_EQ(first.p99, second.p99);
}

}  // namespace
}  // namespace hodor::simulation
