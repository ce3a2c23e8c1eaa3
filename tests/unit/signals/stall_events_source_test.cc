#include "signals/stall_events_source.h"

#include <gtest/gtest.h>

namespace hodor::signals {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

TEST(StallEventsSourceTest, SaysNothingBeforeTheRecordingHasBegun) {
  StallEventsSource source;
  EXPECT_FALSE(source.take(kTick));
  EXPECT_TRUE(source.add(Duration::zero()));
  EXPECT_EQ(source.take(kTick), Duration::zero());
}

TEST(StallEventsSourceTest, HandsABatchOnOverASecondAndLosesNothing) {
  StallEventsSource source;
  for (int i = 0; i < 50; ++i) {
    source.add(milliseconds(20));
  }
  Duration last = *source.take(kTick);
  EXPECT_LT(last, milliseconds(100));
  for (int i = 0; i < 9; ++i) {
    const Duration sum = *source.take(kTick);
    EXPECT_GT(sum, last);
    last = sum;
  }
  EXPECT_NEAR(toSeconds(last), 0.63, 0.01);
  EXPECT_NEAR(toSeconds(*source.take(seconds(20))), 1, 1e-6);
}

TEST(StallEventsSourceTest, ATickOfAnyLengthNeverGoesBack) {
  StallEventsSource source;
  source.add(seconds(5));
  Duration last{};
  for (const Duration elapsed :
       {kTick, Duration::zero(), Duration(-1), Duration(hours(1)), kTick}) {
    const Duration sum = *source.take(elapsed);
    EXPECT_GE(sum, last);
    last = sum;
  }
  EXPECT_LE(last, seconds(5));
}

TEST(StallEventsSourceTest, NonsenseIsNotCounted) {
  StallEventsSource source;
  EXPECT_FALSE(source.add(Duration(-1)));
  EXPECT_FALSE(source.add(hours(2)));
  EXPECT_FALSE(source.take(kTick));
}

}  // namespace
}  // namespace hodor::signals
