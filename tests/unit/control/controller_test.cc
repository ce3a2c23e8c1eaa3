#include "control/controller.h"

#include <gtest/gtest.h>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

options::Options testOptions() {
  options::Options options;
  options.mode = options::Mode::kEnforce;
  options.cpuBands = {{4, seconds(10)}, {10, seconds(2)}, {25, milliseconds(500)}};
  options.gcBands = {{0.11, seconds(10)}, {0.30, seconds(3)}, {0.60, seconds(1)}};
  options.queueBands = {{50, seconds(10)}, {200, seconds(2)}, {1000, milliseconds(500)}};
  return options;
}

class ControllerTest : public testing::Test {
 protected:
  TickInput healthy() {
    now_ += kTick;
    TickInput in;
    in.now = now_;
    in.elapsed = kTick;
    in.heartbeat = detectors::HeartbeatSample{};
    in.cpu.emplace();
    in.cpu->elapsed = kTick;
    waiting(in).waited = milliseconds(20);
    in.gc = detectors::GcSample{};
    in.queue = detectors::QueueSample{};
    totals_.admitted += 20;
    totals_.completed += 20;
    totals_.latency += 20 * latency_;
    in.totals = totals_;
    return in;
  }

  static detectors::ThreadTimes& waiting(TickInput& in) {
    return in.cpu->threads[detectors::ThreadKind::kApplication];
  }

  TickInput busyCpu(double depth) {
    TickInput in = healthy();
    waiting(in).waited = std::chrono::duration_cast<Duration>(kTick * depth);
    return in;
  }

  void run(Duration time, double depth) {
    for (Duration passed{}; passed < time; passed += kTick) {
      settings_ = controller_.tick(busyCpu(depth));
    }
  }

  options::Options options_ = testOptions();
  Controller controller_{options_};
  Duration latency_ = milliseconds(3);
  admission::AdmissionSettings settings_;
  admission::AdmissionTotals totals_;
  Instant now_ = seconds(100);
};

TEST_F(ControllerTest, HealthyAdmitsAll) {
  run(seconds(30), 0.3);
  EXPECT_EQ(settings_.rule, admission::Rule::kAdmitAll);
  EXPECT_EQ(settings_.action, admission::Action::kEnforce);
  EXPECT_FALSE(controller_.state().overloaded());
  EXPECT_EQ(controller_.reason(), "not overloaded");
}

TEST_F(ControllerTest, ADeepRunQueueBringsALimitWithinItsBand) {
  run(seconds(10), 0.3);
  latency_ = milliseconds(200);
  run(milliseconds(400), 60);
  EXPECT_FALSE(controller_.state().overloaded());
  run(milliseconds(200), 60);
  EXPECT_TRUE(controller_.state().overloaded());
  EXPECT_EQ(controller_.state().cause(), Cause::kCpu);
  EXPECT_EQ(settings_.rule, admission::Rule::kLimit);
  EXPECT_EQ(settings_.cause, static_cast<std::uint8_t>(Cause::kCpu));
  EXPECT_GE(settings_.limit, 2U);
  EXPECT_EQ(controller_.firings(Cause::kCpu), 1U);
  EXPECT_NE(controller_.reason().find("cpu"), std::string::npos);
}

TEST_F(ControllerTest, ADetectorDoesNotCountWhileRequestsDoNotSuffer) {
  run(seconds(10), 0.3);
  run(seconds(20), 6);
  EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(Cause::kCpu)].firing);
  EXPECT_FALSE(controller_.state().overloaded());
  EXPECT_NE(controller_.explain(Cause::kCpu).find("not counted"), std::string::npos);
  latency_ = milliseconds(80);
  run(seconds(2), 6);
  EXPECT_TRUE(controller_.state().overloaded());
  EXPECT_EQ(controller_.explain(Cause::kCpu).find("not counted"), std::string::npos);
}

TEST_F(ControllerTest, ACpuThatIsOnlyBusyIsNotOverloaded) {
  run(seconds(10), 0.3);
  latency_ = milliseconds(20);
  run(seconds(60), 6);
  EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(Cause::kCpu)].firing);
  EXPECT_FALSE(controller_.state().overloaded());
  EXPECT_NE(controller_.explain(Cause::kCpu).find("not counted"), std::string::npos);
}

TEST_F(ControllerTest, WithoutConfirmationABusyCpuIsOverloaded) {
  options_.confirm = options::Confirm::kNone;
  controller_.reconfigure(options_);
  run(seconds(10), 0.3);
  latency_ = milliseconds(20);
  run(seconds(11), 6);
  EXPECT_TRUE(controller_.state().overloaded());
}

TEST_F(ControllerTest, WhatIsSevereWaitsForThatByThreeTicksAtMost) {
  run(seconds(10), 0.3);
  run(milliseconds(500), 60);
  EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(Cause::kCpu)].firing);
  EXPECT_FALSE(controller_.state().overloaded());
  run(milliseconds(300), 60);
  EXPECT_TRUE(controller_.state().overloaded());
}

TEST_F(ControllerTest, WithoutConfirmationADetectorCountsAtOnce) {
  options_.confirm = options::Confirm::kNone;
  controller_.reconfigure(options_);
  run(seconds(10), 0.3);
  run(milliseconds(500), 60);
  EXPECT_TRUE(controller_.state().overloaded());
}

TEST_F(ControllerTest, ABacklogFiresBeforeTheBands) {
  run(seconds(10), 0.3);
  for (int i = 0; i < 3; ++i) {
    totals_.admitted += 200;
    settings_ = controller_.tick(busyCpu(8));
  }
  EXPECT_TRUE(controller_.state().overloaded());
  EXPECT_EQ(controller_.state().cause(), Cause::kCpu);
  EXPECT_NE(controller_.explain(Cause::kCpu).find("in the server"), std::string::npos);
}

TEST_F(ControllerTest, ABacklogWithoutAReasonOfOursIsTheDownstreams) {
  run(seconds(10), 0.3);
  for (int i = 0; i < 10; ++i) {
    totals_.admitted += 60;
    settings_ = controller_.tick(healthy());
  }
  EXPECT_TRUE(controller_.state().overloaded());
  EXPECT_EQ(controller_.state().cause(), Cause::kDownstream);
  EXPECT_NE(controller_.reason().find("downstream"), std::string::npos);
}

// What a pause has left is deep for a second, and gets less from tick to tick.
TEST_F(ControllerTest, ADrainingBacklogIsNoBeginning) {
  run(seconds(10), 0.3);
  latency_ = milliseconds(300);
  totals_.admitted += 100;
  for (int i = 0; i < 12; ++i) {
    totals_.completed += 8;
    settings_ = controller_.tick(busyCpu(60));
    EXPECT_FALSE(controller_.state().overloaded()) << i;
  }
  EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(Cause::kCpu)].firing);
  EXPECT_NE(controller_.explain(Cause::kCpu).find("not counted while the backlog drains"),
            std::string::npos);
}

TEST_F(ControllerTest, TheSameDepthIsOneIfItDoesNotDrain) {
  run(seconds(10), 0.3);
  latency_ = milliseconds(300);
  totals_.admitted += 100;
  run(milliseconds(1200), 60);
  EXPECT_TRUE(controller_.state().overloaded());
}

TEST_F(ControllerTest, ADepthOfTwoIsNormal) {
  run(seconds(60), 2);
  EXPECT_FALSE(controller_.state().overloaded());
}

TEST_F(ControllerTest, TicksWithoutASweepKeepTheVerdict) {
  run(seconds(10), 0.3);
  run(seconds(1), 60);
  ASSERT_TRUE(controller_.state().overloaded());
  TickInput in = healthy();
  in.cpuRead = false;
  in.cpu.reset();
  controller_.tick(in);
  EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(Cause::kCpu)].firing);
}

TEST_F(ControllerTest, AllSourcesLostEndTheOverload) {
  run(seconds(10), 0.3);
  run(seconds(1), 60);
  ASSERT_TRUE(controller_.state().overloaded());
  for (int i = 0; i < 60; ++i) {
    TickInput in = healthy();
    in.heartbeat.reset();
    in.cpu.reset();
    in.gc.reset();
    in.queue.reset();
    settings_ = controller_.tick(in);
  }
  EXPECT_FALSE(controller_.state().overloaded());
  EXPECT_EQ(settings_.rule, admission::Rule::kAdmitAll);
  for (const Cause cause : {Cause::kHeartbeat, Cause::kCpu, Cause::kGc, Cause::kQueue}) {
    EXPECT_TRUE(controller_.verdicts()[static_cast<std::size_t>(cause)].stale);
  }
}

TEST_F(ControllerTest, InjectForcesTheStateAndEndsWithIt) {
  options_.inject = {"gc"};
  controller_.reconfigure(options_);
  run(kTick, 0.3);
  EXPECT_TRUE(controller_.state().overloaded());
  EXPECT_EQ(controller_.state().cause(), Cause::kGc);
  EXPECT_NE(controller_.explain(Cause::kGc).find("inject"), std::string::npos);
  options_.inject.clear();
  controller_.reconfigure(options_);
  run(OverloadState::kDwell + kTick, 0.3);
  EXPECT_FALSE(controller_.state().overloaded());
}

TEST_F(ControllerTest, InjectWorksOnADetectorWithoutData) {
  options_.inject = {"queue"};
  controller_.reconfigure(options_);
  TickInput in = healthy();
  in.queue.reset();
  controller_.tick(in);
  EXPECT_TRUE(controller_.state().overloaded());
}

TEST_F(ControllerTest, StrategyAndModeDecideTheRuleAndTheAction) {
  options_.inject = {"cpu"};
  options_.strategy = options::Strategy::kPercentage;
  options_.mode = options::Mode::kMonitor;
  controller_.reconfigure(options_);
  run(seconds(1), 0.3);
  EXPECT_EQ(settings_.rule, admission::Rule::kShare);
  EXPECT_EQ(settings_.action, admission::Action::kCount);
  EXPECT_FALSE(controller_.limit());
  options_.strategy = options::Strategy::kConcurrency;
  options_.mode = options::Mode::kEnforce;
  controller_.reconfigure(options_);
  run(kTick, 0.3);
  EXPECT_EQ(settings_.rule, admission::Rule::kLimit);
  EXPECT_EQ(settings_.action, admission::Action::kEnforce);
  EXPECT_FALSE(controller_.dropShare());
}

// 2,000 new connections a second, which wait to be accepted.
TEST_F(ControllerTest, InAStormConnectionsAreLimitedUntilTheOverloadEnds) {
  std::uint64_t opened = 1'000'000;
  const auto storm = [&] {
    TickInput in = busyCpu(60);
    in.cpuUse = 1;
    in.effectiveCpus = 1;
    opened += 200;
    in.connectionsOpened = opened;
    in.connectionsPassed = controller_.connections().passing();
    in.unread.emplace();
    in.unread->acceptQueue = 400;
    in.unread->acceptQueueFor = seconds(1);
    controller_.tick(in);
  };
  run(seconds(10), 0.3);
  storm();
  EXPECT_EQ(controller_.connections().passing(), 1) << "no overload yet";
  for (int i = 0; i < 30; ++i) {
    storm();
  }
  ASSERT_TRUE(controller_.state().overloaded());
  EXPECT_LT(controller_.connections().passing(), 1);

  options_.connections = options::Switch::kOff;
  controller_.reconfigure(options_);
  storm();
  EXPECT_EQ(controller_.connections().passing(), 1);
  options_.connections = options::Switch::kOn;
  controller_.reconfigure(options_);
  for (int i = 0; i < 10; ++i) {
    storm();
  }
  EXPECT_LT(controller_.connections().passing(), 1);
  // The source is lost: nothing is known of connections, so none is limited.
  controller_.tick(busyCpu(60));
  EXPECT_EQ(controller_.connections().passing(), 1);
}

TEST_F(ControllerTest, RejectionsKeepTheStateAlive) {
  run(seconds(10), 0.3);
  run(seconds(1), 60);
  ASSERT_TRUE(controller_.state().overloaded());
  for (int i = 0; i < 200; ++i) {
    totals_.rejected += 5;
    controller_.tick(healthy());
  }
  EXPECT_TRUE(controller_.state().overloaded());
  run(OverloadState::kDwell + kTick, 0.3);
  EXPECT_FALSE(controller_.state().overloaded());
}

}  // namespace
}  // namespace hodor::control
