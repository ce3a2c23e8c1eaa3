#include "signals/cgroup_throttle_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_files.h"

namespace hodor::signals {
namespace {

using detectors::ThrottledPeriods;
using std::chrono::seconds;
using testing::HasSubstr;

class CgroupThrottleSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    files_.write("proc/mountinfo",
                 "31 22 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                 "33 22 0:29 / /cg/unified rw - cgroup2 cgroup rw\n");
    belongTo("/", "/pod/app");
  }
  void belongTo(const std::string& v1, const std::string& v2) const {
    files_.write("proc/cgroup", "3:cpu,cpuacct:" + v1 + "\n0::" + v2 + "\n");
  }
  void statV1(const std::string& group, int periods, int throttled) const {
    files_.write("cg/cpu" + group + "/cpu.stat", "nr_periods " + std::to_string(periods) +
                                                     "\nnr_throttled " + std::to_string(throttled) +
                                                     "\nthrottled_time 12345678\n");
  }
  void statV2(const std::string& group, int periods, int throttled) const {
    files_.write("cg/unified" + group + "/cpu.stat",
                 "usage_usec 99\nuser_usec 9\nsystem_usec 90\nnr_periods " +
                     std::to_string(periods) + "\nnr_throttled " + std::to_string(throttled) +
                     "\nthrottled_usec 777\n");
  }
  // One second later.
  ThrottledPeriods take() {
    now_ += seconds(1);
    const auto periods = source_.take(now_);
    EXPECT_TRUE(periods.has_value()) << source_.lastError();
    return periods.value_or(ThrottledPeriods{});
  }
  void expect(std::uint64_t periods, std::uint64_t throttled) {
    const ThrottledPeriods taken = take();
    EXPECT_EQ(taken.periods, periods);
    EXPECT_EQ(taken.throttled, throttled);
  }

  const FakeFiles files_;
  CgroupThrottleSource source_{files_.root() + "/proc", files_.root()};
  Instant now_ = seconds(10);
};

TEST_F(CgroupThrottleSourceTest, CountsWhatIsNewSinceTheLastCall) {
  statV2("/pod/app", 1000, 900);
  expect(0, 0);
  statV2("/pod/app", 1010, 908);
  expect(10, 8);
  expect(0, 0);
}

TEST_F(CgroupThrottleSourceTest, TheOldHierarchyToo) {
  belongTo("/a", "/");
  statV1("/a", 10, 0);
  expect(0, 0);
  statV1("/a", 20, 10);
  expect(10, 10);
}

TEST_F(CgroupThrottleSourceTest, TheGroupThatIsThrottledMost) {
  statV2("/pod/app", 0, 0);
  statV2("/pod", 0, 0);
  expect(0, 0);
  statV2("/pod/app", 10, 2);
  statV2("/pod", 10, 9);
  expect(10, 9);
}

TEST_F(CgroupThrottleSourceTest, WithoutQuotaNothingIsThrottled) {
  expect(0, 0);  // no cpu.stat at all
  files_.write("cg/unified/cpu.stat", "usage_usec 99\nuser_usec 9\nsystem_usec 90\n");
  expect(0, 0);
}

TEST_F(CgroupThrottleSourceTest, ACounterThatStartsAgainAddsNothing) {
  statV2("/pod/app", 1000, 900);
  expect(0, 0);
  statV2("/pod/app", 5, 5);
  expect(0, 0);
  statV2("/pod/app", 8, 7);
  expect(3, 2);
}

TEST_F(CgroupThrottleSourceTest, FollowsAProcessThatIsMoved) {
  statV2("/pod/app", 10, 10);
  statV2("/other", 500, 500);
  expect(0, 0);
  belongTo("/", "/other");
  for (int second = 0; second < 6; ++second) {
    take();
  }
  statV2("/other", 510, 505);
  expect(10, 5);
}

TEST_F(CgroupThrottleSourceTest, AGroupThatHasGoneIsLookedForAtOnce) {
  statV2("/pod/app", 10, 10);
  statV2("/other", 500, 500);
  expect(0, 0);
  files_.remove("cg/unified/pod");
  belongTo("/", "/other");
  expect(0, 0);  // finds it gone
  expect(0, 0);  // finds the new one
  statV2("/other", 501, 501);
  expect(1, 1);
}

TEST_F(CgroupThrottleSourceTest, WhatIsNotUnderstoodIsUnknown) {
  for (const char* text : {"nr_periods 5\n", "nr_throttled 5\n", "nr_periods x\nnr_throttled 1\n",
                           "nr_periods 5\nnr_throttled -1\n", "nr_periods 5\nnr_throttled\n"}) {
    files_.write("cg/unified/pod/app/cpu.stat", text);
    EXPECT_FALSE(source_.take(now_ += seconds(1))) << text;
    EXPECT_THAT(source_.lastError(), HasSubstr("/pod/app/cpu.stat is not understood"));
  }
  statV2("/pod/app", 1000, 900);
  expect(0, 0);  // a base
}

TEST_F(CgroupThrottleSourceTest, WhatCannotBeReadIsUnknown) {
  files_.write("cg/unified/pod/app/cpu.stat/folder", "");
  EXPECT_FALSE(source_.take(now_));
  EXPECT_THAT(source_.lastError(), HasSubstr("cpu.stat cannot be read: Is a directory"));
  files_.remove("proc/mountinfo");
  EXPECT_FALSE(source_.take(now_));
  EXPECT_THAT(source_.lastError(), HasSubstr("mountinfo cannot be read"));
}

TEST(CgroupThrottleSourceKernelTest, ReadsThisMachine) {
  CgroupThrottleSource source;
  EXPECT_TRUE(source.take(seconds(1))) << source.lastError();
}

}  // namespace
}  // namespace hodor::signals
