#include "signals/machine_cpu_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fake_files.h"
#include "signals/affinity.h"

namespace hodor::signals {
namespace {

using detectors::MachineCpu;
using testing::HasSubstr;

class MachineCpuSourceTest : public testing::Test {
 protected:
  // The rest of a file as the kernel writes it.
  void stat(const std::string& cpus) const {
    files_.write("stat", "cpu  1 2 3 4 5 6 7 8 9 10\n" + cpus + "intr 90611911 0 0\nctxt 5\n");
  }
  MachineCpu take(const std::vector<int>& cpus = {0, 1}) {
    const auto taken = source_.take(cpus);
    EXPECT_TRUE(taken.has_value()) << source_.lastError();
    return taken.value_or(MachineCpu{});
  }
  // So many ticks of the kernel's clock.
  static Duration ticks(int number) {
    return Duration(std::chrono::seconds(number)) / sysconf(_SC_CLK_TCK);
  }

  const FakeFiles files_;
  MachineCpuSource source_{files_.root() + "/stat"};
};

TEST_F(MachineCpuSourceTest, SumsWhatIsNewOverTheCpus) {
  stat("cpu0 100 0 50 900 3 0 0 7 0 0\ncpu1 10 0 0 90 0 0 0 0 0 0\n");
  EXPECT_EQ(take().busy, Duration::zero());
  // user +1, nice +2, system +3, idle +50, iowait +60, irq +4, softirq +5, steal +6; guest is in
  // user.
  stat("cpu0 101 2 53 950 63 4 5 13 1 0\ncpu1 17 0 0 90 0 0 0 0 0 0\n");
  const MachineCpu taken = take();
  EXPECT_EQ(taken.busy, ticks(1 + 2 + 3 + 4 + 5 + 7));
  EXPECT_EQ(taken.stolen, ticks(6));
  EXPECT_EQ(taken.cpus, 2);
}

TEST_F(MachineCpuSourceTest, OtherCpusDoNotCount) {
  stat("cpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\ncpu10 0 0 0 0 0 0 0 0 0 0\n");
  take({1});
  stat("cpu0 9 0 0 0 0 0 0 9 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\ncpu10 9 0 0 0 0 0 0 9 0 0\n");
  const MachineCpu taken = take({1});
  EXPECT_EQ(taken.busy, ticks(1));
  EXPECT_EQ(taken.stolen, Duration::zero());
  EXPECT_EQ(taken.cpus, 1);
}

TEST_F(MachineCpuSourceTest, ACpuThatComesOnlineStartsThen) {
  stat("cpu0 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(take().cpus, 1);
  stat("cpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 500 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(take().busy, ticks(1));
  stat("cpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 502 0 0 0 0 0 0 0 0 0\n");
  EXPECT_EQ(take().busy, ticks(2));
}

TEST_F(MachineCpuSourceTest, CountersThatGoBackAddNothing) {
  stat("cpu0 500 0 0 900 900 0 0 50 0 0\n");
  take();
  stat("cpu0 1 0 0 100 100 0 0 1 0 0\n");
  const MachineCpu taken = take();
  EXPECT_EQ(taken.busy, Duration::zero());
  EXPECT_EQ(taken.stolen, Duration::zero());
  stat("cpu0 2 0 0 100 100 0 0 1 0 0\n");
  EXPECT_EQ(take().busy, ticks(1));
}

TEST_F(MachineCpuSourceTest, WhatCannotBeReadIsUnknown) {
  EXPECT_FALSE(source_.take({0}));
  EXPECT_THAT(source_.lastError(), HasSubstr("/stat cannot be read: No such file"));
  for (const char* text : {"", "cpu0\n", "cpu0 1 2 3\n", "cpu0 a b c d e f g h\n", "cpux 1 2\n",
                           "cpu7 1 2 3 4 5 6 7 8 9 10\n"}) {
    stat(text);
    EXPECT_FALSE(source_.take({0})) << text;
    EXPECT_THAT(source_.lastError(), HasSubstr("does not show the CPUs of this process"));
  }
}

TEST(MachineCpuSourceKernelTest, ReadsThisMachine) {
  const auto cpus = readAffinity();
  ASSERT_TRUE(cpus);
  ASSERT_FALSE(cpus->empty());
  MachineCpuSource source;
  const auto first = source.take(*cpus);
  ASSERT_TRUE(first.has_value()) << source.lastError();
  EXPECT_EQ(first->cpus, static_cast<int>(cpus->size()));
}

}  // namespace
}  // namespace hodor::signals
