#include "signals/pool_wait_source.h"

#include <gtest/gtest.h>

#include <climits>
#include <string>

namespace hodor::signals {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

class PoolWaitSourceTest : public testing::Test {
 protected:
  void expectWait(Instant now, Duration wait) {
    const auto sample = source_.take(now);
    ASSERT_TRUE(sample.has_value());
    EXPECT_EQ(sample->wait, wait);
  }

  void submit(int id, Instant now) {
    source_.probeSubmitted(id, false, now);
    submitted_ = now;
  }
  // The probe that was submitted last.
  void start(int id, Instant now) { source_.probeStarted(id, submitted_, now); }

  PoolWaitSource source_;
  Instant submitted_{};
};

TEST_F(PoolWaitSourceTest, NothingWithoutPoolAndWithoutWaits) {
  EXPECT_FALSE(source_.take(seconds(1)));
  const int id = source_.watch("pool");
  expectWait(seconds(1), Duration::zero());
  source_.unwatch(id);
  EXPECT_FALSE(source_.take(seconds(2)));
}

TEST_F(PoolWaitSourceTest, AProbeThatWaitsCountsWithItsAge) {
  const int id = source_.watch("pool");
  submit(id, seconds(10));
  expectWait(seconds(11), seconds(1));
  expectWait(seconds(14), seconds(4));
}

TEST_F(PoolWaitSourceTest, AProbeThatRanCountsOnce) {
  const int id = source_.watch("pool");
  submit(id, seconds(10));
  start(id, seconds(12));
  expectWait(seconds(20), seconds(2));
  expectWait(seconds(21), Duration::zero());
}

TEST_F(PoolWaitSourceTest, TheLongerOfTheEndedAndTheWaitingProbe) {
  const int id = source_.watch("pool");
  submit(id, seconds(10));
  start(id, seconds(13));
  submit(id, seconds(13));
  expectWait(seconds(14), seconds(3));
  expectWait(seconds(18), seconds(5));
}

TEST_F(PoolWaitSourceTest, TheLongestOfAllPoolsAndItsName) {
  const int first = source_.watch("qtp1 of Jetty");
  const int second = source_.watch("qtp2 of Jetty");
  ASSERT_NE(first, second);
  source_.probeSubmitted(first, false, seconds(10));
  source_.probeSubmitted(second, false, seconds(12));
  EXPECT_EQ(source_.take(seconds(13))->pool, "qtp1 of Jetty");
  source_.probeStarted(first, seconds(10), seconds(14));
  expectWait(seconds(15), seconds(4));
  expectWait(seconds(20), seconds(8));
  EXPECT_EQ(source_.take(seconds(20))->pool, "qtp2 of Jetty");
}

TEST_F(PoolWaitSourceTest, AFurtherProbeEndsTheWaitOfTheLostOnesBefore) {
  const int id = source_.watch("pool");
  source_.probeSubmitted(id, false, seconds(10));
  source_.probeSubmitted(id, true, seconds(13));
  expectWait(seconds(14), seconds(4));
  source_.probeStarted(id, seconds(13), seconds(15));
  expectWait(seconds(15), seconds(2));
  // The one before was not lost after all.
  source_.probeStarted(id, seconds(10), seconds(16));
  expectWait(seconds(16), Duration::zero());
}

TEST_F(PoolWaitSourceTest, AFurtherProbeOfAWaitThatJustEndedBeginsOne) {
  const int id = source_.watch("pool");
  source_.probeSubmitted(id, false, seconds(10));
  source_.probeStarted(id, seconds(10), seconds(11));
  source_.probeSubmitted(id, true, seconds(12));
  expectWait(seconds(12), seconds(1));
  expectWait(seconds(14), seconds(2));
}

TEST_F(PoolWaitSourceTest, AProbeOfAnEarlierWaitEndsNoLaterOne) {
  const int id = source_.watch("pool");
  source_.probeSubmitted(id, false, seconds(10));
  source_.probeSubmitted(id, false, seconds(14));  // the pool had dropped all
  source_.probeStarted(id, seconds(10), seconds(15));
  expectWait(seconds(16), seconds(2));
}

TEST_F(PoolWaitSourceTest, WhileNobodyWaitsTheProbeCountsForNothing) {
  const int id = source_.watch("pool");
  submit(id, seconds(10));
  source_.nobodyWaits(id, seconds(20));
  expectWait(seconds(20), Duration::zero());
  expectWait(seconds(23), seconds(3));
  source_.nobodyWaits(id, seconds(30));
  start(id, seconds(31));
  expectWait(seconds(40), seconds(1));
  submit(id, seconds(50));
  start(id, seconds(52));
  expectWait(seconds(53), seconds(2));
}

TEST_F(PoolWaitSourceTest, LongNamesAreCut) {
  const int id = source_.watch(std::string(5000, 'x'));
  submit(id, seconds(1));
  EXPECT_EQ(source_.take(seconds(2))->pool, std::string(120, 'x'));
}

TEST_F(PoolWaitSourceTest, HasRoomForSixteenPools) {
  for (int i = 0; i < PoolWaitSource::kMostPools; ++i) {
    EXPECT_EQ(source_.watch("pool"), i);
  }
  EXPECT_EQ(source_.watch("pool"), -1);
  EXPECT_EQ(source_.watched(), 16);
  source_.unwatch(5);
  EXPECT_EQ(source_.watched(), 15);
  EXPECT_EQ(source_.watch("pool"), 5);
  EXPECT_EQ(source_.watch("pool"), -1);
}

TEST_F(PoolWaitSourceTest, APlaceTakenAgainForgetsItsPredecessor) {
  const int id = source_.watch("pool");
  submit(id, seconds(1));
  source_.unwatch(id);
  ASSERT_EQ(source_.watch("pool"), id);
  expectWait(seconds(60), Duration::zero());
}

TEST_F(PoolWaitSourceTest, APoolThatIsGoneDoesNotCount) {
  const int id = source_.watch("pool");
  source_.watch("pool");
  submit(id, seconds(1));
  source_.unwatch(id);
  source_.unwatch(id);
  EXPECT_EQ(source_.watched(), 1);
  submit(id, seconds(2));
  start(id, seconds(50));
  expectWait(seconds(60), Duration::zero());
}

TEST_F(PoolWaitSourceTest, IdsThatCannotBeAreCounted) {
  source_.watch("pool");
  std::uint64_t calls = 0;
  for (const int id : {-1, 16, 17, INT_MIN, INT_MAX}) {
    source_.unwatch(id);
    submit(id, seconds(1));
    start(id, seconds(9));
    calls += 3;
  }
  EXPECT_EQ(source_.invalid(), calls);
  EXPECT_EQ(source_.watched(), 1);
  expectWait(seconds(10), Duration::zero());
}

TEST_F(PoolWaitSourceTest, ProbesThatCannotBeAreCountedAndIgnored) {
  const int id = source_.watch("pool");
  submit(id, hours(50));
  start(id, hours(49));
  EXPECT_EQ(source_.invalid(), 1U);
  submit(id, hours(50));
  start(id, hours(75));
  EXPECT_EQ(source_.invalid(), 2U);
  expectWait(hours(75), Duration::zero());
}

TEST_F(PoolWaitSourceTest, AProbeThatNobodyEverRunsIsForgottenAfterADay) {
  const int id = source_.watch("pool");
  submit(id, hours(1));
  expectWait(hours(25), hours(24));
  EXPECT_EQ(source_.invalid(), 0U);
  expectWait(hours(26), Duration::zero());
  expectWait(hours(27), Duration::zero());
  EXPECT_EQ(source_.invalid(), 1U);
}

TEST_F(PoolWaitSourceTest, AProbeSubmittedAfterTheTickTookItsTime) {
  const int id = source_.watch("pool");
  submit(id, seconds(11));
  expectWait(seconds(10), Duration::zero());
  EXPECT_EQ(source_.invalid(), 0U);
}

}  // namespace
}  // namespace hodor::signals
