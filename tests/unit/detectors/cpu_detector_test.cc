#include "detectors/cpu_detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

constexpr Duration kTick = milliseconds(100);

Duration fromSeconds(double time) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(time));
}

class CpuDetectorTest : public testing::Test {
 protected:
  // Threads of the application waited so long, summed.
  static CpuSample waiting(double waitSeconds, double cpus = 1, Duration elapsed = kTick) {
    CpuSample sample;
    sample.elapsed = elapsed;
    sample.effectiveCpus = cpus;
    sample.threads[ThreadKind::kApplication].waited = fromSeconds(waitSeconds);
    return sample;
  }

  // One CPU, shared fairly by threads that all want to run: each kind has so many.
  static CpuSample fairShare(int application, int compilers, int collectors = 0) {
    CpuSample sample;
    sample.elapsed = kTick;
    const int all = application + compilers + collectors;
    const auto set = [&](ThreadKind kind, int threads) {
      sample.threads[kind].ran = threads * kTick / all;
      sample.threads[kind].waited = threads * (kTick - kTick / all);
    };
    set(ThreadKind::kApplication, application);
    set(ThreadKind::kCompiler, compilers);
    set(ThreadKind::kCollector, collectors);
    return sample;
  }

  Verdict observe(const CpuSample& sample) {
    now_ += sample.elapsed;
    return detector_.observe(now_, sample);
  }
  Verdict observe(double waitSeconds, double cpus = 1, Duration elapsed = kTick) {
    return observe(waiting(waitSeconds, cpus, elapsed));
  }
  Verdict observeFor(Duration time, const CpuSample& sample) {
    Verdict verdict;
    for (Duration passed{}; passed < time; passed += sample.elapsed) {
      verdict = observe(sample);
    }
    return verdict;
  }

  CpuDetector detector_{CpuDetector::defaultBands()};
  Instant now_ = seconds(10);
};

TEST_F(CpuDetectorTest, ValueIsWaitingThreadsPerEffectiveCpu) {
  EXPECT_DOUBLE_EQ(observe(0.5, 2).value, 2.5);
  EXPECT_DOUBLE_EQ(observe(0.5, 1.25).value, 4);
}

TEST_F(CpuDetectorTest, FiresInItsBandAndExplains) {
  CpuSample sample = waiting(3.0);
  sample.threads[ThreadKind::kCompiler].waited = fromSeconds(1.0);
  sample.threads[ThreadKind::kApplication].ran = kTick;
  sample.shares = CpuShares{.elapsed = kTick,
                            .effectiveCpus = 1,
                            .own = kTick,
                            .machine = MachineCpu{.busy = kTick, .cpus = 1},
                            .quota = ThrottledPeriods{}};
  const Verdict verdict = observeFor(5 * kTick, sample);
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_FALSE(verdict.quiet);
  EXPECT_EQ(detector_.blame(), CpuBlame::kSelf);
  EXPECT_EQ(detector_.explain(),
            "run queue 30.0 threads deep per CPU on 1.00 CPUs for 0.5 s; 75 % of the wait is in "
            "application threads; no throttling; no other processes; no steal; band 3 of 3 (25 for "
            "0.5 s) fires");
}

TEST_F(CpuDetectorTest, SaysForHowLong) {
  observeFor(milliseconds(700), waiting(1.0));
  EXPECT_THAT(detector_.explain(), HasSubstr("on 1.00 CPUs for 0.7 s;"));
  observe(waiting(0.01));
  EXPECT_THAT(detector_.explain(), Not(HasSubstr(" CPUs for ")));
}

TEST_F(CpuDetectorTest, AWarmUpIsNoOverload) {
  // Five of the application and as many compiler threads.
  const Verdict verdict = observeFor(seconds(30), fairShare(5, 5));
  EXPECT_FALSE(verdict.firing);
  EXPECT_LT(verdict.value, 4);
  EXPECT_THAT(detector_.explain(), HasSubstr("the JIT compiler has 50 % of its CPU time"));
}

TEST_F(CpuDetectorTest, AStormDuringAWarmUpFiresAtOnce) {
  observeFor(seconds(10), fairShare(1, 3));
  const Verdict verdict = observeFor(milliseconds(500), fairShare(200, 3));
  EXPECT_TRUE(verdict.firing);
  EXPECT_EQ(verdict.band, 3);
  EXPECT_GT(verdict.value, 190);
}

TEST_F(CpuDetectorTest, WaitsBehindTheCollectorAreNotItsConcern) {
  const Verdict verdict = observeFor(seconds(30), fairShare(5, 0, 8));
  EXPECT_FALSE(verdict.firing);
  EXPECT_THAT(detector_.explain(), HasSubstr("the garbage collector has 62 % of its CPU time"));
}

TEST_F(CpuDetectorTest, WaitsOfOtherThreadsThanTheApplicationsDoNotCount) {
  for (const ThreadKind kind :
       {ThreadKind::kCollector, ThreadKind::kCompiler, ThreadKind::kOther}) {
    CpuSample sample = waiting(0);
    sample.threads[kind].waited = seconds(10);
    EXPECT_EQ(observe(sample).value, 0);
  }
}

TEST_F(CpuDetectorTest, AStallInWhichNothingRanCountsInFull) {
  EXPECT_EQ(observe(waiting(3.0)).value, 30);
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
  EXPECT_TRUE(observe(1, 1, Duration::zero()).stale);
  EXPECT_TRUE(observe(1, std::numeric_limits<double>::infinity()).stale);
  EXPECT_TRUE(observe(1e6).stale);  // ten million threads
  CpuSample backwards = waiting(1);
  backwards.threads[ThreadKind::kCompiler].ran = -milliseconds(1);
  EXPECT_TRUE(observe(backwards).stale);
  EXPECT_EQ(detector_.blame(), CpuBlame::kUnknown);
  EXPECT_EQ(detector_.explain(), "no data on the run queues");
  // Not sticky: the window starts afresh.
  EXPECT_FALSE(observe(3.0).firing);
}

TEST_F(CpuDetectorTest, ATickThatComesLateFiresIfTheWholeOfItWasDeep) {
  EXPECT_EQ(observe(90, 1, seconds(3)).band, 3);
  EXPECT_EQ(observe(0, 1, seconds(3)).band, 0);
}

// Random loads and ticks of 1 ms to 3 s, with samples that are missing now and then.
class CpuDetectorPropertyTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  std::mt19937_64 random_{GetParam()};

  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  // With `depth` threads of the application waiting, and any amount of work by the others.
  CpuSample sample(double depth) {
    CpuSample sample;
    sample.elapsed = fromSeconds(uniform(0, 1) < 0.9 ? uniform(0.05, 0.2) : uniform(0.001, 3));
    sample.effectiveCpus = uniform(0.01, 64);
    ThreadTimes& application = sample.threads[ThreadKind::kApplication];
    application.waited = fromSeconds(depth * sample.effectiveCpus * toSeconds(sample.elapsed));
    application.ran = fromSeconds(uniform(0, 1));
    return sample;
  }
};

TEST_P(CpuDetectorPropertyTest, BelowItsFirstBandItNeverFires) {
  CpuDetector detector(CpuDetector::defaultBands());
  Instant now{};
  for (int i = 0; i < 2000; ++i) {
    CpuSample next = sample(uniform(0, 3.99));
    next.threads[ThreadKind::kCompiler] = {fromSeconds(uniform(0, 2)), fromSeconds(uniform(0, 50))};
    next.threads[ThreadKind::kOther].waited = fromSeconds(uniform(0, 50));
    now += next.elapsed;
    ASSERT_FALSE(detector.observe(now, next).firing);
  }
}

TEST_P(CpuDetectorPropertyTest, AboveItItAlwaysFiresAfterItsTime) {
  CpuDetector detector(CpuDetector::defaultBands());
  Instant now{};
  while (now < seconds(60)) {
    const CpuSample next = sample(uniform(4.01, 1000));
    now += next.elapsed;
    const Verdict verdict = detector.observe(now, next);
    ASSERT_TRUE(verdict.firing || now < seconds(10)) << now.count();
  }
}

TEST_P(CpuDetectorPropertyTest, StaleNeverFires) {
  CpuDetector detector(CpuDetector::defaultBands());
  Instant now{};
  for (int i = 0; i < 2000; ++i) {
    const CpuSample next = sample(uniform(0, 100));
    now += next.elapsed;
    const bool missing = uniform(0, 1) < 0.3;
    const Verdict verdict = detector.observe(now, missing ? std::nullopt : std::optional(next));
    ASSERT_EQ(verdict.stale, missing);
    ASSERT_FALSE(verdict.stale && verdict.firing);
  }
}

TEST_P(CpuDetectorPropertyTest, MoreWaitIsNeverLess) {
  CpuDetector calm(CpuDetector::defaultBands());
  CpuDetector worse(CpuDetector::defaultBands());
  Instant now{};
  for (int i = 0; i < 2000; ++i) {
    CpuSample next = sample(uniform(0, 40));
    next.threads[ThreadKind::kCompiler].ran = fromSeconds(uniform(0, 1));
    now += next.elapsed;
    const Verdict one = calm.observe(now, next);
    next.threads[ThreadKind::kApplication].waited *= 2;
    const Verdict two = worse.observe(now, next);
    ASSERT_GE(two.value, one.value);
    ASSERT_GE(two.band, one.band);
    ASSERT_LE(two.quiet, one.quiet);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CpuDetectorPropertyTest, testing::Range<std::uint64_t>(1, 11));

}  // namespace
}  // namespace hodor::detectors
