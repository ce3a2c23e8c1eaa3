#include "admission/admission.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace hodor::admission {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kStart = seconds(1000);

AdmissionSettings limited(Action action, std::uint32_t limit) {
  AdmissionSettings settings;
  settings.action = action;
  settings.rule = Rule::kLimit;
  settings.cause = 3;
  settings.limit = limit;
  return settings;
}

AdmissionSettings shared(Action action, double share) {
  AdmissionSettings settings;
  settings.action = action;
  settings.rule = Rule::kShare;
  settings.cause = 1;
  settings.share = share;
  return settings;
}

class AdmissionTest : public testing::Test {
 protected:
  Admission admission_{4, kStart};
  Instant now_ = kStart + seconds(1);
};

TEST(AdmissionSettingsTest, PackingKeepsEveryField) {
  for (const Action action : {Action::kOff, Action::kCount, Action::kEnforce}) {
    for (const Rule rule : {Rule::kAdmitAll, Rule::kLimit, Rule::kShare}) {
      for (const std::uint32_t limit : {0U, 1U, 7U, AdmissionSettings::kMaxLimit}) {
        for (const double share : {0.0, 0.25, 1.0}) {
          AdmissionSettings settings{action, rule, 15, limit, share};
          const auto back = AdmissionSettings::unpack(settings.pack());
          EXPECT_EQ(back.action, action);
          EXPECT_EQ(back.rule, rule);
          EXPECT_EQ(back.cause, 15);
          EXPECT_EQ(back.limit, limit);
          EXPECT_NEAR(back.share, share, 1e-6);
        }
      }
    }
  }
}

TEST(AdmissionSettingsTest, OutOfRangeIsClampedAndDoesNotSpill) {
  AdmissionSettings settings = limited(Action::kEnforce, std::numeric_limits<std::uint32_t>::max());
  settings.share = 7.5;
  const auto back = AdmissionSettings::unpack(settings.pack());
  EXPECT_EQ(back.limit, AdmissionSettings::kMaxLimit);
  EXPECT_EQ(back.share, 1.0);
  EXPECT_EQ(back.action, Action::kEnforce);
}

TEST_F(AdmissionTest, OffCountsNothing) {
  EXPECT_EQ(admission_.acquire(now_), Admission::kNotCounted);
  admission_.release(Admission::kNotCounted, Outcome::kCompleted, now_);
  EXPECT_EQ(admission_.totals().admitted, 0U);
  EXPECT_EQ(admission_.totals().completed, 0U);
  EXPECT_EQ(admission_.totals().invalid, 0U);
}

TEST_F(AdmissionTest, LimitIsExact) {
  admission_.publish(limited(Action::kEnforce, 3));
  std::vector<std::int64_t> permits;
  for (int i = 0; i < 3; ++i) {
    permits.push_back(admission_.acquire(now_));
    EXPECT_GT(permits.back(), 0);
  }
  EXPECT_EQ(admission_.acquire(now_), -4);  // cause 3
  EXPECT_EQ(admission_.inFlight(), 3);
  admission_.release(permits[0], Outcome::kCompleted, now_ + milliseconds(5));
  EXPECT_GT(admission_.acquire(now_), 0);
  EXPECT_LT(admission_.acquire(now_), 0);
  const AdmissionTotals totals = admission_.totals();
  EXPECT_EQ(totals.admitted, 4U);
  EXPECT_EQ(totals.rejected, 2U);
  EXPECT_EQ(totals.completed, 1U);
  EXPECT_EQ(totals.latency, milliseconds(5));
  EXPECT_EQ(totals.inFlight(), 3);
}

TEST_F(AdmissionTest, WhatIsInFlightBeforeTheLimitCountsUntilItEnds) {
  admission_.publish({.action = Action::kEnforce});
  const std::int64_t first = admission_.acquire(now_);
  const std::int64_t second = admission_.acquire(now_);
  admission_.publish(limited(Action::kEnforce, 3));
  const std::int64_t third = admission_.acquire(now_);
  EXPECT_GT(third, 0);
  EXPECT_LT(admission_.acquire(now_), 0);
  admission_.release(first, Outcome::kCompleted, now_);
  admission_.publish(limited(Action::kEnforce, 3));
  const std::int64_t fourth = admission_.acquire(now_);
  EXPECT_GT(fourth, 0);
  EXPECT_LT(admission_.acquire(now_), 0);
  for (const std::int64_t permit : {second, third, fourth}) {
    admission_.release(permit, Outcome::kCompleted, now_);
  }
  EXPECT_EQ(admission_.inFlight(), 0);
}

TEST_F(AdmissionTest, ALimitThatComesAgainCountsThoseOfTheFirst) {
  admission_.publish(limited(Action::kEnforce, 3));
  const std::int64_t old = admission_.acquire(now_);
  admission_.publish({.action = Action::kEnforce});
  const std::int64_t between = admission_.acquire(now_);
  admission_.publish(limited(Action::kEnforce, 3));
  EXPECT_GT(admission_.acquire(now_), 0);
  EXPECT_LT(admission_.acquire(now_), 0);
  admission_.release(old, Outcome::kCompleted, now_);
  EXPECT_GT(admission_.acquire(now_), 0);
  admission_.release(between, Outcome::kCompleted, now_);
  EXPECT_GT(admission_.acquire(now_), 0);
  EXPECT_LT(admission_.acquire(now_), 0);
}

TEST_F(AdmissionTest, PermitsAreAsOldAsTheyAreUnderALimitToo) {
  for (const AdmissionSettings& settings :
       {AdmissionSettings{.action = Action::kEnforce}, limited(Action::kEnforce, 10)}) {
    admission_.publish(settings);
    const Instant odd = now_ + Duration(1);
    for (const Instant at : {now_, odd, kStart}) {
      admission_.release(admission_.acquire(at), Outcome::kCompleted, at);
    }
  }
  EXPECT_EQ(admission_.totals().invalid, 0U);
  EXPECT_LE(admission_.totals().latency, Duration(6));
  EXPECT_EQ(admission_.inFlight(), 0);
}

TEST_F(AdmissionTest, LimitOfZeroRejectsAll) {
  admission_.publish(limited(Action::kEnforce, 0));
  EXPECT_LT(admission_.acquire(now_), 0);
}

TEST_F(AdmissionTest, MonitorRejectsNothingAndCounts) {
  admission_.publish(limited(Action::kCount, 2));
  for (int i = 0; i < 5; ++i) {
    EXPECT_GT(admission_.acquire(now_), 0);
  }
  EXPECT_EQ(admission_.totals().wouldReject, 3U);
  EXPECT_EQ(admission_.totals().rejected, 0U);
  EXPECT_EQ(admission_.inFlight(), 5);
}

// Nothing is rejected in monitor mode, so the service stays clogged. A limit on what is really in
// flight would call nearly everything a rejection; what matters is arrivals minus completions.
TEST_F(AdmissionTest, MonitorCountsWhatExceedsTheCompletions) {
  admission_.publish(limited(Action::kCount, 4));
  std::vector<std::int64_t> waiting;
  int arrivals = 0;
  int completions = 0;
  for (int round = 0; round < 1000; ++round) {
    for (int i = 0; i < 5; ++i, ++arrivals) {
      waiting.push_back(admission_.acquire(now_));
    }
    admission_.release(waiting[static_cast<std::size_t>(completions)], Outcome::kCompleted, now_);
    ++completions;
  }
  const double share = static_cast<double>(admission_.totals().wouldReject) / arrivals;
  EXPECT_NEAR(share, 0.8, 0.01);
}

TEST_F(AdmissionTest, MonitorStartsFromWhatIsInFlight) {
  admission_.publish({.action = Action::kCount});
  for (int i = 0; i < 10; ++i) {
    admission_.acquire(now_);
  }
  admission_.publish(limited(Action::kCount, 5));
  admission_.acquire(now_);
  EXPECT_EQ(admission_.totals().wouldReject, 1U);
}

TEST_F(AdmissionTest, ShareIsEvenlySpread) {
  admission_.publish(shared(Action::kEnforce, 0.25));
  int rejected = 0;
  int run = 0;
  int longestRun = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::int64_t permit = admission_.acquire(now_);
    if (permit < 0) {
      EXPECT_EQ(permit, -2);
      ++rejected;
      longestRun = std::max(longestRun, ++run);
    } else {
      run = 0;
      admission_.release(permit, Outcome::kCompleted, now_);
    }
  }
  EXPECT_NEAR(rejected, 2500, 25);
  EXPECT_LE(longestRun, 2);
}

TEST_F(AdmissionTest, ShareOfNothingAndOfAll) {
  admission_.publish(shared(Action::kEnforce, 0));
  EXPECT_GT(admission_.acquire(now_), 0);
  admission_.publish(shared(Action::kEnforce, 1));
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(admission_.acquire(now_), 0);
  }
  admission_.publish(shared(Action::kCount, 1));
  EXPECT_GT(admission_.acquire(now_), 0);
  EXPECT_EQ(admission_.totals().wouldReject, 1U);
}

TEST_F(AdmissionTest, NonsensePermitsAreCountedAndChangeNothing) {
  admission_.publish({.action = Action::kEnforce});
  const std::int64_t permit = admission_.acquire(now_);
  for (const std::int64_t nonsense :
       {std::int64_t{-1}, std::int64_t{1}, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max(), (now_ + milliseconds(1)).count(),
        (kStart - milliseconds(1)).count()}) {
    admission_.release(nonsense, Outcome::kCompleted, now_);
    EXPECT_TRUE(admission_.start(nonsense, now_));
  }
  EXPECT_EQ(admission_.totals().queueWaits.count(), 0U);
  EXPECT_EQ(admission_.totals().invalid, 6U);
  EXPECT_EQ(admission_.inFlight(), 1);
  admission_.release(permit, Outcome::kFailed, now_);
  EXPECT_EQ(admission_.inFlight(), 0);
}

TEST_F(AdmissionTest, DequeueDropsOnlyWhatWaitedTooLongInAnEnforcedOverload) {
  admission_.publish({.action = Action::kEnforce});
  const std::int64_t permit = admission_.acquire(now_);
  const Instant late = now_ + Admission::kMaxQueueWait + milliseconds(1);
  EXPECT_TRUE(admission_.start(permit, late));
  admission_.publish(limited(Action::kEnforce, 10));
  EXPECT_TRUE(admission_.start(permit, now_ + Admission::kMaxQueueWait));
  EXPECT_FALSE(admission_.start(permit, late));
  admission_.publish(limited(Action::kCount, 10));
  EXPECT_TRUE(admission_.start(permit, late));
}

TEST_F(AdmissionTest, CountsWhoWaitsForAThreadAndHowLong) {
  admission_.publish({.action = Action::kEnforce});
  const std::int64_t first = admission_.acquire(now_, true);
  const std::int64_t second = admission_.acquire(now_, true);
  const std::int64_t third = admission_.acquire(now_, true);
  admission_.acquire(now_);
  EXPECT_EQ(admission_.totals().queued, 3U);
  EXPECT_TRUE(admission_.start(first, now_ + milliseconds(10)));
  EXPECT_TRUE(admission_.start(second, now_ + milliseconds(30)));
  admission_.release(third, Outcome::kNeverStarted, now_ + milliseconds(50));
  const AdmissionTotals totals = admission_.totals();
  EXPECT_EQ(totals.queueWaits.count(), 2U);
  EXPECT_EQ(totals.queueWaits.mean(), milliseconds(20));
  EXPECT_EQ(totals.neverStarted, 1U);
  EXPECT_EQ(totals.failed, 1U);
  EXPECT_EQ(totals.inFlight(), 3);
}

TEST_F(AdmissionTest, WhoIsRejectedOrNotCountedIsNotQueued) {
  EXPECT_EQ(admission_.acquire(now_, true), Admission::kNotCounted);
  admission_.publish(limited(Action::kEnforce, 1));
  EXPECT_GT(admission_.acquire(now_, true), 0);
  EXPECT_LT(admission_.acquire(now_, true), 0);
  EXPECT_EQ(admission_.totals().queued, 1U);
}

TEST_F(AdmissionTest, TotalsTellTheOutcomesApart) {
  admission_.publish({.action = Action::kEnforce});
  for (const Outcome outcome : {Outcome::kCompleted, Outcome::kFailed, Outcome::kDropped}) {
    admission_.release(admission_.acquire(now_), outcome, now_ + milliseconds(7));
  }
  const AdmissionTotals totals = admission_.totals();
  EXPECT_EQ(totals.completed, 1U);
  EXPECT_EQ(totals.failed, 1U);
  EXPECT_EQ(totals.dropped, 1U);
  EXPECT_EQ(totals.released(), 3U);
  // Failed and dropped ones say nothing about how fast the application is.
  EXPECT_EQ(totals.latency, milliseconds(7));
}

TEST_F(AdmissionTest, PermitsOfBeforeSurviveAChangeOfMode) {
  admission_.publish({.action = Action::kCount});
  const std::int64_t permit = admission_.acquire(now_);
  admission_.publish({});
  admission_.release(permit, Outcome::kCompleted, now_);
  EXPECT_EQ(admission_.inFlight(), 0);
}

TEST(QuietWatch, IsQuietWithoutArrivalsAndWithNothingInFlight) {
  QuietWatch watch;
  AdmissionTotals totals;
  EXPECT_TRUE(watch.isQuiet(totals));
  totals.admitted = 1;
  EXPECT_FALSE(watch.isQuiet(totals)) << "one has come";
  EXPECT_FALSE(watch.isQuiet(totals)) << "it is in flight";
  totals.completed = 1;
  EXPECT_TRUE(watch.isQuiet(totals));
  totals.rejected = 1;
  EXPECT_FALSE(watch.isQuiet(totals)) << "a rejected one has come, too";
  EXPECT_TRUE(watch.isQuiet(totals));
}

}  // namespace
}  // namespace hodor::admission
