#include "detectors/cpu_blame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr Duration kStep = milliseconds(250);

// Who used how many CPUs of how many.
struct Use {
  double own = 0;
  double others = 0;
  double stolen = 0;
  int cpus = 2;
  double effectiveCpus = 2;
  double throttled = 0;  // share of the periods
};

class CpuBlameTest : public testing::Test {
 protected:
  static CpuShares shares(const Use& use, Duration elapsed = kStep) {
    const auto of = [&](double cpus) {
      return std::chrono::duration_cast<Duration>(elapsed * cpus);
    };
    const auto periods = static_cast<std::uint64_t>(elapsed / milliseconds(1));
    return {.elapsed = elapsed,
            .effectiveCpus = use.effectiveCpus,
            .own = of(use.own),
            .machine = MachineCpu{of(use.own + use.others), of(use.stolen), use.cpus},
            .quota = ThrottledPeriods{
                periods, static_cast<std::uint64_t>(static_cast<double>(periods) * use.throttled)}};
  }
  CpuBlame after(Duration time, const Use& use) {
    for (Duration passed{}; passed < time; passed += kStep) {
      judge_.observe(shares(use));
    }
    return judge_.blame();
  }
  CpuBlame afterAWhile(const Use& use) { return after(seconds(10), use); }

  CpuBlameJudge judge_;
};

TEST_F(CpuBlameTest, KnowsNothingAtFirst) { EXPECT_EQ(judge_.blame(), CpuBlame::kUnknown); }

TEST_F(CpuBlameTest, AloneItIsTheOwnLoad) {
  EXPECT_EQ(afterAWhile({.own = 2}), CpuBlame::kSelf);
  EXPECT_EQ(judge_.explain(), "no throttling; no other processes; no steal");
}

TEST_F(CpuBlameTest, ANeighbourWithAThirdOfTheCpu) {
  EXPECT_EQ(afterAWhile({.own = 1.4, .others = 0.6}), CpuBlame::kSelf);
  EXPECT_EQ(afterAWhile({.own = 1, .others = 1}), CpuBlame::kNeighbour);
  EXPECT_THAT(judge_.explain(), HasSubstr("other processes have 50 % of the used CPU"));
}

TEST_F(CpuBlameTest, StealIsANeighbourOfTheHost) {
  EXPECT_EQ(afterAWhile({.own = 1, .stolen = 1}), CpuBlame::kNeighbour);
  EXPECT_THAT(judge_.explain(), HasSubstr("steal has 50 %"));
}

TEST_F(CpuBlameTest, OthersBesideIdleCpusAreNotToBlame) {
  EXPECT_EQ(afterAWhile({.own = 0.2, .others = 1}), CpuBlame::kSelf);
}

TEST_F(CpuBlameTest, AQuotaThatIsUsedUp) {
  EXPECT_EQ(afterAWhile({.own = 0.5, .effectiveCpus = 0.5, .throttled = 0.95}), CpuBlame::kQuota);
  EXPECT_THAT(judge_.explain(), HasSubstr("throttled in 95 % of the periods"));
}

TEST_F(CpuBlameTest, ABurstNowAndThenIsNotAQuotaThatIsTooSmall) {
  EXPECT_EQ(afterAWhile({.own = 0.3, .effectiveCpus = 0.5, .throttled = 0.2}), CpuBlame::kSelf);
}

TEST_F(CpuBlameTest, OthersOfABusyHostDoNotMatterWhileTheQuotaIsUsedUp) {
  const Use host{.own = 1.95, .others = 60, .cpus = 64, .effectiveCpus = 2, .throttled = 0.3};
  EXPECT_EQ(afterAWhile(host), CpuBlame::kSelf);
  Use throttled = host;
  throttled.throttled = 0.9;
  EXPECT_EQ(afterAWhile(throttled), CpuBlame::kQuota);
}

TEST_F(CpuBlameTest, OthersMatterWhereTheQuotaCannotBeUsed) {
  EXPECT_EQ(afterAWhile({.own = 0.6, .others = 63, .cpus = 64, .effectiveCpus = 2}),
            CpuBlame::kNeighbour);
}

TEST_F(CpuBlameTest, IsNamedWithinTwoSecondsOfItsBeginning) {
  afterAWhile({.own = 0.2});
  EXPECT_EQ(after(seconds(2), {.own = 1, .others = 1}), CpuBlame::kNeighbour);
  afterAWhile({.own = 0.2});
  EXPECT_EQ(after(seconds(2), {.own = 0.5, .effectiveCpus = 0.5, .throttled = 1}),
            CpuBlame::kQuota);
}

TEST_F(CpuBlameTest, DoesNotFlapAroundTheThreshold) {
  afterAWhile({.own = 1.2, .others = 0.8});
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(after(seconds(1), {.own = 1.4, .others = 0.6}), CpuBlame::kNeighbour);
    ASSERT_EQ(after(seconds(1), {.own = 1.2, .others = 0.8}), CpuBlame::kNeighbour);
  }
  EXPECT_EQ(afterAWhile({.own = 1.8, .others = 0.2}), CpuBlame::kSelf);
}

TEST_F(CpuBlameTest, WhatIsMissingIsUnknownNotZero) {
  CpuShares sample = shares({.own = 2});
  sample.quota.reset();
  judge_.observe(sample);
  EXPECT_EQ(judge_.blame(), CpuBlame::kUnknown);
  EXPECT_THAT(judge_.explain(), HasSubstr("throttling unknown; no other processes"));

  sample = shares({.own = 2});
  sample.machine.reset();
  judge_.observe(sample);
  EXPECT_EQ(judge_.blame(), CpuBlame::kUnknown);
  EXPECT_EQ(judge_.explain(), "no throttling; other processes and steal unknown");

  sample = shares({.own = 2});
  sample.own.reset();
  judge_.observe(sample);
  EXPECT_EQ(judge_.blame(), CpuBlame::kUnknown);
}

TEST_F(CpuBlameTest, WhatIsKnownStillNames) {
  CpuShares throttled = shares({.own = 0.5, .throttled = 1});
  throttled.machine.reset();
  judge_.observe(throttled);
  EXPECT_EQ(judge_.blame(), CpuBlame::kQuota);

  CpuBlameJudge other;
  CpuShares shared = shares({.own = 1, .others = 1});
  shared.quota.reset();
  other.observe(shared);
  EXPECT_EQ(other.blame(), CpuBlame::kNeighbour);
}

TEST_F(CpuBlameTest, TicksThatComeLateChangeNothing) {
  std::mt19937_64 random{7};
  std::uniform_int_distribution<int> millis(50, 3000);
  for (int i = 0; i < 200; ++i) {
    judge_.observe(shares({.own = 1, .others = 1}, milliseconds(millis(random))));
    ASSERT_EQ(judge_.blame(), CpuBlame::kNeighbour);
  }
  judge_.observe(shares({.own = 2}, Duration::zero()));
  EXPECT_EQ(judge_.blame(), CpuBlame::kNeighbour);
}

// More for others never turns their name into another.
TEST_F(CpuBlameTest, MoreForOthersNeverNamesUs) {
  for (double others = 0; others <= 2; others += 0.01) {
    CpuBlameJudge judge;
    judge.observe(shares({.own = 2 - others, .others = others}));
    ASSERT_EQ(judge.blame(), others / 2 >= 1.0 / 3 ? CpuBlame::kNeighbour : CpuBlame::kSelf)
        << others;
  }
}

// A clock tick of the kernel's may count what the process's exact clock does not.
TEST_F(CpuBlameTest, OwnTimeBeyondAllIsNoNegativeNeighbour) {
  EXPECT_EQ(afterAWhile({.own = 2.1, .others = -0.1}), CpuBlame::kSelf);
  EXPECT_THAT(judge_.explain(), HasSubstr("no other processes"));
}

}  // namespace
}  // namespace hodor::detectors
