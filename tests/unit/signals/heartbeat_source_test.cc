#include "signals/heartbeat_source.h"

#include <gtest/gtest.h>

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HeartbeatSourceTest : public testing::Test {
 protected:
  void expectWorst(Instant now, Duration worst) {
    const auto sample = source_.take(now);
    ASSERT_TRUE(sample.has_value());
    EXPECT_EQ(sample->worstOvershoot, worst);
  }

  HeartbeatSource source_;
};

TEST_F(HeartbeatSourceTest, NothingBeforeTheFirstBeat) {
  EXPECT_FALSE(source_.take(seconds(5)));
  source_.beatEnded(seconds(6));
  EXPECT_FALSE(source_.take(seconds(7)));
  source_.beatBegins(seconds(8));
  expectWorst(seconds(7), Duration::zero());
}

TEST_F(HeartbeatSourceTest, ABeatInTimeIsZero) {
  source_.beatBegins(milliseconds(10));
  expectWorst(milliseconds(5), Duration::zero());
  source_.beatEnded(milliseconds(10));
  source_.beatBegins(milliseconds(20));
  expectWorst(milliseconds(15), Duration::zero());
}

TEST_F(HeartbeatSourceTest, KeepsTheWorstUntilItIsTaken) {
  source_.beatBegins(milliseconds(10));
  source_.beatEnded(milliseconds(13));
  source_.beatBegins(milliseconds(23));
  source_.beatEnded(milliseconds(73));
  source_.beatBegins(milliseconds(83));
  source_.beatEnded(milliseconds(84));
  source_.beatBegins(milliseconds(94));
  expectWorst(milliseconds(90), milliseconds(50));
  expectWorst(milliseconds(91), Duration::zero());
}

TEST_F(HeartbeatSourceTest, ABeatStillAsleepCountsWithItsAge) {
  source_.beatBegins(seconds(1));
  expectWorst(seconds(3), seconds(2));
  expectWorst(seconds(9), seconds(8));
  // The whole of it once more when it ends: the tick before saw only a part.
  source_.beatEnded(seconds(10));
  source_.beatBegins(seconds(11));
  expectWorst(seconds(10), seconds(9));
  expectWorst(milliseconds(10'500), Duration::zero());
}

TEST_F(HeartbeatSourceTest, TheWorseOfTheEndedAndTheSleepingBeat) {
  source_.beatBegins(seconds(1));
  source_.beatEnded(seconds(2));
  source_.beatBegins(seconds(3));
  expectWorst(seconds(7), seconds(4));
}

TEST_F(HeartbeatSourceTest, ABeatThatEndsEarlyIsNotNegative) {
  source_.beatBegins(seconds(5));
  source_.beatEnded(seconds(4));
  expectWorst(seconds(4), Duration::zero());
}

}  // namespace
}  // namespace hodor::signals
