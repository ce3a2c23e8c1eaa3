#include "control/connection_law.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ConnectionLawTest : public testing::Test {
 protected:
  static constexpr Duration kTick = milliseconds(100);

  // A tenth of a second in which so many connections a second were offered. The share that passes
  // is that of the last tick, as in the kernel.
  double tick(double offered) {
    in_.now += kTick;
    in_.elapsed = kTick;
    in_.passed = law_.passing();
    in_.opened = static_cast<std::uint64_t>(offered * toSeconds(kTick) * in_.passed);
    return law_.tick(in_);
  }

  double ticks(int count, double offered) {
    double passing = 1;
    for (int i = 0; i < count; ++i) {
      passing = tick(offered);
    }
    return passing;
  }

  // The state in which a server spends itself on clients that have left.
  void congest() {
    in_.overloaded = true;
    in_.cpuUse = 1;
    in_.unreadWait = 0.5;
  }

  // It reads at once what comes, with all of its CPU.
  void digest() {
    in_.overloaded = true;
    in_.cpuUse = 1;
    in_.unreadWait = 0.001;
  }

  ConnectionLaw law_;
  ConnectionLaw::Input in_ = [] {
    ConnectionLaw::Input in;
    in.now = seconds(10);
    in.throughput = 400;
    return in;
  }();
};

TEST_F(ConnectionLawTest, DoesNothingWithoutAnOverload) {
  congest();
  in_.overloaded = false;
  EXPECT_EQ(ticks(100, 20'000), 1);
  EXPECT_FALSE(law_.budget());
}

TEST_F(ConnectionLawTest, DoesNothingWhileConnectionsAreKept) {
  digest();
  in_.rejected = 400;  // a tick: 4,000 a second
  EXPECT_EQ(ticks(100, 10), 1);
  EXPECT_FALSE(law_.budget());
}

TEST_F(ConnectionLawTest, DoesNothingWhileTheCpuIsIdle) {
  // As behind a slow downstream service: what waits there waits for threads.
  congest();
  in_.cpuUse = 0.3;
  EXPECT_EQ(ticks(100, 5'000), 1);
}

TEST_F(ConnectionLawTest, BeginsOnceRequestsWaitToBeRead) {
  congest();
  const double passing = ticks(10, 8'000);
  EXPECT_LT(passing, 0.1);
  EXPECT_GE(passing, ConnectionLaw::kFloor);
  ASSERT_TRUE(law_.budget());
  EXPECT_NEAR(passing, std::max(*law_.budget() / law_.offered(), ConnectionLaw::kFloor), 1e-9);
}

TEST_F(ConnectionLawTest, BeginsOnceConnectionsWaitToBeAccepted) {
  congest();
  std::swap(in_.unreadWait, in_.acceptWait);
  EXPECT_LT(ticks(10, 8'000), 0.1);
}

TEST_F(ConnectionLawTest, BeginsBeforeAnythingWaitsIfConnectionsAreDear) {
  digest();
  EXPECT_LT(ticks(20, 8'000), 1);
}

TEST_F(ConnectionLawTest, FollowsTheSizeOfTheMachine) {
  congest();
  in_.effectiveCpus = 16;
  ticks(2, 20'000);
  ASSERT_TRUE(law_.budget());
  EXPECT_GT(*law_.budget(), 4'000);
}

TEST_F(ConnectionLawTest, NeverPassesLessThanTheFloor) {
  congest();
  EXPECT_EQ(ticks(300, 100'000), ConnectionLaw::kFloor);
}

TEST_F(ConnectionLawTest, ShrinksWhileRequestsWaitAndGrowsWhileTheyDoNot) {
  congest();
  ticks(5, 8'000);
  const double first = *law_.budget();
  ticks(20, 8'000);
  const double small = *law_.budget();
  EXPECT_LT(small, first);
  digest();
  ticks(20, 8'000);
  EXPECT_GT(*law_.budget(), small);
}

TEST_F(ConnectionLawTest, IsNotCutAgainWhileWhatWaitsDrains) {
  congest();
  ticks(5, 8'000);
  const double before = *law_.budget();
  for (int i = 0; i < 10; ++i) {
    in_.unreadWait *= 0.85;
    tick(8'000);
  }
  EXPECT_EQ(*law_.budget(), before);
}

TEST_F(ConnectionLawTest, GrowsFasterWhenCpuIsToSpare) {
  congest();
  ticks(30, 8'000);
  const double small = *law_.budget();
  digest();
  ConnectionLaw withSpare = law_;
  ticks(5, 8'000);
  const double busy = *law_.budget() / small;
  law_ = withSpare;
  in_.cpuUse = 0.5;
  ticks(5, 8'000);
  EXPECT_GT(*law_.budget() / small, busy * 1.5);
}

TEST_F(ConnectionLawTest, EndsWhenNoMoreComeThanThereIsRoomFor) {
  congest();
  ticks(10, 8'000);
  digest();
  // What comes fits at once: all may pass, and two seconds later the budget is over.
  EXPECT_EQ(ticks(60, 50), 1);
  EXPECT_FALSE(law_.budget());
}

TEST_F(ConnectionLawTest, EndsWithTheOverload) {
  congest();
  ticks(10, 8'000);
  in_.overloaded = false;
  EXPECT_EQ(tick(8'000), 1);
  EXPECT_FALSE(law_.budget());
}

TEST_F(ConnectionLawTest, DearRejectionsCloseConnectionsWhoseSuccessorsDoNotPass) {
  digest();
  in_.rejected = 1'700;  // a tick: 17,000 a second, a third of the CPU
  const double passing = ticks(30, 20);
  EXPECT_GT(law_.closing(), 0.05);
  EXPECT_LT(passing, 0.05);
  in_.rejected = 450;
  ticks(30, 20);
  EXPECT_EQ(law_.closing(), 0);
}

TEST_F(ConnectionLawTest, ConnectionsAreClosedWhereTheirRequestsWaitForLong) {
  congest();
  in_.rejected = 500;
  ticks(30, 2'000);
  EXPECT_GT(law_.closing(), 0.05);
  digest();
  ticks(5, 2'000);
  EXPECT_EQ(law_.closing(), 0);
}

TEST_F(ConnectionLawTest, AFastServiceThatRejectsAsManyAsItAnswersClosesNone) {
  digest();
  in_.throughput = 20'000;
  in_.rejected = 2'000;
  ticks(30, 20);
  EXPECT_EQ(law_.closing(), 0);
  EXPECT_EQ(law_.passing(), 1);
}

TEST_F(ConnectionLawTest, NothingIsClosedWhileTheCpuIsIdleOrWithoutAnOverload) {
  digest();
  in_.rejected = 1'700;
  ticks(30, 20);
  ASSERT_GT(law_.closing(), 0);
  ConnectionLaw before = law_;
  in_.cpuUse = 0.5;
  tick(20);
  EXPECT_EQ(law_.closing(), 0);
  law_ = before;
  in_.overloaded = false;
  tick(20);
  EXPECT_EQ(law_.closing(), 0);
  EXPECT_EQ(law_.passing(), 1);
}

TEST_F(ConnectionLawTest, ConnectionsAreClosedWhereMemoryIsShort) {
  digest();
  in_.rejected = 400;  // a tick: ten times what is answered
  ticks(30, 20);
  EXPECT_EQ(law_.closing(), 0);
  in_.gcShare = 0.3;
  EXPECT_LT(ticks(30, 20), 0.2);
  EXPECT_GT(law_.closing(), 0);
  in_.rejected = 40;
  ticks(30, 20);
  EXPECT_EQ(law_.closing(), 0) << "no more than are answered";
}

TEST_F(ConnectionLawTest, BearsATickThatIsLate) {
  congest();
  ticks(10, 8'000);
  in_.now += seconds(3);
  in_.elapsed = seconds(3);
  in_.passed = law_.passing();
  in_.opened = static_cast<std::uint64_t>(24'000 * in_.passed);
  const double passing = law_.tick(in_);
  EXPECT_GE(passing, ConnectionLaw::kFloor);
  EXPECT_LE(passing, 1);
  EXPECT_NEAR(law_.offered(), 8'000, 800);
}

}  // namespace
}  // namespace hodor::control
