#include "admission/queue_watch.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace hodor::admission {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

class QueueWatchTest : public testing::Test {
 protected:
  void queue(std::uint64_t requests) { totals_.queued += requests; }
  void start(Duration wait) { totals_.queueWaits.word += WaitSum::of(wait).word; }
  Duration tick(Duration elapsed = kTick) {
    now_ += elapsed;
    const auto sample = watch_.observe(now_, totals_);
    EXPECT_TRUE(sample.has_value());
    return sample ? sample->wait : Duration(-1);
  }

  QueueWatch watch_;
  AdmissionTotals totals_;
  Instant now_ = seconds(1000);
};

TEST_F(QueueWatchTest, NothingUntilSomethingWasQueued) {
  EXPECT_FALSE(watch_.observe(now_, totals_));
  totals_.admitted = 7;
  EXPECT_FALSE(watch_.observe(now_ + kTick, totals_));
  queue(1);
  start(milliseconds(3));
  EXPECT_EQ(tick(), milliseconds(3));
  EXPECT_EQ(tick(), Duration::zero());
}

TEST_F(QueueWatchTest, TheMeanOfThoseThatStartedInTheTick) {
  queue(3);
  start(milliseconds(10));
  start(milliseconds(30));
  start(milliseconds(20));
  EXPECT_EQ(tick(), milliseconds(20));
  queue(1);
  start(milliseconds(90));
  EXPECT_EQ(tick(), milliseconds(90));
}

TEST_F(QueueWatchTest, TheOldestThatWaitsIfItsAgeIsMore) {
  queue(5);
  EXPECT_EQ(tick(), Duration::zero());  // when in the tick they came is not known
  EXPECT_EQ(tick(), kTick);
  queue(4);
  EXPECT_EQ(tick(), 2 * kTick);
  for (int i = 0; i < 5; ++i) {
    start(milliseconds(1));
  }
  EXPECT_EQ(tick(), kTick);  // those of the third tick are the oldest now
}

TEST_F(QueueWatchTest, WhoLeavesWithoutAThreadWaitsNoMore) {
  queue(2);
  tick();
  totals_.neverStarted += 2;
  EXPECT_EQ(tick(), Duration::zero());
}

TEST_F(QueueWatchTest, WhoIsLostIsForgotten) {
  queue(3);
  tick();
  EXPECT_EQ(tick(QueueWatch::kLost), QueueWatch::kLost);
  EXPECT_EQ(tick(), Duration::zero());
  queue(1);
  tick();
  EXPECT_EQ(tick(), kTick);
  start(milliseconds(150));
  EXPECT_EQ(tick(), milliseconds(150));
  EXPECT_EQ(tick(), Duration::zero());
}

// A pool that hung for a minute and works on: those given up as lost start after all.
TEST_F(QueueWatchTest, WhoWasGivenUpTooSoonDoesNoHarm) {
  queue(3);
  tick();
  tick(QueueWatch::kLost + seconds(1));
  for (int i = 0; i < 3; ++i) {
    start(seconds(31));
  }
  EXPECT_EQ(tick(), seconds(31));
  queue(1);
  tick();
  EXPECT_EQ(tick(), kTick);
}

TEST_F(QueueWatchTest, TotalsThatWereResetAreANewBase) {
  queue(9);
  tick();
  totals_ = {};
  queue(1);
  EXPECT_EQ(tick(), Duration::zero());
  EXPECT_EQ(tick(), kTick);
}

// More than 40 bits of microseconds in all: the sums wrap, the means do not.
TEST_F(QueueWatchTest, TheMeanOutlivesTheCounters) {
  for (int day = 0; day < 40; ++day) {
    queue(2);
    start(hours(24));
    start(hours(12));
    EXPECT_EQ(tick(), hours(18));
  }
}

TEST(WaitSumTest, ClampsWhatCannotBe) {
  EXPECT_EQ(WaitSum::of(milliseconds(-5)).mean(), Duration::zero());
  EXPECT_EQ(WaitSum::of(hours(1000)).mean(), hours(24));
  EXPECT_EQ(WaitSum{}.mean(), Duration::zero());
}

// Random first-in, first-out queues: the age is never more than that of the oldest, and less by one
// tick at most, however irregular the ticks.
class QueueWatchProperties : public testing::TestWithParam<unsigned> {};

TEST_P(QueueWatchProperties, TheAgeIsALowerBoundWithinATick) {
  struct Request {
    Instant at;
    Duration tick;
  };
  std::mt19937 random(GetParam());
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  QueueWatch watch;
  AdmissionTotals totals;
  std::deque<Request> waiting;
  Instant now = seconds(5);
  int waits = 0;
  for (int tick = 0; tick < 2000; ++tick) {
    const Duration elapsed = below(20) == 0 ? milliseconds(below(3000) + 1) : kTick;
    for (int i = 10; i > below(11); --i) {
      waiting.push_back({now + elapsed * (10 - i) / 11, elapsed});
      ++totals.queued;
    }
    now += elapsed;
    Duration longestEnded{};
    for (int i = below(5) == 0 ? 0 : below(16); i > 0 && !waiting.empty(); --i) {
      const Duration wait = now - waiting.front().at;
      if (below(10) == 0) {
        ++totals.neverStarted;
      } else {
        totals.queueWaits.word += WaitSum::of(wait).word;
        longestEnded = std::max(longestEnded, wait);
      }
      waiting.pop_front();
    }
    const auto sample = watch.observe(now, totals);
    if (totals.queued == 0) {
      ASSERT_FALSE(sample);
      continue;
    }
    const Duration age = waiting.empty() ? Duration::zero() : now - waiting.front().at;
    ASSERT_LT(age, QueueWatch::kLost) << "seed to be changed";
    ASSERT_LE(sample->wait, std::max(age, longestEnded)) << "tick " << tick;
    if (!waiting.empty()) {
      ++waits;
      ASSERT_GE(sample->wait + waiting.front().tick, age) << "tick " << tick;
    }
  }
  EXPECT_GT(waits, 100);
}

// A queue in which nothing moves, for longer than there are points for.
TEST_P(QueueWatchProperties, OfAQueueThatHangsTheAgeGrowsWithTheTime) {
  std::mt19937 random(GetParam());
  QueueWatch watch;
  AdmissionTotals totals;
  Instant now = seconds(5);
  totals.queued = 1;
  watch.observe(now, totals);
  const Instant first = now;
  while (now - first < seconds(25)) {
    now += milliseconds(random() % 200 + 1);
    totals.queued += random() % 3;
    ASSERT_EQ(watch.observe(now, totals)->wait, now - first);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, QueueWatchProperties, testing::Range(1U, 21U));

}  // namespace
}  // namespace hodor::admission
