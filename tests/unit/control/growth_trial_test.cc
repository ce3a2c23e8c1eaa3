#include "control/growth_trial.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Verdict = GrowthTrial::Verdict;

// A service that completes `rate` requests a second, whatever is in flight, or in proportion to it.
class GrowthTrialTest : public testing::Test {
 protected:
  Verdict tick(double inFlight, double rate) {
    now_ += kTick;
    return trial_.tick({.now = now_,
                        .elapsed = kTick,
                        .inFlight = inFlight,
                        .completions = rate * toSeconds(kTick),
                        .sojourn = inFlight / std::max(rate, 1.0)});
  }

  // Until something is to be done, at most `patience`.
  Verdict next(double inFlight, double rate, Duration patience = seconds(30)) {
    const Instant deadline = now_ + patience;
    while (now_ < deadline) {
      if (const Verdict verdict = tick(inFlight, rate); verdict != Verdict::kWait) {
        return verdict;
      }
    }
    return Verdict::kWait;
  }

  static constexpr Duration kTick = milliseconds(100);

  GrowthTrial trial_;
  Instant now_ = seconds(100);
};

TEST_F(GrowthTrialTest, WhatServesMoreIsKeptWithinFiveSeconds) {
  const Instant start = now_;
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_TRUE(trial_.raised());
  EXPECT_GE(now_ - start, seconds(2));
  EXPECT_EQ(next(26, 260), Verdict::kKeep);
  EXPECT_FALSE(trial_.raised());
  EXPECT_LE(now_ - start, seconds(5));
}

TEST_F(GrowthTrialTest, WhatOnlyWaitsIsTakenBackAndTriedAgainLater) {
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_EQ(next(26, 205), Verdict::kRestore);
  const Instant failed = now_;
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_GE(now_ - failed, seconds(4));
  EXPECT_EQ(next(26, 200), Verdict::kRestore);
  const Instant again = now_;
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_GE(now_ - again, seconds(8));
}

TEST_F(GrowthTrialTest, ARiseThatNobodyUsedProvesNothing) {
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_EQ(next(21, 260), Verdict::kRestore);
}

TEST_F(GrowthTrialTest, FewCompletionsTakeLonger) {
  const Instant start = now_;
  EXPECT_EQ(next(3, 2.5), Verdict::kRaise);
  EXPECT_GE(now_ - start, seconds(6));
}

TEST_F(GrowthTrialTest, WithoutCompletionsNothingIsTried) {
  EXPECT_EQ(next(20, 0, seconds(300)), Verdict::kWait);
}

TEST_F(GrowthTrialTest, WhatFailedBeforeItWasMeasuredIsTriedAgainLater) {
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  trial_.fail(now_);
  EXPECT_FALSE(trial_.raised());
  const Instant failed = now_;
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  EXPECT_GE(now_ - failed, seconds(4));
}

TEST_F(GrowthTrialTest, WhatIsAbandonedIsMeasuredAnew) {
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
  trial_.abandon();
  EXPECT_FALSE(trial_.raised());
  EXPECT_EQ(next(20, 200), Verdict::kRaise);
}

}  // namespace
}  // namespace hodor::control
