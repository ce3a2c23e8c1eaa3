#include "tests/load/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/load/arrivals.h"

namespace hodor::load {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Schedule parsed(const std::string& text) {
  std::string error;
  Schedule schedule = parseSchedule(text, error);
  EXPECT_EQ(error, "") << text;
  return schedule;
}

std::vector<Duration> arrivals(const std::string& schedule, std::uint64_t seed) {
  ArrivalProcess process(parsed(schedule), seed);
  std::vector<Duration> times;
  while (const auto time = process.next()) times.push_back(*time);
  return times;
}

std::ptrdiff_t countBetween(const std::vector<Duration>& times, Duration from, Duration to) {
  std::ptrdiff_t count = 0;
  for (const Duration time : times) count += time >= from && time < to ? 1 : 0;
  return count;
}

TEST(Schedule, ParsesSegmentsInOrder) {
  const Schedule schedule = parsed("220:10,2200.5:0.25,0:1");
  ASSERT_EQ(schedule.size(), 3U);
  EXPECT_EQ(schedule[0].rate, 220);
  EXPECT_EQ(schedule[0].length, seconds(10));
  EXPECT_EQ(schedule[1].rate, 2200.5);
  EXPECT_EQ(schedule[1].length, milliseconds(250));
  EXPECT_EQ(totalLength(schedule), milliseconds(11'250));
}

TEST(Schedule, RefusesWhatIsNotASchedule) {
  for (const char* text :
       {"", "220", "220:", ":10", "220:10,", ",220:10", "220:10;", "-1:10", "220:-1", "220:0",
        "nan:10", "220:inf", "2 20:10", "100001:1", "1:901", "1:800,1:101", "0x10:1"}) {
    std::string error;
    EXPECT_TRUE(parseSchedule(text, error).empty()) << text;
    EXPECT_NE(error, "") << text;
  }
}

TEST(ArrivalProcess, RepeatsForTheSameSeedOnly) {
  EXPECT_EQ(arrivals("500:2,50:2", 7), arrivals("500:2,50:2", 7));
  EXPECT_NE(arrivals("500:2,50:2", 7), arrivals("500:2,50:2", 8));
}

TEST(ArrivalProcess, NeverGoesBackNorBeyondTheEnd) {
  const auto times = arrivals("1000:1,0:1,10000:1", 3);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_GE(times.front(), Duration{0});
  EXPECT_LT(times.back(), seconds(3));
}

TEST(ArrivalProcess, FollowsTheRateOfEachSegment) {
  const auto times = arrivals("100:100,1000:100,0:10,100:100", 11);
  // Six standard deviations of a Poisson count.
  const auto near = [](double expected) {
    return testing::DoubleNear(expected, 6 * std::sqrt(expected));
  };
  const auto count = [&](int from, int to) {
    return static_cast<double>(countBetween(times, seconds(from), seconds(to)));
  };
  EXPECT_THAT(count(0, 100), near(10'000));
  EXPECT_THAT(count(100, 200), near(100'000));
  EXPECT_EQ(count(200, 210), 0);
  EXPECT_THAT(count(210, 310), near(10'000));
}

TEST(ArrivalProcess, IsPoisson) {
  // Counts in windows of equal length have a variance equal to their mean; evenly spaced arrivals
  // would have none. 10,000 windows of 10 on average.
  const auto times = arrivals("1000:100", 5);
  std::vector<double> windows(10'000);
  for (const Duration time : times) ++windows[static_cast<std::size_t>(time / milliseconds(10))];
  double sum = 0;
  double squares = 0;
  for (const double count : windows) {
    sum += count;
    squares += count * count;
  }
  const double mean = sum / 10'000;
  const double variance = squares / 10'000 - mean * mean;
  EXPECT_NEAR(variance / mean, 1.0, 0.1);
}

}  // namespace
}  // namespace hodor::load
