#include "detectors/queue_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::detectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

TEST(QueueDetectorTest, AHungPoolIsSeenByTheAgeOfItsProbe) {
  QueueDetector detector(QueueDetector::defaultBands());
  Instant now = seconds(1);
  Duration age{};
  Duration detected{};
  Verdict verdict;
  for (int i = 0; i < 40 && !verdict.firing; ++i) {
    now += kTick;
    age += kTick;
    verdict = detector.observe(now, kTick, QueueSample{age, ""}, std::nullopt, 0);
    detected = age;
  }
  EXPECT_TRUE(verdict.firing);
  // 1 s until the third band counts and 0.5 s of it; the second one is slower.
  EXPECT_EQ(detected, milliseconds(1400));
  EXPECT_EQ(verdict.band, 3);
}

TEST(QueueDetectorTest, WhatAStoppedProcessFindsHasNotWaitedAllTheTime) {
  QueueDetector detector(QueueDetector::defaultBands());
  Instant now = seconds(1);
  const auto observe = [&](Duration elapsed, Duration wait) {
    now += elapsed;
    return detector.observe(now, elapsed, QueueSample{wait, ""}, std::nullopt, 0);
  };
  observe(kTick, milliseconds(5));
  EXPECT_FALSE(observe(seconds(3), milliseconds(3000)).firing);
  EXPECT_FALSE(observe(kTick, milliseconds(2000)).firing);
  EXPECT_FALSE(observe(kTick, milliseconds(900)).firing);
  observe(kTick, milliseconds(1100));
  EXPECT_TRUE(observe(seconds(3), milliseconds(4000)).firing) << "both samples say so";
}

TEST(QueueDetectorTest, ShortWaitsAreQuiet) {
  QueueDetector detector(QueueDetector::defaultBands());
  Verdict verdict;
  for (int i = 1; i < 600; ++i) {
    verdict =
        detector.observe(i * kTick, kTick, QueueSample{milliseconds(30), ""}, std::nullopt, 0);
    ASSERT_FALSE(verdict.firing);
  }
  EXPECT_TRUE(verdict.quiet);
  EXPECT_EQ(detector.explain(),
            "work waits 30 ms for a thread of the server's pool; fires from 50 ms for 10 s");
}

TEST(QueueDetectorTest, NamesThePool) {
  QueueDetector detector(QueueDetector::defaultBands());
  detector.observe(kTick, kTick, QueueSample{milliseconds(30), "qtp7 of Jetty 12.1.14"},
                   std::nullopt, 0);
  EXPECT_EQ(detector.explain(),
            "work waits 30 ms for a thread of pool qtp7 of Jetty 12.1.14; fires from 50 ms for "
            "10 s");
}

TEST(QueueDetectorTest, TheLongerOfTwoWaitsCounts) {
  const QueueSample probe{milliseconds(30), "qtp7"};
  const QueueSample requests{milliseconds(40), ""};
  EXPECT_EQ(longer(probe, requests)->wait, milliseconds(40));
  EXPECT_EQ(longer(requests, probe)->pool, "qtp7");
  EXPECT_EQ(longer(requests, QueueSample{milliseconds(15), "qtp7"})->pool, "");
  EXPECT_EQ(longer(requests, QueueSample{milliseconds(90), "qtp7"})->wait, milliseconds(90));
  EXPECT_EQ(longer(probe, std::nullopt)->pool, "qtp7");
  EXPECT_EQ(longer(std::nullopt, requests)->wait, milliseconds(40));
  EXPECT_FALSE(longer(std::nullopt, std::nullopt));
}

TEST(QueueDetectorTest, WithoutPoolItIsStale) {
  QueueDetector detector(QueueDetector::defaultBands());
  const Verdict verdict = detector.observe(seconds(1), kTick, std::nullopt, std::nullopt, 0);
  EXPECT_TRUE(verdict.stale);
  EXPECT_FALSE(verdict.firing);
  EXPECT_TRUE(
      detector.observe(seconds(2), kTick, QueueSample{milliseconds(-1), ""}, std::nullopt, 0)
          .stale);
}

// Random waits over irregular ticks.
class QueueDetectorProperties : public testing::TestWithParam<unsigned> {
 protected:
  Duration nextElapsed() {
    return random_() % 20 == 0 ? milliseconds(random_() % 3000 + 1) : kTick;
  }
  Duration waitBelow(int millis) { return milliseconds(random_() % static_cast<unsigned>(millis)); }

  std::mt19937 random_{GetParam()};
  Instant now_ = seconds(1);
};

TEST_P(QueueDetectorProperties, NeverFiresBelowItsFirstBand) {
  QueueDetector detector(QueueDetector::defaultBands());
  for (int i = 0; i < 3000; ++i) {
    const Duration elapsed = nextElapsed();
    now_ += elapsed;
    ASSERT_FALSE(
        detector.observe(now_, elapsed, QueueSample{waitBelow(50), ""}, std::nullopt, 0).firing);
  }
}

TEST_P(QueueDetectorProperties, AlwaysFiresAboveABandForItsDuration) {
  for (const Band& band : QueueDetector::defaultBands()) {
    QueueDetector detector(QueueDetector::defaultBands());
    const Duration above = milliseconds(static_cast<int>(band.threshold));
    // Of the time before the first sample nothing is known if it comes late.
    now_ += kTick;
    Verdict verdict = detector.observe(now_, kTick, QueueSample{above, ""}, std::nullopt, 0);
    const Instant begin = now_;
    while (now_ - begin < band.duration) {
      const Duration elapsed = nextElapsed();
      now_ += elapsed;
      verdict = detector.observe(now_, elapsed, QueueSample{above + waitBelow(5000), ""},
                                 std::nullopt, 0);
    }
    EXPECT_TRUE(verdict.firing) << band.threshold;
  }
}

TEST_P(QueueDetectorProperties, StaleNeverFires) {
  QueueDetector detector(QueueDetector::defaultBands());
  for (int i = 0; i < 1000; ++i) {
    const Duration elapsed = nextElapsed();
    now_ += elapsed;
    if (random_() % 4 == 0) {
      const Verdict verdict = detector.observe(now_, elapsed, std::nullopt, std::nullopt, 0);
      ASSERT_TRUE(verdict.stale);
      ASSERT_FALSE(verdict.firing);
    } else {
      detector.observe(now_, elapsed, QueueSample{waitBelow(10'000), ""}, std::nullopt, 0);
    }
  }
}

TEST_P(QueueDetectorProperties, ALongerWaitNeverMeansALowerBand) {
  QueueDetector shorter(QueueDetector::defaultBands());
  QueueDetector longer(QueueDetector::defaultBands());
  for (int i = 0; i < 3000; ++i) {
    const Duration elapsed = nextElapsed();
    now_ += elapsed;
    const Duration wait = waitBelow(i % 300 < 150 ? 2000 : 100);
    const Verdict low = shorter.observe(now_, elapsed, QueueSample{wait, ""}, std::nullopt, 0);
    const Verdict high =
        longer.observe(now_, elapsed, QueueSample{wait + waitBelow(500), ""}, std::nullopt, 0);
    ASSERT_LE(low.band, high.band);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, QueueDetectorProperties, testing::Range(1U, 11U));

UnreadSample unreadFor(Duration age, std::size_t count = 82) {
  UnreadSample sample;
  sample.ages.assign(count, age);
  sample.connections = 100;
  return sample;
}

TEST(QueueDetectorTest, RequestsThatNobodyReadsWaitForTheServer) {
  QueueDetector detector(QueueDetector::defaultBands());
  Verdict verdict;
  for (int i = 1; i <= 5; ++i) {
    ASSERT_FALSE(verdict.firing);
    verdict = detector.observe(i * kTick, kTick, QueueSample{milliseconds(3), ""},
                               unreadFor(milliseconds(1200)), 0);
  }
  EXPECT_EQ(verdict.band, 3);
  EXPECT_EQ(verdict.value, 1200);
}

TEST(QueueDetectorTest, TheLongerWaitCounts) {
  QueueDetector detector(QueueDetector::defaultBands());
  const auto value = [&](int tick, Duration pool, Duration unread) {
    return detector.observe(tick * kTick, kTick, QueueSample{pool, ""}, unreadFor(unread), 0).value;
  };
  EXPECT_EQ(value(1, milliseconds(30), milliseconds(400)), 400);
  EXPECT_EQ(value(2, milliseconds(500), milliseconds(400)), 500);
}

TEST(QueueDetectorTest, SaysWhereRequestsWait) {
  QueueDetector detector(QueueDetector::defaultBands());
  UnreadSample unread = unreadFor(milliseconds(372));
  unread.ages.front() = milliseconds(400);
  unread.acceptQueue = 12;
  detector.observe(kTick, kTick, QueueSample{milliseconds(3), ""}, unread, 0);
  EXPECT_EQ(detector.explain(),
            "requests wait 372 ms to be read; 82 of 100 connections have an unread request, the "
            "oldest for 400 ms; 12 connections wait to be accepted; fires from 50 ms for 10 s");
  EXPECT_EQ(detector.requestsInKernel(), 94);
  detector.observe(2 * kTick, kTick, QueueSample{milliseconds(450), ""}, unread, 0);
  EXPECT_EQ(detector.explain(),
            "work waits 450 ms for a thread of the server's pool; 82 of 100 connections have an "
            "unread request, the oldest for 400 ms; 12 connections wait to be accepted; fires from "
            "50 ms for 10 s");
}

TEST(QueueDetectorTest, WithoutAPoolTheKernelCanTellOfAWaitOnly) {
  QueueDetector detector(QueueDetector::defaultBands());
  EXPECT_EQ(detector.observe(kTick, kTick, std::nullopt, unreadFor(milliseconds(80)), 0).value, 80);
  EXPECT_TRUE(detector.observe(2 * kTick, kTick, std::nullopt, unreadFor({}, 0), 0).stale);
}

TEST(QueueDetectorTest, NamesThePoolThatAccountsForWhatLiesUnread) {
  QueueDetector detector(QueueDetector::defaultBands());
  detector.observe(kTick, kTick, QueueSample{milliseconds(800), "qtp7"},
                   unreadFor(milliseconds(1400)), 0);
  EXPECT_NE(detector.explain().find("work waits 1400 ms for a thread of pool qtp7"),
            std::string::npos)
      << detector.explain();
}

TEST(QueueDetectorTest, WithoutTheKernelThePoolWillDo) {
  QueueDetector detector(QueueDetector::defaultBands());
  detector.observe(kTick, kTick, QueueSample{}, unreadFor(milliseconds(80)), 0);
  const Verdict verdict =
      detector.observe(2 * kTick, kTick, QueueSample{milliseconds(20), ""}, std::nullopt, 0);
  EXPECT_FALSE(verdict.stale);
  EXPECT_EQ(verdict.value, 20);
  EXPECT_EQ(detector.requestsInKernel(), 0) << "nothing is remembered of a source that has failed";
}

TEST(QueueDetectorTest, BodiesOfRequestsInFlightDoNotFire) {
  QueueDetector detector(QueueDetector::defaultBands());
  for (int i = 1; i < 600; ++i) {
    ASSERT_FALSE(detector
                     .observe(i * kTick, kTick, QueueSample{milliseconds(1), ""},
                              unreadFor(milliseconds(900), 40), 40)
                     .firing);
  }
}

// Random waits at random ticks: silent while all stay below the first band, sure to fire once all
// have been above a band for its duration.
TEST(QueueDetectorPropertyTest, FiresByTheWaitAloneWhicheverSourceSeesIt) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const auto between = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    QueueDetector detector(QueueDetector::defaultBands());
    Instant now = seconds(1);
    const auto tick = [&](int low, int high) {
      const Duration elapsed = milliseconds(between(20, 400));
      now += elapsed;
      const milliseconds wait(between(low, high));
      const milliseconds less(between(0, static_cast<int>(wait.count())));
      const bool pool = between(0, 1) == 0;
      return detector.observe(now, elapsed, QueueSample{pool ? wait : less, ""},
                              unreadFor(pool ? less : wait), between(0, 20));
    };
    for (int i = 0; i < 100; ++i) {
      ASSERT_FALSE(tick(0, 49).firing) << "seed " << seed;
    }
    const Instant rise = now;
    Verdict verdict;
    while (now - rise < milliseconds(2400)) {
      verdict = tick(200, 900);
    }
    EXPECT_GE(verdict.band, 2) << "seed " << seed;
    now += kTick;
    verdict = detector.observe(now, kTick, std::nullopt, std::nullopt, 0);
    EXPECT_TRUE(verdict.stale);
    EXPECT_FALSE(verdict.firing);
  }
}

}  // namespace
}  // namespace hodor::detectors
