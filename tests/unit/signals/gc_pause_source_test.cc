#include "signals/gc_pause_source.h"

#include <gtest/gtest.h>

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GcPauseSourceTest : public testing::Test {
 protected:
  void expect(Instant now, Duration paused, std::uint64_t started, bool running) {
    const detectors::GcSample sample = source_.read(now);
    EXPECT_EQ(sample.pausedTotal, paused);
    EXPECT_EQ(sample.pausesStarted, started);
    EXPECT_EQ(sample.pauseRunning, running);
  }

  GcPauseSource source_;
};

TEST_F(GcPauseSourceTest, NothingHappened) { expect(seconds(5), Duration::zero(), 0, false); }

TEST_F(GcPauseSourceTest, AddsPauses) {
  source_.pauseStarted(milliseconds(1000));
  source_.pauseFinished(milliseconds(1200));
  source_.pauseStarted(milliseconds(2000));
  source_.pauseFinished(milliseconds(2050));
  expect(seconds(3), milliseconds(250), 2, false);
}

TEST_F(GcPauseSourceTest, ARunningPauseCountsAsFarAsItWent) {
  source_.pauseStarted(milliseconds(1000));
  expect(milliseconds(1300), milliseconds(300), 1, true);
  expect(milliseconds(1900), milliseconds(900), 1, true);
  source_.pauseFinished(milliseconds(2000));
  expect(milliseconds(2500), milliseconds(1000), 1, false);
}

TEST_F(GcPauseSourceTest, AFinishWithoutStartIsIgnored) {
  source_.pauseFinished(seconds(9));
  expect(seconds(10), Duration::zero(), 0, false);
  source_.pauseStarted(seconds(11));
  source_.pauseFinished(seconds(12));
  source_.pauseFinished(seconds(15));
  expect(seconds(16), seconds(1), 1, false);
}

TEST_F(GcPauseSourceTest, ASecondStartBelongsToTheRunningPause) {
  source_.pauseStarted(seconds(1));
  source_.pauseStarted(seconds(3));
  expect(seconds(4), seconds(3), 1, true);
  source_.pauseFinished(seconds(5));
  expect(seconds(6), seconds(4), 1, false);
  // What comes after is counted again, not swallowed by what was shown before.
  source_.pauseStarted(seconds(7));
  source_.pauseFinished(seconds(8));
  expect(seconds(9), seconds(5), 2, false);
}

TEST_F(GcPauseSourceTest, TheTotalNeverGoesBack) {
  source_.pauseStarted(seconds(1));
  expect(seconds(4), seconds(3), 1, true);
  expect(seconds(3), seconds(3), 1, true);    // the reader's clock is a little older
  source_.pauseFinished(milliseconds(3900));  // so is the collector's
  expect(seconds(5), seconds(3), 1, false);
}

TEST_F(GcPauseSourceTest, APauseThatEndsBeforeItsStartIsEmpty) {
  source_.pauseStarted(seconds(5));
  expect(seconds(4), Duration::zero(), 1, true);
  source_.pauseFinished(seconds(3));
  expect(seconds(6), Duration::zero(), 1, false);
}

TEST_F(GcPauseSourceTest, IgnoresWhatComesAfterTheEnd) {
  source_.pauseStarted(seconds(1));
  source_.pauseFinished(seconds(2));
  source_.disable();
  source_.pauseStarted(seconds(3));
  source_.pauseFinished(seconds(9));
  expect(seconds(10), seconds(1), 1, false);
}

TEST_F(GcPauseSourceTest, APauseAcrossTheEndDoesNotStayOpen) {
  source_.pauseStarted(seconds(1));
  source_.disable();
  source_.pauseFinished(seconds(2));
  expect(seconds(10), Duration::zero(), 1, false);
}

TEST_F(GcPauseSourceTest, IsNotAvailableUntilSomebodySaysSo) {
  EXPECT_FALSE(source_.available());
  source_.setAvailable(true);
  EXPECT_TRUE(source_.available());
  source_.setAvailable(false);
  EXPECT_FALSE(source_.available());
}

}  // namespace
}  // namespace hodor::signals
