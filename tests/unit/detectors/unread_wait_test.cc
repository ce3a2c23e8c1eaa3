#include "detectors/unread_wait.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace hodor::detectors {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

UnreadSample sampleOf(std::vector<Duration> ages, double connections = 100) {
  std::sort(ages.begin(), ages.end(), std::greater<>());
  UnreadSample sample;
  sample.ages = std::move(ages);
  sample.connections = connections;
  return sample;
}

UnreadSample sampleOf(std::size_t count, Duration age, double connections = 100) {
  return sampleOf(std::vector<Duration>(count, age), connections);
}

TEST(UnreadWaitTest, NothingUnreadIsNoWait) {
  const UnreadWait wait = unreadWait(sampleOf(0, {}), 5, false);
  EXPECT_EQ(wait.requests, 0);
  EXPECT_EQ(wait.oldest, Duration::zero());
  EXPECT_EQ(wait.wait, Duration::zero());
}

TEST(UnreadWaitTest, AFewStuckConnectionsSayNothing) {
  const UnreadWait few = unreadWait(sampleOf(3, milliseconds(900)), 0, false);
  EXPECT_EQ(few.requests, 3);
  EXPECT_EQ(few.oldest, milliseconds(900));
  EXPECT_EQ(few.wait, Duration::zero());
  EXPECT_EQ(unreadWait(sampleOf(4, milliseconds(900)), 0, false).wait, milliseconds(900));
}

TEST(UnreadWaitTest, OfManyConnectionsMoreMayBeStuck) {
  EXPECT_EQ(unreadWait(sampleOf(19, milliseconds(900), 1000), 0, false).wait, Duration::zero());
  EXPECT_EQ(unreadWait(sampleOf(20, milliseconds(900), 1000), 0, false).wait, milliseconds(900));
}

TEST(UnreadWaitTest, StuckConnectionsDoNotColourTheWaitOfTheOthers) {
  std::vector<Duration> ages(50, milliseconds(20));
  ages.insert(ages.end(), 3, minutes(1));
  EXPECT_EQ(unreadWait(sampleOf(ages), 0, false).wait, milliseconds(20));
}

TEST(UnreadWaitTest, WhatNobodyReadsForAMinuteIsForgotten) {
  std::vector<Duration> ages(30, hours(3));
  EXPECT_EQ(unreadWait(sampleOf(ages), 0, false).requests, 0);
  ages.insert(ages.end(), 5, milliseconds(70));
  const UnreadWait wait = unreadWait(sampleOf(ages), 0, false);
  EXPECT_EQ(wait.requests, 5);
  EXPECT_EQ(wait.oldest, milliseconds(70));
  EXPECT_EQ(wait.wait, milliseconds(70));
}

// 10 clients send a body of some kilobytes to a handler that works for 500 ms before it reads.
TEST(UnreadWaitTest, BodiesOfRequestsInFlightAreNoQueue) {
  const UnreadSample bodies = sampleOf(10, milliseconds(300));
  EXPECT_EQ(unreadWait(bodies, 10, false).requests, 0);
  EXPECT_EQ(unreadWait(bodies, 10, false).wait, Duration::zero());
  EXPECT_EQ(unreadWait(bodies, 10, true).wait, milliseconds(300)) << "the pool has a queue";
}

TEST(UnreadWaitTest, ThoseBehindTheBodiesCount) {
  std::vector<Duration> ages(10, milliseconds(300));
  ages.insert(ages.end(), 20, milliseconds(60));
  const UnreadWait wait = unreadWait(sampleOf(ages), 10, false);
  EXPECT_EQ(wait.requests, 20);
  EXPECT_EQ(wait.wait, milliseconds(60));
}

TEST(UnreadWaitTest, APartIsScaled) {
  UnreadSample sample = sampleOf(50, milliseconds(80), 2500);
  sample.scale = 5;
  EXPECT_EQ(unreadWait(sample, 0, false).requests, 250);
  EXPECT_EQ(unreadWait(sample, 100, false).requests, 150);
  EXPECT_EQ(unreadWait(sample, 100, false).wait, milliseconds(80));
  // 2 % of 2,500 are 50, of which 10 are in a fifth.
  sample.ages.resize(9);
  EXPECT_EQ(unreadWait(sample, 0, false).wait, Duration::zero());
  sample.ages.resize(10, milliseconds(80));
  EXPECT_EQ(unreadWait(sample, 0, false).wait, milliseconds(80));
}

class RandomUnread {
 public:
  explicit RandomUnread(unsigned seed) : random_(seed) {}

  UnreadSample next() {
    std::vector<Duration> ages(static_cast<std::size_t>(below(300)));
    for (Duration& age : ages) {
      age = milliseconds(below(70'000));
    }
    UnreadSample sample = sampleOf(std::move(ages), static_cast<double>(below(5000)));
    sample.scale = static_cast<double>(1 + 2 * below(3));
    return sample;
  }

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }

 private:
  std::mt19937 random_;
};

TEST(UnreadWaitPropertyTest, FewConnectionsBeyondTheBodiesNeverMakeAWait) {
  RandomUnread random(1);
  for (int i = 0; i < 5000; ++i) {
    UnreadSample sample = random.next();
    sample.scale = 1;
    const std::int64_t inFlight = random.below(100);
    if (sample.ages.size() > static_cast<std::size_t>(inFlight) + 3) {
      sample.ages.resize(static_cast<std::size_t>(inFlight) + 3);
    }
    ASSERT_EQ(unreadWait(sample, inFlight, false).wait, Duration::zero());
  }
}

TEST(UnreadWaitPropertyTest, TheWaitIsTheAgeOfOneAndNoMoreThanTheOldest) {
  RandomUnread random(2);
  for (int i = 0; i < 5000; ++i) {
    const UnreadSample sample = random.next();
    const UnreadWait wait = unreadWait(sample, random.below(50), random.below(2) == 0);
    ASSERT_LE(wait.wait, wait.oldest);
    ASSERT_LE(wait.oldest, minutes(1));
    ASSERT_GE(wait.requests, 0);
    ASSERT_LE(wait.requests, static_cast<double>(sample.ages.size()) * sample.scale);
    if (wait.wait > Duration::zero()) {
      ASSERT_NE(std::count(sample.ages.begin(), sample.ages.end(), wait.wait), 0);
    }
  }
}

TEST(UnreadWaitPropertyTest, OlderAndMoreUnreadNeverMeanLess) {
  RandomUnread random(3);
  for (int i = 0; i < 5000; ++i) {
    UnreadSample sample = random.next();
    for (Duration& age : sample.ages) {
      age /= 2;  // none is forgotten, now or when it is older
    }
    const std::int64_t inFlight = random.below(50);
    const UnreadWait before = unreadWait(sample, inFlight, false);
    if (!sample.ages.empty()) {
      sample.ages[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(sample.ages.size())))] += milliseconds(500);
    }
    sample.ages.emplace_back(milliseconds(random.below(35'000)));
    std::sort(sample.ages.begin(), sample.ages.end(), std::greater<>());
    const UnreadWait after = unreadWait(sample, inFlight, false);
    ASSERT_GE(after.requests, before.requests);
    ASSERT_GE(after.wait, before.wait);
    ASSERT_LE(unreadWait(sample, inFlight + 5, false).wait, after.wait);
    ASSERT_GE(unreadWait(sample, inFlight, true).wait, after.wait);
  }
}

}  // namespace
}  // namespace hodor::detectors
