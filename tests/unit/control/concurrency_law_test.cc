#include "control/concurrency_law.h"

#include <gtest/gtest.h>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

// A service on `cpus` CPUs that needs `service` seconds of CPU for a request, in steady state at
// `throughput` with `inFlight` requests: the law sees the numbers that such a service would show.
class ConcurrencyLawTest : public testing::Test {
 protected:
  LawInput input(double throughput, double inFlight) {
    now_ += kTick;
    LawInput in;
    in.now = now_;
    in.load.elapsed = kTick;
    in.load.inFlight = inFlight;
    in.load.inFlightNow = static_cast<std::int64_t>(inFlight);
    carry_ += throughput * toSeconds(kTick);
    in.load.completions = static_cast<std::uint64_t>(carry_);
    carry_ -= static_cast<double>(in.load.completions);
    in.load.successes = in.load.completions;
    in.load.arrivals = in.load.completions;
    const double latency = throughput > 0 ? inFlight / throughput : 0;
    in.load.latency = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(latency * static_cast<double>(in.load.completions)));
    in.healthy = true;
    in.effectiveCpus = cpus_;
    return in;
  }

  LawInput overloaded(double throughput, double inFlight) {
    LawInput in = input(throughput, inFlight);
    in.overloaded = true;
    in.healthy = false;
    in.pressure = true;
    in.rejecting = true;
    return in;
  }

  void learnHealthy(double throughput, double inFlight, Duration time = seconds(60)) {
    for (Duration passed{}; passed < time; passed += kTick) {
      law_.tick(input(throughput, inFlight));
    }
  }

  ConcurrencyLaw law_;
  Instant now_ = seconds(1);
  double cpus_ = 1;
  double carry_ = 0;
};

TEST_F(ConcurrencyLawTest, NoLimitWithoutOverload) {
  EXPECT_EQ(law_.tick(input(440, 500)), std::nullopt);
  EXPECT_EQ(law_.step(), LawStep::kIdle);
}

TEST_F(ConcurrencyLawTest, LearnsHealthyLatencyAndConcurrency) {
  learnHealthy(220, 0.88);
  EXPECT_NEAR(law_.healthyLatency(), 0.004, 0.0001);
  EXPECT_NEAR(law_.healthyInFlight(), 0.88, 0.01);
}

TEST_F(ConcurrencyLawTest, StartsFromLittlesLaw) {
  cpus_ = 4;
  learnHealthy(1000, 50);  // 50 ms each, for example behind a slow downstream
  LawInput first = overloaded(1000, 60);
  const auto limit = law_.tick(first);
  ASSERT_TRUE(limit);
  // 1.5 * 1000/s * 50 ms = 75, and room to grow: nothing speaks against it.
  EXPECT_GE(*limit, 75U);
  EXPECT_LE(*limit, 100U);
}

TEST_F(ConcurrencyLawTest, NeverStartsBelowWhatKeepsTheCpusBusy) {
  cpus_ = 8;
  const auto limit = law_.tick(overloaded(0, 0));
  ASSERT_TRUE(limit);
  EXPECT_GE(*limit, 10U);
}

TEST_F(ConcurrencyLawTest, NothingIsLearnedWhileOverloadedOrRightAfter) {
  learnHealthy(220, 0.88);
  const double before = law_.healthyLatency();
  for (int i = 0; i < 100; ++i) {
    law_.tick(overloaded(440, 100));
  }
  EXPECT_EQ(law_.healthyLatency(), before);
  for (int i = 0; i < 20; ++i) {
    law_.tick(input(440, 100));  // the first 2 s after the end
  }
  EXPECT_EQ(law_.healthyLatency(), before);
  for (int i = 0; i < 20; ++i) {
    law_.tick(input(440, 100));
  }
  EXPECT_GT(law_.healthyLatency(), before);
}

TEST_F(ConcurrencyLawTest, UnhealthyTicksTeachNothing) {
  learnHealthy(220, 0.88);
  const double before = law_.healthyLatency();
  for (int i = 0; i < 100; ++i) {
    LawInput in = input(440, 100);
    in.healthy = false;
    law_.tick(in);
  }
  EXPECT_EQ(law_.healthyLatency(), before);
}

TEST_F(ConcurrencyLawTest, WhileTheBacklogDrainsTheLimitIsFrozen) {
  learnHealthy(220, 0.88);
  const auto first = law_.tick(overloaded(440, 600));
  for (int i = 0; i < 5; ++i) {
    LawInput in = overloaded(440, 500);
    in.runQueue = 150;
    in.queueWait = seconds(2);
    EXPECT_EQ(law_.tick(in), first);
    EXPECT_EQ(law_.step(), LawStep::kDraining);
  }
  law_.tick(overloaded(440, 4));
  EXPECT_EQ(law_.step(), LawStep::kSettling);
}

TEST_F(ConcurrencyLawTest, ADeepRunQueueCutsDownToTheFloorAndNoFurther) {
  cpus_ = 2;
  learnHealthy(1000, 40);
  std::optional<std::uint32_t> limit;
  std::uint32_t before = 1U << 20U;
  for (int i = 0; i < 50; ++i) {
    LawInput in = overloaded(1000, static_cast<double>(std::min(before, 60U)));
    in.runQueue = 20;
    in.cpuUse = 1;
    limit = law_.tick(in);
    ASSERT_LE(*limit, before);
    if (i > 0 && *limit < before) {
      ASSERT_EQ(law_.step(), LawStep::kCutRunQueue);
    }
    // One tick never takes more than 40 %.
    if (i > 0) {
      ASSERT_GE(*limit + 1, static_cast<std::uint32_t>(0.6 * before));
    }
    before = *limit;
  }
  EXPECT_EQ(*limit, 4U);  // the CPUs and two on their way
}

TEST_F(ConcurrencyLawTest, AWaitForThreadsCuts) {
  cpus_ = 1;
  learnHealthy(640, 32);
  const auto before = law_.tick(overloaded(640, 48));
  LawInput in = overloaded(640, 48);
  in.queueWait = milliseconds(60);  // 50 ms too long: 32 requests, half of them at once
  const auto after = law_.tick(in);
  EXPECT_NEAR(static_cast<double>(*after), std::max(0.6 * *before, 48.0 - 16), 2);
  EXPECT_EQ(law_.step(), LawStep::kCutQueueWait);
}

TEST_F(ConcurrencyLawTest, GarbageCollectionCuts) {
  cpus_ = 4;
  learnHealthy(1000, 40);
  const auto before = law_.tick(overloaded(1000, 60));
  LawInput in = overloaded(1000, 60);
  in.gcShare = 0.32;
  const auto after = law_.tick(in);
  EXPECT_LT(*after, *before);
  EXPECT_GE(*after, static_cast<std::uint32_t>(0.6 * 60) - 1);
  EXPECT_EQ(law_.step(), LawStep::kCutGc);
}

TEST_F(ConcurrencyLawTest, GrowsOnlyWhileRejecting) {
  learnHealthy(400, 1.6);
  LawInput in = overloaded(400, 3);
  in.rejecting = false;
  const auto first = law_.tick(in);
  for (int i = 0; i < 100; ++i) {
    in = overloaded(400, 3);
    in.rejecting = false;
    EXPECT_EQ(law_.tick(in), first);
  }
  EXPECT_EQ(law_.step(), LawStep::kSteady);
  bool grew = false;
  std::optional<std::uint32_t> grown;
  for (int i = 0; i < 20; ++i) {
    in = overloaded(400, 3);
    in.runQueue = 2;
    in.cpuUse = 0.95;
    grown = law_.tick(in);
    grew = grew || law_.step() == LawStep::kGrown;
  }
  EXPECT_GT(*grown, *first);
  EXPECT_TRUE(grew);
}

// Three times the mean is what chance may bring.
TEST_F(ConcurrencyLawTest, DoesNotGrowFarPastWhatIsUsed) {
  learnHealthy(400, 1.6);
  std::optional<std::uint32_t> limit;
  for (int i = 0; i < 1000; ++i) {
    LawInput in = overloaded(400, 3);  // never more than three in flight
    in.runQueue = 1;
    in.cpuUse = 0.95;
    limit = law_.tick(in);
  }
  EXPECT_LE(*limit, 9U);
}

// 1.2 times what one CPU can do: by chance there are more than the limit, in the mean there are
// not.
TEST_F(ConcurrencyLawTest, GrowsWhereOnlyChanceFillsIt) {
  learnHealthy(200, 0.6);
  LawInput in = overloaded(400, 3);
  const auto first = law_.tick(in);
  std::optional<std::uint32_t> grown;
  for (int i = 0; i < 20; ++i) {
    in = overloaded(400, 3);
    in.load.inFlightNow = 4;
    in.runQueue = 2;
    in.cpuUse = 0.93;
    grown = law_.tick(in);
  }
  EXPECT_GT(*grown, *first);
  EXPECT_LE(*grown, 9U);
}

TEST_F(ConcurrencyLawTest, DoesNotGrowWhileRequestsLieUnread) {
  learnHealthy(400, 1.6);
  const auto first = law_.tick(overloaded(400, 3));
  for (int i = 0; i < 50; ++i) {
    LawInput in = overloaded(400, 3);
    in.runQueue = 2;
    in.cpuUse = 0.95;
    in.unreadWait = milliseconds(30);
    EXPECT_EQ(law_.tick(in), first);
  }
}

// What runs keeps the CPU from the thread that reads: the longer requests lie, the less may run.
TEST_F(ConcurrencyLawTest, UnreadRequestsCutTheLimit) {
  cpus_ = 4;
  learnHealthy(2000, 30);
  LawInput in = overloaded(2000, 40);
  const auto first = law_.tick(in);
  ASSERT_GT(*first, 20U);
  std::optional<std::uint32_t> limit = first;
  for (int i = 0; i < 30; ++i) {
    in = overloaded(2000, static_cast<double>(*limit));
    in.unreadWait = milliseconds(100);
    limit = law_.tick(in);
  }
  EXPECT_EQ(limit, 6U) << "a request on each CPU and two on their way";
  for (int i = 0; i < 10; ++i) {
    in = overloaded(2000, static_cast<double>(*limit));
    in.unreadWait = milliseconds(300);
    limit = law_.tick(in);
  }
  EXPECT_EQ(limit, 2U) << "half of the CPUs";
}

// Whoever is rejected asks again: rejecting faster helps nobody once no more connections come.
TEST_F(ConcurrencyLawTest, WhereConnectionsAreLimitedTheyCutItLess) {
  cpus_ = 4;
  learnHealthy(2000, 30);
  std::optional<std::uint32_t> limit = law_.tick(overloaded(2000, 40));
  const auto wait = [&](Duration unread) {
    for (int i = 0; i < 40; ++i) {
      LawInput in = overloaded(2000, static_cast<double>(*limit));
      in.unreadWait = unread;
      in.connectionsLimited = true;
      limit = law_.tick(in);
    }
    return limit;
  };
  EXPECT_EQ(wait(milliseconds(300)), 8U);
  EXPECT_EQ(wait(milliseconds(700)), 2U);
}

// 100 requests from before the limit, then none: what was measured meanwhile cuts nothing.
TEST_F(ConcurrencyLawTest, ABacklogThatHasDrainedIsForgotten) {
  learnHealthy(400, 1.6);
  LawInput in = overloaded(400, 100);
  in.runQueue = 100;
  const auto first = law_.tick(in);
  for (int i = 0; i < 5; ++i) {
    in = overloaded(400, 100);
    in.runQueue = 100;
    in.queueWait = seconds(1);
    EXPECT_EQ(law_.tick(in), first);
  }
  in = overloaded(400, 20);
  in.load.inFlightNow = 3;
  in.runQueue = 20;
  in.queueWait = seconds(1);
  EXPECT_EQ(law_.tick(in), first);
}

TEST_F(ConcurrencyLawTest, DoesNotGrowWhenLatencyHasDoubledForAnotherReason) {
  cpus_ = 4;
  learnHealthy(1000, 10);
  // Not CPU-bound, and a newcomer waits 50 ms instead of 10.
  std::optional<std::uint32_t> first = law_.tick(overloaded(1000, 50));
  std::optional<std::uint32_t> last;
  for (int i = 0; i < 100; ++i) {
    LawInput in = overloaded(1000, 50);
    in.cpuUse = 0.3;
    last = law_.tick(in);
  }
  EXPECT_LE(*last, *first + 5);
}

// Of a pool of 32 connections four fifths were used; then each request takes four times as long,
// and the latency says nothing about how many are enough.
TEST_F(ConcurrencyLawTest, FindsAllOfADownstreamThatBecameSlower) {
  constexpr double kConnections = 32;
  constexpr double kSeconds = 0.2;
  learnHealthy(512, 25.6);
  for (int i = 0; i < 10; ++i) {
    LawInput in = input(kConnections / kSeconds, 60);
    in.healthy = false;
    law_.tick(in);
  }
  auto limit = law_.tick(overloaded(kConnections / kSeconds, 60));
  EXPECT_LT(*limit, kConnections);
  double most = 0;
  for (int i = 0; i < 1200; ++i) {
    const double inFlight = std::min<double>(*limit, 60);
    LawInput in = overloaded(std::min(inFlight, kConnections) / kSeconds, inFlight);
    in.cpuUse = 0.1;
    limit = law_.tick(in);
    most = std::max<double>(most, *limit);
    if (i == 100) {
      EXPECT_GE(*limit, kConnections);
    }
  }
  EXPECT_GE(*limit, kConnections);
  // Trials of more are taken back.
  EXPECT_LE(*limit, 1.3 * kConnections);
  EXPECT_LE(most, 2 * kConnections);
}

TEST_F(ConcurrencyLawTest, ATrialEndsOnceSomethingElseSpeaksAgainstMore) {
  learnHealthy(512, 25.6);
  const auto slower = [&](double inFlight) {
    LawInput in = overloaded(160, inFlight);
    in.cpuUse = 0.1;
    return in;
  };
  std::uint32_t limit = *law_.tick(slower(60));
  std::uint32_t before = limit;
  for (int i = 0; i < 100 && law_.step() != LawStep::kTrial; ++i) {
    before = limit;
    limit = *law_.tick(slower(limit));
  }
  ASSERT_EQ(law_.step(), LawStep::kTrial) << "nothing was tried";
  LawInput collecting = slower(limit);
  collecting.gcShare = 0.07;  // near its bound of 8 %
  EXPECT_LE(*law_.tick(collecting), before);
}

TEST_F(ConcurrencyLawTest, WhenTheLoadFallsHeadroomLetsChanceBurstsPass) {
  learnHealthy(220, 0.88);
  std::optional<std::uint32_t> under;
  for (int i = 0; i < 50; ++i) {
    LawInput in = overloaded(440, 5);
    in.load.arrivals = 220;  // 2,200 a second
    in.runQueue = 4;
    in.cpuUse = 1;
    under = law_.tick(in);
  }
  std::optional<std::uint32_t> after;
  for (int i = 0; i < 20; ++i) {
    LawInput in = overloaded(220, 1);
    in.rejecting = false;
    in.runQueue = 0.3;
    in.cpuUse = 0.5;
    after = law_.tick(in);
  }
  // 25 ms of the capacity of 440/s, at least.
  EXPECT_GE(*after, *under + 10);
  // The load comes back, and with it the limit.
  for (int i = 0; i < 10; ++i) {
    LawInput in = overloaded(440, 5);
    in.load.arrivals = 220;
    in.runQueue = 5;
    in.cpuUse = 1;
    after = law_.tick(in);
  }
  EXPECT_LE(*after, *under + 2);
}

TEST_F(ConcurrencyLawTest, OnceCalmAStallIsNoReasonToReject) {
  learnHealthy(220, 0.88);
  std::optional<std::uint32_t> limit;
  const auto storm = [&] {
    LawInput in = overloaded(440, 5);
    in.load.arrivals = 220;
    in.runQueue = 4;
    in.cpuUse = 1;
    limit = law_.tick(in);
  };
  const auto calm = [&] {
    LawInput in = overloaded(220, 1);
    in.rejecting = false;
    limit = law_.tick(in);
  };
  for (int i = 0; i < 50; ++i) {
    storm();
  }
  const std::uint32_t under = *limit;
  for (int i = 0; i < 4; ++i) {
    calm();
  }
  EXPECT_LT(*limit, under + 20) << "not calm for long enough";
  for (int i = 0; i < 4; ++i) {
    calm();
  }
  // 100 ms of the capacity of 440/s: what comes together in a stall of that length.
  EXPECT_GE(*limit, under + 40);
  storm();
  storm();
  EXPECT_LE(*limit, under + 2) << "the load came back";
}

// The loop closed over a model: one CPU, 2 ms of work a request, processor sharing, five times the
// load. The limit must settle where the CPU is busy and the run queue short.
TEST_F(ConcurrencyLawTest, SettlesOnABusyCpuWithAShortQueue) {
  learnHealthy(250, 1);
  double inFlight = 200;
  double low = 1e9;
  double high = 0;
  for (int i = 0; i < 600; ++i) {
    LawInput in = overloaded(500, inFlight);
    in.runQueue = inFlight - 1;
    in.cpuUse = 1;
    const auto limit = law_.tick(in);
    inFlight = std::max(static_cast<double>(*limit), inFlight - 50);
    if (i > 300) {
      low = std::min(low, inFlight);
      high = std::max(high, inFlight);
    }
  }
  EXPECT_GE(low, 3);
  EXPECT_LE(high, 12);
}

}  // namespace
}  // namespace hodor::control
