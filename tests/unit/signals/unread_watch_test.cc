#include "signals/unread_watch.h"

#include <gtest/gtest.h>

#include "loopback.h"

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Connection;
using Pace = UnreadWatch::Pace;

// A request arrives behind the watch's back; how long until it is seen tells when it looked.
class UnreadWatchTest : public ::testing::Test {
 protected:
  std::size_t unreadAt(Duration time, Pace pace) {
    const auto& sample = watch_.observe(seconds(100) + time, pace);
    return sample ? sample->ages.size() : 99;
  }

  const testing::Descriptor listener_ = testing::listening();
  const Connection connection_{listener_};
  UnreadWatch watch_;
};

TEST_F(UnreadWatchTest, LooksOnceASecondWhileNothingIsSuspicious) {
  EXPECT_EQ(unreadAt(seconds(0), Pace::kNormal), 0U);
  connection_.send(100);
  EXPECT_EQ(unreadAt(milliseconds(900), Pace::kNormal), 0U);
  EXPECT_EQ(unreadAt(milliseconds(1000), Pace::kNormal), 1U);
  connection_.read(100);
  EXPECT_EQ(unreadAt(milliseconds(1100), Pace::kNormal), 1U) << "one says nothing";
}

TEST_F(UnreadWatchTest, LooksAtOnceWhenAsked) {
  EXPECT_EQ(unreadAt(seconds(0), Pace::kNormal), 0U);
  connection_.send(100);
  EXPECT_EQ(unreadAt(milliseconds(10), Pace::kSuspicious), 1U);
}

TEST_F(UnreadWatchTest, LooksTwiceASecondInAnOverload) {
  EXPECT_EQ(unreadAt(seconds(0), Pace::kOverloaded), 0U);
  connection_.send(100);
  EXPECT_EQ(unreadAt(milliseconds(400), Pace::kOverloaded), 0U);
  EXPECT_EQ(unreadAt(milliseconds(500), Pace::kOverloaded), 1U);
}

TEST_F(UnreadWatchTest, LooksRarelyWithoutRequests) {
  EXPECT_EQ(unreadAt(seconds(0), Pace::kQuiet), 0U);
  connection_.send(100);
  EXPECT_EQ(unreadAt(seconds(4), Pace::kQuiet), 0U);
  EXPECT_EQ(unreadAt(seconds(5), Pace::kQuiet), 1U);
}

TEST_F(UnreadWatchTest, GoesOnLookingWhileRequestsWait) {
  const Connection second(listener_);
  const Connection third(listener_);
  for (const Connection* each : {&connection_, &second, &third}) {
    each->send(100);
  }
  EXPECT_EQ(unreadAt(seconds(0), Pace::kNormal), 3U);
  third.read(100);
  EXPECT_EQ(unreadAt(milliseconds(100), Pace::kNormal), 2U);
  second.read(100);
  EXPECT_EQ(unreadAt(milliseconds(200), Pace::kNormal), 2U) << "two say nothing";
}

// Requests of a server that Hodor is not attached to: nothing can be shed.
TEST_F(UnreadWatchTest, LooksRarelyForRequestsThatItCannotShed) {
  const Connection second(listener_);
  const Connection third(listener_);
  for (const Connection* each : {&connection_, &second, &third}) {
    each->send(100);
  }
  EXPECT_EQ(unreadAt(seconds(0), Pace::kQuiet), 3U);
  third.read(100);
  EXPECT_EQ(unreadAt(seconds(4), Pace::kQuiet), 3U);
  EXPECT_EQ(unreadAt(seconds(5), Pace::kQuiet), 2U);
}

TEST_F(UnreadWatchTest, AFailedLookLeavesNothing) {
  UnreadWatch blind{UnreadSource("/proc/no-such-process")};
  EXPECT_FALSE(blind.observe(seconds(1), Pace::kNormal));
  EXPECT_FALSE(blind.lastError().empty());
}

}  // namespace
}  // namespace hodor::signals
