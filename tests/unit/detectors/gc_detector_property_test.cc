#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "detectors/gc_detector.h"

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A JVM that loses a share of its time, some of it to pauses and the rest to stalls, and a thread
// that looks at irregular times.
class GcDetectorPropertyTest : public testing::TestWithParam<unsigned> {
 protected:
  GcDetectorPropertyTest() {
    total_.effectiveCpus = 2;
    total_.threads.emplace();
  }

  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }

  Duration step() {
    const bool late = random_() % 50 == 0;
    return milliseconds(late ? 300 + random_() % 2700 : 20 + random_() % 180);
  }

  void lose(Duration time, double paused, double stalled) {
    const auto part = [&](double share) {
      return Duration(static_cast<Duration::rep>(share * static_cast<double>(time.count())));
    };
    now_ += time;
    total_.pausedTotal += part(paused);
    total_.pausesStarted +=
        paused > 0 ? 1 + static_cast<std::uint64_t>(time / milliseconds(50)) : 0;
    total_.stallCyclesTotal += part(stalled);
    (*total_.threads)[ThreadKind::kCollector].ran += part(stalled);
    if (random_() % 4 != 0) {
      total_.threadsReadAt = now_;
    }
  }

  // What the detector was shown is constant, so every window has this value.
  // The highest band that fired.
  int runAt(double share, Duration time) {
    const double paused = uniform(0, share);
    int highestBand = 0;
    for (const Instant end = now_ + time; now_ < end;) {
      lose(step(), paused, share - paused);
      if (total_.threadsReadAt != now_) {
        total_.threadsReadAt = now_;
      }
      const Verdict verdict = detector_.observe(now_, total_);
      highestBand = std::max(highestBand, verdict.band);
    }
    fired_ = fired_ || highestBand > 0;
    return highestBand;
  }

  std::mt19937_64 random_{GetParam()};
  GcDetector detector_{GcDetector::defaultBands()};
  GcSample total_;
  Instant now_ = seconds(10);
  bool fired_ = false;
};

INSTANTIATE_TEST_SUITE_P(Seeds, GcDetectorPropertyTest, testing::Range(1U, 21U));

TEST_P(GcDetectorPropertyTest, NeverFiresBelowItsFirstBand) {
  for (int i = 0; i < 20; ++i) {
    runAt(uniform(0, 0.109), seconds(15));
  }
  EXPECT_FALSE(fired_);
}

TEST_P(GcDetectorPropertyTest, AlwaysFiresAboveABandForItsDuration) {
  int band = 0;
  for (const Band& expected : GcDetector::defaultBands()) {
    ++band;
    runAt(0, seconds(20));
    const double share = std::min(expected.threshold + uniform(0.005, 0.15), 0.95);
    // A late tick cannot tell whether its pauses were one, so it may take a few more.
    EXPECT_GE(runAt(share, Duration(expected.duration) + seconds(10)), band) << share;
  }
}

TEST_P(GcDetectorPropertyTest, StaleNeverFires) {
  for (int i = 0; i < 2000; ++i) {
    lose(step(), uniform(0, 0.5), uniform(0, 0.5));
    if (random_() % 3 == 0) {
      const Verdict verdict = detector_.observe(now_, std::nullopt);
      ASSERT_TRUE(verdict.stale);
      ASSERT_FALSE(verdict.firing);
      ASSERT_TRUE(verdict.quiet);
    } else {
      const Verdict verdict = detector_.observe(now_, total_);
      ASSERT_FALSE(verdict.stale && verdict.firing);
    }
  }
}

TEST_P(GcDetectorPropertyTest, CountersThatResetAreStaleOnceAndNeverALoss) {
  for (int i = 0; i < 300; ++i) {
    runAt(0.05, seconds(1));
    total_ = GcSample{};
    total_.effectiveCpus = 2;
    total_.threads.emplace();
    now_ += milliseconds(100);
    total_.threadsReadAt = now_;
    const Verdict verdict = detector_.observe(now_, total_);
    ASSERT_TRUE(verdict.stale);
  }
  EXPECT_FALSE(fired_);
}

// Of two JVMs the one that loses more at every moment has the higher value and band.
TEST_P(GcDetectorPropertyTest, IsMonotone) {
  GcDetector other{GcDetector::defaultBands()};
  GcSample more = total_;
  for (int i = 0; i < 1500; ++i) {
    const GcSample before = total_;
    const Duration time = step();
    const double paused = uniform(0, 0.4);
    lose(time, paused, uniform(0, 0.4));
    const auto half = [&](Duration now, Duration then) { return (now - then) * 5 / 4; };
    more.pausedTotal += half(total_.pausedTotal, before.pausedTotal);
    more.pausesStarted = total_.pausesStarted;
    more.stallCyclesTotal += half(total_.stallCyclesTotal, before.stallCyclesTotal);
    (*more.threads)[ThreadKind::kCollector].ran = (*total_.threads)[ThreadKind::kCollector].ran * 2;
    more.threadsReadAt = total_.threadsReadAt;
    const Verdict low = detector_.observe(now_, total_);
    const Verdict high = other.observe(now_, more);
    ASSERT_GE(high.band, low.band) << i;
    ASSERT_FALSE(high.quiet && !low.quiet) << i;
  }
}

}  // namespace
}  // namespace hodor::detectors
