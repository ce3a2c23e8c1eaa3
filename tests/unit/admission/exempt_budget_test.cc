#include "admission/exempt_budget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace hodor::admission {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kStart = std::chrono::hours(1000);

int taken(ExemptBudget& budget, int requests, Instant now) {
  int passed = 0;
  for (int i = 0; i < requests; ++i) {
    passed += budget.take(now) ? 1 : 0;
  }
  return passed;
}

TEST(ExemptBudgetTest, WhatIsBeyondTheLimitOfASecondDoesNotPass) {
  ExemptBudget budget;
  budget.setLimit(5);
  EXPECT_EQ(taken(budget, 7, kStart), 5);
  EXPECT_EQ(taken(budget, 3, kStart + milliseconds(999)), 0);
  EXPECT_EQ(budget.passed(), 5U);
  EXPECT_EQ(budget.beyond(), 5U);
}

TEST(ExemptBudgetTest, EachSecondBeginsAnew) {
  ExemptBudget budget;
  budget.setLimit(5);
  EXPECT_EQ(taken(budget, 7, kStart), 5);
  EXPECT_EQ(taken(budget, 7, kStart + seconds(1)), 5);
  EXPECT_EQ(taken(budget, 7, kStart + seconds(100)), 5);
}

TEST(ExemptBudgetTest, AThreadThatIsLateOpensNoSecondTwice) {
  ExemptBudget budget;
  budget.setLimit(5);
  EXPECT_EQ(taken(budget, 3, kStart + seconds(1)), 3);
  EXPECT_EQ(taken(budget, 3, kStart), 2);
  EXPECT_EQ(taken(budget, 3, kStart + seconds(1)), 0);
}

TEST(ExemptBudgetTest, NothingIsBeyondALimitThatNobodyHasSet) {
  ExemptBudget budget;
  EXPECT_EQ(taken(budget, 100'000, kStart), 100'000);
  EXPECT_EQ(budget.beyond(), 0U);
}

TEST(ExemptBudgetTest, ALimitIsInForceFromTheNextRequestOn) {
  ExemptBudget budget;
  budget.setLimit(1);
  EXPECT_EQ(taken(budget, 2, kStart), 1);
  budget.setLimit(3);
  EXPECT_EQ(taken(budget, 4, kStart), 2);
  budget.setLimit(2);
  EXPECT_EQ(taken(budget, 4, kStart), 0);
}

TEST(ExemptBudgetTest, ThreadsTogetherGetNoMoreThanOne) {
  constexpr int kThreads = 4;
  constexpr int kRequests = 10'000;
  constexpr std::uint32_t kLimit = 7777;
  ExemptBudget budget;
  budget.setLimit(kLimit);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] { taken(budget, kRequests, kStart); });
    }
  }
  EXPECT_EQ(budget.passed(), kLimit);
  EXPECT_EQ(budget.passed() + budget.beyond(), std::uint64_t{kThreads} * kRequests);
}

}  // namespace
}  // namespace hodor::admission
