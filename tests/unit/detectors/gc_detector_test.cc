#include "detectors/gc_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GcDetectorTest : public testing::Test {
 protected:
  // `pause` of each `period` is spent in a pause of its own, seen by ticks of 100 ms.
  Verdict collect(Duration time, Duration period, Duration pause) {
    Verdict verdict;
    for (Duration passed{}; passed < time; passed += milliseconds(1)) {
      now_ += milliseconds(1);
      phase_ = (phase_ + milliseconds(1)) % period;
      const bool running = phase_ < pause;
      if (running && !total_.pauseRunning) {
        ++total_.pausesStarted;
      }
      total_.pauseRunning = running;
      total_.pausedTotal += running ? milliseconds(1) : milliseconds(0);
      if (now_ % milliseconds(100) == Duration::zero()) {
        verdict = detector_.observe(now_, total_);
      }
    }
    return verdict;
  }

  GcDetector detector_{GcDetector::defaultBands()};
  GcSample total_;
  Instant now_ = seconds(10);
  Duration phase_ = milliseconds(500);
};

TEST_F(GcDetectorTest, FivePercentIsQuiet) {
  const Verdict verdict = collect(seconds(30), milliseconds(200), milliseconds(10));
  EXPECT_FALSE(verdict.firing);
  EXPECT_TRUE(verdict.quiet);
  EXPECT_NEAR(verdict.value, 0.05, 0.02);
}

TEST_F(GcDetectorTest, TwelvePercentFiresAfterTenSeconds) {
  EXPECT_FALSE(collect(seconds(9), milliseconds(200), milliseconds(24)).firing);
  const Verdict verdict = collect(seconds(3), milliseconds(200), milliseconds(24));
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 1);
}

TEST_F(GcDetectorTest, ASpiralFiresWithinASecondAndAHalf) {
  collect(seconds(20), seconds(1), Duration::zero());
  const Verdict verdict = collect(milliseconds(1500), milliseconds(200), milliseconds(150));
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_NE(detector_.explain().find("band 3 of 3 (60 % for 1 s) fires"), std::string::npos);
}

TEST_F(GcDetectorTest, OneLongPauseIsNoSpiral) {
  collect(seconds(20), seconds(100), Duration::zero());
  phase_ = seconds(100) - milliseconds(1);
  for (int i = 0; i < 110; ++i) {
    EXPECT_FALSE(collect(milliseconds(100), seconds(100), seconds(2)).firing) << i;
  }
}

// System.gc() in a server that collects its young generation as ever: many pauses, one to blame.
TEST_F(GcDetectorTest, OneLongPauseAmongShortOnesIsNoSpiral) {
  collect(seconds(20), seconds(1), milliseconds(20));
  for (Duration passed{}; passed < seconds(2); passed += milliseconds(100)) {
    total_.pausesStarted += passed == Duration::zero() ? 1U : 0U;
    total_.pauseRunning = true;
    total_.pausedTotal += milliseconds(100);
    EXPECT_FALSE(detector_.observe(now_ += milliseconds(100), total_).firing);
  }
  EXPECT_EQ(detector_.explain(),
            "21.6 % of the last 10 s lost to garbage collection, most of it in one pause; "
            "fires from 11 % for 10 s");
  for (int i = 0; i < 120; ++i) {
    const Verdict verdict = collect(milliseconds(100), seconds(1), milliseconds(20));
    EXPECT_FALSE(verdict.firing) << i;
    EXPECT_TRUE(verdict.quiet) << i;
  }
}

// The pause that held up the tick came together with a short one.
TEST_F(GcDetectorTest, OneLongPauseSeenByALateTickIsNoSpiral) {
  collect(seconds(20), seconds(1), milliseconds(20));
  total_.pausesStarted += 2;
  total_.pausedTotal += milliseconds(2520);
  EXPECT_FALSE(detector_.observe(now_ += milliseconds(2600), total_).firing);
  for (int i = 0; i < 120; ++i) {
    EXPECT_FALSE(collect(milliseconds(100), seconds(1), milliseconds(20)).firing) << i;
  }
}

TEST_F(GcDetectorTest, TheSentenceSpeaksOfTheBandThatFires) {
  collect(seconds(20), seconds(1), Duration::zero());
  const Verdict verdict = collect(seconds(5), milliseconds(200), milliseconds(140));
  ASSERT_EQ(verdict.band, 3);
  EXPECT_NEAR(verdict.value, 0.7, 0.05);
  EXPECT_NE(detector_.explain().find("% of the last 1 s lost to garbage collection; band 3 of 3"),
            std::string::npos)
      << detector_.explain();
}

TEST_F(GcDetectorTest, LongPausesBackToBackAreOne) {
  collect(seconds(20), seconds(100), Duration::zero());
  const Verdict verdict = collect(seconds(5), milliseconds(1700), milliseconds(1500));
  EXPECT_TRUE(verdict.firing);
}

TEST_F(GcDetectorTest, TotalsThatGoBackAreStaleAndThenStartAfresh) {
  ASSERT_TRUE(collect(seconds(5), milliseconds(200), milliseconds(180)).firing);
  total_ = GcSample{};
  Verdict verdict = detector_.observe(now_ += milliseconds(100), total_);
  EXPECT_TRUE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  verdict = detector_.observe(now_ += milliseconds(100), total_);
  EXPECT_FALSE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  EXPECT_TRUE(collect(milliseconds(1500), milliseconds(200), milliseconds(180)).firing);
  EXPECT_TRUE(detector_.observe(now_, total_).stale);  // time that stands still
}

TEST_F(GcDetectorTest, StaleIsNotSticky) {
  collect(seconds(5), milliseconds(200), milliseconds(180));
  const Verdict verdict = detector_.observe(now_, std::nullopt);
  EXPECT_TRUE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  EXPECT_FALSE(collect(milliseconds(500), milliseconds(200), milliseconds(180)).firing);
}

TEST_F(GcDetectorTest, ALateTickChangesNothing) {
  collect(seconds(20), milliseconds(200), milliseconds(10));
  // 3 s without a tick, in the rhythm of before.
  now_ += seconds(3);
  total_.pausedTotal += milliseconds(150);
  total_.pausesStarted += 15;
  EXPECT_FALSE(detector_.observe(now_, total_).firing);
}

// A concurrent collector: hardly any pause, the CPUs looked at in each tick.
class ConcurrentGcTest : public testing::Test {
 protected:
  ConcurrentGcTest() {
    total_.effectiveCpus = 2;
    total_.threads.emplace();
    total_.heap = HeapOccupancy{false, 0.97};
  }

  // Shares of one CPU, and of the time.
  Verdict run(Duration time, double collector, double application, double waited, double stalled) {
    constexpr Duration kTick = milliseconds(100);
    const auto part = [](double share) {
      return Duration(static_cast<Duration::rep>(share * 100e6));
    };
    Verdict verdict;
    for (Duration passed{}; passed < time; passed += kTick) {
      now_ += kTick;
      (*total_.threads)[ThreadKind::kCollector].ran += part(collector);
      (*total_.threads)[ThreadKind::kApplication].ran += part(application);
      (*total_.threads)[ThreadKind::kApplication].waited += part(waited);
      total_.stallCyclesTotal += part(stalled);
      total_.threadsReadAt = now_;
      verdict = detector_.observe(now_, total_);
    }
    return verdict;
  }

  GcDetector detector_{GcDetector::defaultBands()};
  GcSample total_;
  Instant now_ = seconds(10);
};

TEST_F(ConcurrentGcTest, ABusyCollectorOnIdleCpusIsQuiet) {
  const Verdict verdict = run(seconds(60), 0.9, 0.5, 0.3, 0);
  EXPECT_EQ(verdict.value, 0);
  EXPECT_TRUE(verdict.quiet);
}

TEST_F(ConcurrentGcTest, StallsFireWithinASecondAndAHalf) {
  run(seconds(20), 0.1, 0.5, 0.1, 0);
  const Verdict verdict = run(milliseconds(1500), 0.95, 0.1, 0.1, 1);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_EQ(
      detector_.explain(),
      "90.5 % of the last 1 s lost to garbage collection (0.0 % in pauses, 90.5 % in "
      "allocation stalls); heap 97 % full after collection; band 3 of 3 (60 % for 1 s) fires");
}

TEST_F(ConcurrentGcTest, CpuThatIsTakenFromWaitingThreadsFires) {
  run(seconds(20), 0.1, 0.5, 0.1, 0);
  const Verdict verdict = run(milliseconds(3500), 0.8, 1.2, 10, 0);
  EXPECT_EQ(verdict.band, 2);
  EXPECT_NE(detector_.explain().find("40.0 % as CPU taken from waiting threads"), std::string::npos)
      << detector_.explain();
}

TEST_F(ConcurrentGcTest, ARareStallIsQuiet) {
  run(seconds(20), 0.1, 0.5, 0.1, 0);
  run(milliseconds(300), 0.9, 0.1, 0.1, 1);
  for (int i = 0; i < 120; ++i) {
    EXPECT_FALSE(run(milliseconds(100), 0.1, 0.5, 0.1, 0).firing) << i;
  }
}

TEST_F(ConcurrentGcTest, AStretchBetweenTwoLooksIsSpreadEvenly) {
  run(seconds(20), 0.1, 0.5, 0.1, 0);
  // Two seconds without a look, a tenth of them in stalls, are not two tenths of a second of them.
  for (int i = 0; i < 19; ++i) {
    detector_.observe(now_ += milliseconds(100), total_);
  }
  (*total_.threads)[ThreadKind::kCollector].ran += milliseconds(200);
  total_.stallCyclesTotal += milliseconds(200);
  total_.threadsReadAt = now_ += milliseconds(100);
  EXPECT_FALSE(detector_.observe(now_, total_).firing);
  EXPECT_LE(detector_.observe(now_ += milliseconds(1), total_).value, 0.11);
}

TEST_F(ConcurrentGcTest, StallsCountWithoutCpuTimesToo) {
  run(seconds(5), 0.1, 0.5, 0.1, 0);
  total_.threads.reset();
  Verdict verdict;
  for (int i = 0; i < 12; ++i) {
    total_.stallCyclesTotal += milliseconds(90);
    verdict = detector_.observe(now_ += milliseconds(100), total_);
  }
  EXPECT_EQ(verdict.band, 3);
}

TEST_F(ConcurrentGcTest, StallsThatGoBackAreStaleOnce) {
  run(seconds(5), 0.9, 0.1, 0.1, 1);
  total_.stallCyclesTotal = Duration::zero();
  EXPECT_TRUE(detector_.observe(now_ += milliseconds(100), total_).stale);
  EXPECT_FALSE(run(milliseconds(500), 0.9, 0.1, 0.1, 1).firing);
  EXPECT_TRUE(run(milliseconds(1000), 0.9, 0.1, 0.1, 1).firing);
}

TEST(GcDetectorEdgeTest, WithoutBandsNothingFires) {
  GcDetector detector({});
  detector.observe(seconds(1), GcSample{});
  GcSample paused;
  paused.pausedTotal = seconds(1);
  paused.pausesStarted = 100;
  EXPECT_FALSE(detector.observe(seconds(2), paused).firing);
  EXPECT_EQ(detector.explain(), "no band is set");
}

TEST_F(GcDetectorTest, ValueStaysAShare) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    const Duration step = milliseconds(1 + static_cast<int>(random() % 300));
    now_ += step;
    total_.pausedTotal += step * static_cast<int>(random() % 3);  // more than all of it, too
    total_.pausesStarted += random() % 4;
    const Verdict verdict = detector_.observe(now_, total_);
    ASSERT_GE(verdict.value, 0);
    ASSERT_LE(verdict.value, 1);
    ASSERT_EQ(verdict.firing, verdict.band > 0);
    ASSERT_FALSE(verdict.firing && verdict.quiet);
  }
}

}  // namespace
}  // namespace hodor::detectors
