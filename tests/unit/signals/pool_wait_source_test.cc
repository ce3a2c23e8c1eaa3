#include "signals/pool_wait_source.h"

#include <gtest/gtest.h>

#include <climits>

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

  PoolWaitSource source_;
};

TEST_F(PoolWaitSourceTest, NothingWithoutPoolAndWithoutWaits) {
  EXPECT_FALSE(source_.take(seconds(1)));
  const int id = source_.watch();
  expectWait(seconds(1), Duration::zero());
  source_.unwatch(id);
  EXPECT_FALSE(source_.take(seconds(2)));
}

TEST_F(PoolWaitSourceTest, AProbeThatWaitsCountsWithItsAge) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(10));
  expectWait(seconds(11), seconds(1));
  expectWait(seconds(14), seconds(4));
}

TEST_F(PoolWaitSourceTest, AProbeThatRanCountsOnce) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(10));
  source_.probeStarted(id, seconds(12));
  expectWait(seconds(20), seconds(2));
  expectWait(seconds(21), Duration::zero());
}

TEST_F(PoolWaitSourceTest, TheLongerOfTheEndedAndTheWaitingProbe) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(10));
  source_.probeStarted(id, seconds(13));
  source_.probeSubmitted(id, seconds(13));
  expectWait(seconds(14), seconds(3));
  expectWait(seconds(18), seconds(5));
}

TEST_F(PoolWaitSourceTest, TheLongestOfAllPools) {
  const int first = source_.watch();
  const int second = source_.watch();
  ASSERT_NE(first, second);
  source_.probeSubmitted(first, seconds(10));
  source_.probeSubmitted(second, seconds(12));
  expectWait(seconds(13), seconds(3));
  source_.probeStarted(first, seconds(14));
  expectWait(seconds(20), seconds(8));
}

TEST_F(PoolWaitSourceTest, MeanOfTheExactWaitsSinceTheLastCall) {
  source_.recordWait(milliseconds(10));
  source_.recordWait(milliseconds(30));
  expectWait(seconds(1), milliseconds(20));
  source_.recordWait(milliseconds(100));
  expectWait(seconds(2), milliseconds(100));
  expectWait(seconds(3), Duration::zero());  // known, and nobody waited
}

// More than 40 bits of microseconds in all: the counters wrap, the means do not.
TEST_F(PoolWaitSourceTest, TheMeanOutlivesTheCounters) {
  for (int day = 0; day < 40; ++day) {
    source_.recordWait(hours(24));
    source_.recordWait(hours(12));
    expectWait(seconds(1), hours(18));
  }
}

TEST_F(PoolWaitSourceTest, TheLongerOfProbeAndRequests) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(1));
  source_.probeStarted(id, seconds(2));
  source_.recordWait(seconds(5));
  expectWait(seconds(9), seconds(5));
  source_.probeSubmitted(id, seconds(10));
  source_.recordWait(seconds(1));
  expectWait(seconds(13), seconds(3));
}

TEST_F(PoolWaitSourceTest, HasRoomForSixteenPools) {
  for (int i = 0; i < PoolWaitSource::kMostPools; ++i) {
    EXPECT_EQ(source_.watch(), i);
  }
  EXPECT_EQ(source_.watch(), -1);
  EXPECT_EQ(source_.watched(), 16);
  source_.unwatch(5);
  EXPECT_EQ(source_.watched(), 15);
  EXPECT_EQ(source_.watch(), 5);
  EXPECT_EQ(source_.watch(), -1);
}

TEST_F(PoolWaitSourceTest, APlaceTakenAgainForgetsItsPredecessor) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(1));
  source_.unwatch(id);
  ASSERT_EQ(source_.watch(), id);
  expectWait(seconds(60), Duration::zero());
}

TEST_F(PoolWaitSourceTest, APoolThatIsGoneDoesNotCount) {
  const int id = source_.watch();
  source_.watch();
  source_.probeSubmitted(id, seconds(1));
  source_.unwatch(id);
  source_.unwatch(id);
  EXPECT_EQ(source_.watched(), 1);
  source_.probeSubmitted(id, seconds(2));
  source_.probeStarted(id, seconds(50));
  expectWait(seconds(60), Duration::zero());
}

TEST_F(PoolWaitSourceTest, IdsThatCannotBeAreCounted) {
  source_.watch();
  std::uint64_t calls = 0;
  for (const int id : {-1, 16, 17, INT_MIN, INT_MAX}) {
    source_.unwatch(id);
    source_.probeSubmitted(id, seconds(1));
    source_.probeStarted(id, seconds(9));
    calls += 3;
  }
  EXPECT_EQ(source_.invalid(), calls);
  EXPECT_EQ(source_.watched(), 1);
  expectWait(seconds(10), Duration::zero());
}

TEST_F(PoolWaitSourceTest, CallsWithoutTheirCounterpart) {
  const int id = source_.watch();
  source_.probeStarted(id, seconds(5));
  expectWait(seconds(6), Duration::zero());
  source_.probeSubmitted(id, seconds(10));
  source_.probeSubmitted(id, seconds(14));  // the first was lost
  expectWait(seconds(15), seconds(1));
  source_.probeStarted(id, seconds(16));
  source_.probeStarted(id, seconds(30));
  expectWait(seconds(31), seconds(2));
}

TEST_F(PoolWaitSourceTest, WaitsThatCannotBeAreCountedAndIgnored) {
  source_.recordWait(nanoseconds(-1));
  source_.recordWait(Duration::min());
  source_.recordWait(hours(24) + nanoseconds(1));
  source_.recordWait(Duration::max());
  EXPECT_EQ(source_.invalid(), 4U);
  EXPECT_FALSE(source_.take(seconds(1)));
  source_.recordWait(hours(24));
  expectWait(seconds(2), hours(24));
  EXPECT_EQ(source_.invalid(), 4U);
}

TEST_F(PoolWaitSourceTest, ProbesThatCannotBeAreCountedAndIgnored) {
  const int id = source_.watch();
  source_.probeSubmitted(id, hours(50));
  source_.probeStarted(id, hours(49));
  EXPECT_EQ(source_.invalid(), 1U);
  source_.probeSubmitted(id, hours(50));
  source_.probeStarted(id, hours(75));
  EXPECT_EQ(source_.invalid(), 2U);
  expectWait(hours(75), Duration::zero());
}

TEST_F(PoolWaitSourceTest, AProbeThatNobodyEverRunsIsForgottenAfterADay) {
  const int id = source_.watch();
  source_.probeSubmitted(id, hours(1));
  expectWait(hours(25), hours(24));
  EXPECT_EQ(source_.invalid(), 0U);
  expectWait(hours(26), Duration::zero());
  expectWait(hours(27), Duration::zero());
  EXPECT_EQ(source_.invalid(), 1U);
}

TEST_F(PoolWaitSourceTest, AProbeSubmittedAfterTheTickTookItsTime) {
  const int id = source_.watch();
  source_.probeSubmitted(id, seconds(11));
  expectWait(seconds(10), Duration::zero());
  EXPECT_EQ(source_.invalid(), 0U);
}

}  // namespace
}  // namespace hodor::signals
