#include "detectors/cpu_detector.h"

#include <gtest/gtest.h>

#include <limits>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class CpuDetectorTest : public testing::Test {
 protected:
  Verdict observe(double waitSeconds, double cpus = 1, Duration elapsed = milliseconds(100)) {
    now_ += elapsed;
    return detector_.observe(
        now_,
        CpuSample{std::chrono::duration_cast<Duration>(std::chrono::duration<double>(waitSeconds)),
                  elapsed, cpus});
  }

  CpuDetector detector_{CpuDetector::defaultBands()};
  Instant now_ = seconds(10);
};

TEST_F(CpuDetectorTest, ValueIsWaitingThreadsPerEffectiveCpu) {
  EXPECT_DOUBLE_EQ(observe(0.5, 2).value, 2.5);
  EXPECT_DOUBLE_EQ(observe(0.5, 1.25).value, 4);
}

TEST_F(CpuDetectorTest, FiresInItsBandAndExplains) {
  Verdict verdict;
  for (int i = 0; i < 5; ++i) {
    verdict = observe(3.0);
  }
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_FALSE(verdict.quiet);
  EXPECT_EQ(detector_.explain(),
            "run queue 30.0 threads deep per CPU on 1.00 CPUs; band 3 of 3 (25 for 0.5 s) fires");
}

TEST_F(CpuDetectorTest, StaleAndAbsurdSamplesAreUnknownNotZero) {
  for (int i = 0; i < 5; ++i) {
    observe(3.0);
  }
  const Verdict stale = detector_.observe(now_, std::nullopt);
  EXPECT_TRUE(stale.stale);
  EXPECT_FALSE(stale.firing);
  EXPECT_EQ(stale.value, 30.0);
  EXPECT_TRUE(observe(1, 0).stale);
  EXPECT_TRUE(observe(-1).stale);
  EXPECT_TRUE(observe(1, std::numeric_limits<double>::quiet_NaN()).stale);
  EXPECT_TRUE(detector_.observe(now_, CpuSample{seconds(1), Duration::zero(), 1}).stale);
  EXPECT_TRUE(observe(1, std::numeric_limits<double>::infinity()).stale);
  EXPECT_TRUE(observe(1e6).stale);  // ten million threads
  EXPECT_EQ(detector_.explain(), "no data on the run queues");
  // Not sticky: the window starts afresh.
  EXPECT_FALSE(observe(3.0).firing);
}

}  // namespace
}  // namespace hodor::detectors
