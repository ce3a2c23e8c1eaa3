#include "detectors/concurrent_loss.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A second on two CPUs.
CollectionInterval second() {
  CollectionInterval interval;
  interval.elapsed = seconds(1);
  interval.effectiveCpus = 2;
  interval.threads.emplace();
  return interval;
}

CollectionInterval second(Duration collector, Duration application, Duration waited) {
  CollectionInterval interval = second();
  (*interval.threads)[ThreadKind::kCollector].ran = collector;
  (*interval.threads)[ThreadKind::kApplication] = {application, waited};
  return interval;
}

TEST(ConcurrentLossTest, ABusyCollectorOnIdleCpusTakesNothing) {
  // As measured of ZGC and Shenandoah with half of two CPUs idle.
  EXPECT_EQ(concurrentLoss(second(milliseconds(500), milliseconds(500), milliseconds(200))).share,
            0);
  EXPECT_EQ(concurrentLoss(second(seconds(1), milliseconds(10), milliseconds(500))).share, 0);
}

TEST(ConcurrentLossTest, OnFullCpusAllThatTheCollectorUsesIsTaken) {
  const auto loss = concurrentLoss(second(seconds(1), seconds(1), seconds(14)));
  EXPECT_DOUBLE_EQ(loss.taken, 0.5);
  EXPECT_DOUBLE_EQ(loss.share, 0.5);
}

TEST(ConcurrentLossTest, NoMoreIsTakenThanTheApplicationWaitedFor) {
  EXPECT_DOUBLE_EQ(concurrentLoss(second(seconds(1), seconds(1), milliseconds(100))).taken, 0.05);
}

TEST(ConcurrentLossTest, OthersThanTheApplicationMakeTheCpusFullToo) {
  auto interval = second(milliseconds(600), milliseconds(800), seconds(3));
  (*interval.threads)[ThreadKind::kCompiler].ran = milliseconds(600);
  EXPECT_NEAR(concurrentLoss(interval).taken, 0.3, 1e-9);
}

TEST(ConcurrentLossTest, ThePausesOfParallelWorkersCountOnce) {
  // Two workers in a pause of 800 ms, and the application on both CPUs for the rest.
  auto interval = second(milliseconds(1600), milliseconds(400), seconds(3));
  interval.paused = milliseconds(800);
  EXPECT_EQ(concurrentLoss(interval).share, 0);
}

TEST(ConcurrentLossTest, AStallInWhichTheCollectorHasTheCpusIsLost) {
  // As measured of ZGC in a full heap, JDK 25: threads stalled for 0.87 of their time.
  auto interval = second(milliseconds(960), milliseconds(100), milliseconds(60));
  interval.stallCycles = milliseconds(980);
  EXPECT_NEAR(concurrentLoss(interval).share, 0.87, 0.05);
}

TEST(ConcurrentLossTest, AStallThatOthersDoNotNoticeIsHardlyLost) {
  // A long cycle that was begun by one short stall, in a server that does its work.
  auto interval = second(milliseconds(200), milliseconds(1600), milliseconds(50));
  interval.stallCycles = seconds(1);
  EXPECT_LT(concurrentLoss(interval).share, 0.15);
}

TEST(ConcurrentLossTest, WhatEachThreadWaitedDecidesWhereItIsKnown) {
  // Four threads on two CPUs, each in stalls for three quarters of its time.
  auto interval = second(milliseconds(600), seconds(1), milliseconds(200));
  interval.stalledThreads = seconds(3);
  EXPECT_NEAR(concurrentLoss(interval).stalled, 0.75, 1e-9);
  // One thread that was stuck for a moment, in a server that does its work.
  interval.stalledThreads = milliseconds(40);
  EXPECT_LT(concurrentLoss(interval).stalled, 0.002);
  interval.threads.reset();
  EXPECT_NEAR(concurrentLoss(interval).stalled, 0.04, 1e-9);
}

TEST(ConcurrentLossTest, WithoutCpuTimesTheCauseOfTheCycleDecides) {
  auto interval = second();
  interval.stallCycles = milliseconds(400);
  interval.threads.reset();
  EXPECT_DOUBLE_EQ(concurrentLoss(interval).share, 0.4);
}

TEST(ConcurrentLossTest, NoTimeIsNoLoss) {
  auto interval = second(seconds(1), seconds(1), seconds(1));
  interval.elapsed = Duration::zero();
  interval.stallCycles = seconds(1);
  EXPECT_EQ(concurrentLoss(interval).share, 0);
}

class ConcurrentLossPropertyTest : public testing::Test {
 protected:
  Duration upTo(Duration most) {
    return Duration(static_cast<Duration::rep>(
        random_() % static_cast<std::uint64_t>(std::max(most.count(), 1L))));
  }

  CollectionInterval anything() {
    CollectionInterval interval;
    interval.elapsed = upTo(seconds(3)) + milliseconds(1);
    interval.effectiveCpus = 0.25 * static_cast<double>(1 + random_() % 64);
    interval.paused = upTo(interval.elapsed * 5 / 4);
    interval.stallCycles = random_() % 2 == 0 ? upTo(interval.elapsed) : Duration::zero();
    if (random_() % 2 == 0) {
      interval.stalledThreads = upTo(interval.elapsed * 50);
    }
    if (random_() % 8 != 0) {
      const Duration cpu = Duration(static_cast<Duration::rep>(
          static_cast<double>(interval.elapsed.count()) * interval.effectiveCpus));
      interval.threads.emplace();
      (*interval.threads)[ThreadKind::kCollector].ran = upTo(cpu);
      (*interval.threads)[ThreadKind::kApplication] = {upTo(cpu), upTo(cpu * 10)};
      (*interval.threads)[ThreadKind::kCompiler].ran = upTo(cpu / 4);
    }
    return interval;
  }

  std::mt19937_64 random_{23};
};

TEST_F(ConcurrentLossPropertyTest, IsAShareOfWhatThePausesLeft) {
  for (int i = 0; i < 20'000; ++i) {
    const auto interval = anything();
    const double paused = std::min(toSeconds(interval.paused) / toSeconds(interval.elapsed), 1.0);
    const auto loss = concurrentLoss(interval);
    ASSERT_GE(loss.share, 0);
    ASSERT_LE(loss.share + paused, 1 + 1e-9);
  }
}

TEST_F(ConcurrentLossPropertyTest, NeverFiresWhileTheApplicationHasAllTheCpuItNeeds) {
  for (int i = 0; i < 20'000; ++i) {
    auto interval = anything();
    interval.stallCycles = Duration::zero();
    interval.stalledThreads.reset();
    if (interval.threads) {
      (*interval.threads)[ThreadKind::kApplication].waited = Duration::zero();
    }
    ASSERT_EQ(concurrentLoss(interval).share, 0);
  }
}

TEST_F(ConcurrentLossPropertyTest, GrowsWithTheCollectorsTimeTheWaitsAndTheStalls) {
  for (int i = 0; i < 20'000; ++i) {
    const auto interval = anything();
    const double before = concurrentLoss(interval).share;
    auto more = interval;
    more.stallCycles += upTo(interval.elapsed);
    if (more.stalledThreads) {
      *more.stalledThreads += upTo(interval.elapsed);
    }
    ASSERT_GE(concurrentLoss(more).share, before);
    if (!interval.threads) {
      continue;
    }
    more = interval;
    (*more.threads)[ThreadKind::kCollector].ran += upTo(interval.elapsed);
    ASSERT_GE(concurrentLoss(more).share, before);
    more = interval;
    (*more.threads)[ThreadKind::kApplication].waited += upTo(interval.elapsed);
    ASSERT_GE(concurrentLoss(more).share, before);
  }
}

}  // namespace
}  // namespace hodor::detectors
