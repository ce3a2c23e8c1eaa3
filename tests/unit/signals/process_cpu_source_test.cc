#include "signals/process_cpu_source.h"

#include <gtest/gtest.h>

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProcessCpuSourceTest : public testing::Test {
 protected:
  void expectShare(Instant now, double cpus, double share) {
    const auto taken = source_.takeShare(now, cpus);
    ASSERT_TRUE(taken.has_value());
    EXPECT_DOUBLE_EQ(*taken, share);
  }

  std::optional<Duration> used_ = seconds(100);
  ProcessCpuSource source_{[this] { return used_; }};
};

TEST_F(ProcessCpuSourceTest, ShareOfTheCpusSinceTheLastCall) {
  EXPECT_FALSE(source_.takeShare(seconds(10), 4));
  used_ = seconds(102);
  expectShare(seconds(11), 4, 0.5);
  expectShare(seconds(12), 4, 0);
  used_ = milliseconds(102'625);
  expectShare(seconds(13), 1.25, 0.5);
}

TEST_F(ProcessCpuSourceTest, NeverMoreThanAllNorLessThanNone) {
  EXPECT_FALSE(source_.takeShare(seconds(10), 1));
  used_ = seconds(200);
  expectShare(seconds(11), 1, 1);
  used_ = seconds(150);
  expectShare(seconds(12), 1, 0);
}

TEST_F(ProcessCpuSourceTest, NothingWithoutTimeOrCpus) {
  EXPECT_FALSE(source_.takeShare(seconds(10), 1));
  EXPECT_FALSE(source_.takeShare(seconds(10), 1));
  EXPECT_FALSE(source_.takeShare(seconds(9), 1));
  EXPECT_FALSE(source_.takeShare(seconds(11), 0));
  EXPECT_FALSE(source_.takeShare(seconds(12), -1));
}

TEST_F(ProcessCpuSourceTest, AfterAFailureTheNextReadingIsOnlyABase) {
  EXPECT_FALSE(source_.takeShare(seconds(10), 1));
  used_.reset();
  EXPECT_FALSE(source_.takeShare(seconds(11), 1));
  used_ = seconds(101);
  EXPECT_FALSE(source_.takeShare(seconds(12), 1));
  used_ = milliseconds(101'250);
  expectShare(seconds(13), 1, 0.25);
}

TEST(ProcessCpuSourceKernelTest, ReadsThisProcess) {
  ProcessCpuSource source;
  EXPECT_FALSE(source.takeShare(seconds(1), 1));
  const auto share = source.takeShare(seconds(2), 1);
  ASSERT_TRUE(share.has_value());
  EXPECT_GE(*share, 0);
  EXPECT_LE(*share, 1);
}

}  // namespace
}  // namespace hodor::signals
