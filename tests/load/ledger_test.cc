#include "tests/load/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/load/histogram.h"

namespace hodor::load {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Histogram, IsExactForFewMicroseconds) {
  Histogram histogram;
  for (int i = 1; i <= 200; ++i) histogram.add(microseconds(i));
  EXPECT_EQ(histogram.quantile(0.5), microseconds(100));
  EXPECT_EQ(histogram.quantile(0.99), microseconds(198));
  EXPECT_EQ(histogram.quantile(1), microseconds(200));
  EXPECT_EQ(histogram.quantile(0), microseconds(1));
}

TEST(Histogram, IsWithinOnePercentOfSortedValues) {
  std::mt19937_64 random(1);
  std::vector<Duration> values;
  Histogram histogram;
  for (int i = 0; i < 20'000; ++i) {
    // Spread over the octaves from 1 µs to 16 s.
    const auto bits = static_cast<unsigned>(random() % 24);
    const auto micros = (std::uint64_t{1} << bits) + random() % (std::uint64_t{1} << bits);
    values.emplace_back(microseconds(micros));
    histogram.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99, 0.999}) {
    const auto index = static_cast<std::size_t>(share * 20'000) - 1;
    const double exact = toSeconds(values[index]);
    EXPECT_NEAR(toSeconds(histogram.quantile(share)), exact, exact * 0.01) << share;
  }
  EXPECT_EQ(histogram.max(), values.back());
}

TEST(Histogram, BearsAbsurdValues) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.99), Duration{0});
  histogram.add(Duration{-5});
  histogram.add(std::chrono::hours(1000));
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.quantile(0.5), Duration{0});
  EXPECT_GT(histogram.quantile(1), seconds(16));
}

TEST(Histogram, AddsAnother) {
  Histogram one;
  Histogram other;
  one.add(milliseconds(1));
  other.add(milliseconds(30));
  one.add(other);
  EXPECT_EQ(one.count(), 2U);
  EXPECT_EQ(one.max(), milliseconds(30));
  EXPECT_NEAR(toSeconds(one.quantile(0.5)), 0.001, 0.00001);
}

TEST(Ledger, CountsByTheScheduledSecondWhenDecidedLater) {
  Ledger ledger(seconds(2));
  ledger.offer(milliseconds(900), microseconds(3));
  ledger.offer(milliseconds(1100), microseconds(4));
  ledger.decide(milliseconds(1100), Outcome::kServed, milliseconds(2));
  ledger.decide(milliseconds(900), Outcome::kLost, seconds(1));
  ASSERT_TRUE(ledger.settled(seconds(2)));
  const Tally first = ledger.take();
  EXPECT_EQ(first.offered, 1U);
  EXPECT_EQ(first.of(Outcome::kLost), 1U);
  EXPECT_EQ(first.served.count(), 0U);
  EXPECT_EQ(first.lag.max(), microseconds(3));
  const Tally second = ledger.take();
  EXPECT_EQ(second.of(Outcome::kServed), 1U);
  EXPECT_EQ(second.served.max(), milliseconds(2));
  EXPECT_TRUE(ledger.finished());
}

TEST(Ledger, WaitsForTheSecondToEndAndForItsLastRequest) {
  Ledger ledger(seconds(2));
  EXPECT_FALSE(ledger.settled(milliseconds(999)));
  EXPECT_TRUE(ledger.settled(seconds(1))) << "a second without requests is settled when it is over";
  ledger.offer(milliseconds(500), Duration{0});
  EXPECT_FALSE(ledger.settled(seconds(1)));
  ledger.decide(milliseconds(500), Outcome::kRejected, milliseconds(1));
  EXPECT_FALSE(ledger.settled(milliseconds(999)));
  EXPECT_TRUE(ledger.settled(seconds(1)));
}

TEST(Ledger, KeepsSilentSecondsAndAShortLastOne) {
  Ledger ledger(milliseconds(2500));
  ledger.offer(milliseconds(2400), Duration{0});
  ledger.decide(milliseconds(2400), Outcome::kServed, milliseconds(1));
  EXPECT_TRUE(ledger.settled(milliseconds(2500)));
  EXPECT_EQ(ledger.take().offered, 0U);
  EXPECT_EQ(ledger.take().offered, 0U);
  EXPECT_EQ(ledger.second(), 2);
  EXPECT_FALSE(ledger.settled(milliseconds(2499)));
  EXPECT_TRUE(ledger.settled(milliseconds(2500)));
  EXPECT_EQ(ledger.take().offered, 1U);
  EXPECT_TRUE(ledger.finished());
  EXPECT_FALSE(ledger.settled(seconds(9)));
}

TEST(Tally, SumsToTheWhole) {
  Ledger ledger(seconds(3));
  Tally total;
  for (int i = 0; i < 300; ++i) {
    const Duration scheduled = milliseconds(10 * i);
    ledger.offer(scheduled, microseconds(i));
    ledger.decide(scheduled, static_cast<Outcome>(i % 6), milliseconds(i));
  }
  while (ledger.settled(seconds(3))) total.add(ledger.take());
  EXPECT_EQ(total.offered, 300U);
  EXPECT_EQ(total.decided(), 300U);
  for (const std::uint64_t count : total.outcomes) EXPECT_EQ(count, 50U);
  EXPECT_EQ(total.served.count(), 50U);
  EXPECT_EQ(total.rejected.max(), milliseconds(295));
}

}  // namespace
}  // namespace hodor::load
