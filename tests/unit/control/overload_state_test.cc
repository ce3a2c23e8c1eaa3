#include "control/overload_state.h"

#include <gtest/gtest.h>

#include <random>

namespace hodor::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(100);

class OverloadStateTest : public testing::Test {
 protected:
  OverloadStateTest() {
    for (auto& verdict : verdicts_) {
      verdict.stale = false;
    }
  }

  detectors::Verdict& of(Cause cause) { return verdicts_[static_cast<std::size_t>(cause)]; }

  void fire(Cause cause, int band) {
    of(cause).firing = true;
    of(cause).quiet = false;
    of(cause).band = band;
  }

  void calm(Cause cause) { of(cause) = {.value = 0, .band = 0, .firing = false, .stale = false}; }

  void run(Duration time, bool rejecting = false) {
    for (Duration passed{}; passed < time; passed += kTick) {
      now_ += kTick;
      state_.tick(now_, verdicts_, rejecting);
    }
  }

  Verdicts verdicts_{};
  OverloadState state_;
  Instant now_ = seconds(5);
};

TEST_F(OverloadStateTest, BeginsWithTheFirstFiringVerdictAndNamesTheWorst) {
  fire(Cause::kQueue, 1);
  fire(Cause::kCpu, 3);
  run(kTick);
  EXPECT_TRUE(state_.overloaded());
  EXPECT_EQ(state_.cause(), Cause::kCpu);
  EXPECT_EQ(state_.since(), now_);
  EXPECT_EQ(state_.transitions(), 1U);
}

TEST_F(OverloadStateTest, EndsOnlyAfterTheDwell) {
  fire(Cause::kCpu, 1);
  run(kTick);
  calm(Cause::kCpu);
  run(OverloadState::kDwell - kTick);
  EXPECT_TRUE(state_.overloaded());
  run(kTick);
  EXPECT_FALSE(state_.overloaded());
  EXPECT_EQ(state_.cause(), Cause::kNone);
  EXPECT_EQ(state_.transitions(), 2U);
}

TEST_F(OverloadStateTest, StaysWhileRejectingOrNotQuiet) {
  fire(Cause::kCpu, 1);
  run(kTick);
  calm(Cause::kCpu);
  run(seconds(20), true);
  EXPECT_TRUE(state_.overloaded());
  of(Cause::kGc).quiet = false;
  run(seconds(20), false);
  EXPECT_TRUE(state_.overloaded());
  of(Cause::kGc).quiet = true;
  run(OverloadState::kDwell);
  EXPECT_FALSE(state_.overloaded());
}

TEST_F(OverloadStateTest, LoudButNotFiringStartsNothing) {
  of(Cause::kCpu).quiet = false;
  run(seconds(60));
  EXPECT_FALSE(state_.overloaded());
}

TEST_F(OverloadStateTest, StaleIsNeverSticky) {
  fire(Cause::kCpu, 2);
  run(kTick);
  of(Cause::kCpu) = {.value = 99, .band = 0, .firing = false, .stale = true, .quiet = false};
  run(OverloadState::kDwell);
  EXPECT_FALSE(state_.overloaded());
}

TEST_F(OverloadStateTest, TheNameChangesOnlyForWorseOrWhenTheFirstIsGone) {
  fire(Cause::kCpu, 2);
  run(kTick);
  fire(Cause::kGc, 2);
  run(kTick);
  EXPECT_EQ(state_.cause(), Cause::kCpu);
  fire(Cause::kGc, 3);
  run(kTick);
  EXPECT_EQ(state_.cause(), Cause::kGc);
  calm(Cause::kGc);
  run(kTick);
  EXPECT_EQ(state_.cause(), Cause::kCpu);
}

// Whatever the verdicts do, an end needs a dwell: no more than one begin each kDwell.
TEST_F(OverloadStateTest, CannotFlap) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    if (random() % 3 == 0) {
      fire(Cause::kCpu, 1 + static_cast<int>(random() % 3));
    } else {
      calm(Cause::kCpu);
    }
    run(kTick, random() % 2 == 0);
  }
  const auto most = static_cast<std::uint64_t>(now_ / OverloadState::kDwell) + 2;
  EXPECT_LE(state_.transitions(), 2 * most);
  EXPECT_TRUE(state_.overloaded());
}

}  // namespace
}  // namespace hodor::control
