#include "signals/effective_cpus_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fake_files.h"

namespace hodor::signals {
namespace {

using testing::HasSubstr;

class EffectiveCpusSourceTest : public testing::Test {
 protected:
  // Both hierarchies side by side, as on a host in transition.
  void mountBoth(const std::string& root = "/") const {
    files_.write("proc/mountinfo",
                 "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                 "30 22 0:26 " +
                     root +
                     " /cg/memory rw - cgroup cgroup rw,memory\n"
                     "31 22 0:27 " +
                     root +
                     " /cg/cpu rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
                     "32 22 0:28 " +
                     root +
                     " /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
                     "33 22 0:29 " +
                     root + " /cg/unified rw shared:10 - cgroup2 cgroup rw\n");
  }
  void belongTo(const std::string& v1, const std::string& v2) const {
    files_.write("proc/cgroup", "5:memory:/elsewhere\n4:cpuset:/elsewhere\n3:cpu,cpuacct:" + v1 +
                                    "\n0::" + v2 + "\n");
  }
  void quotaV1(const std::string& group, const std::string& quota,
               const std::string& period = "100000") const {
    files_.write("cg/cpu" + group + "/cpu.cfs_quota_us", quota + "\n");
    files_.write("cg/cpu" + group + "/cpu.cfs_period_us", period + "\n");
  }
  void quotaV2(const std::string& group, const std::string& text) const {
    files_.write("cg/unified" + group + "/cpu.max", text + "\n");
  }
  double cpus() {
    const auto cpus = source_.read();
    EXPECT_TRUE(cpus.has_value()) << source_.lastError();
    return cpus.value_or(-1);
  }

  const FakeFiles files_;
  std::optional<int> affinity_ = 8;
  EffectiveCpusSource source_{files_.root() + "/proc", files_.root(), [this] { return affinity_; }};
};

TEST_F(EffectiveCpusSourceTest, WithoutQuotaItIsTheAffinity) {
  mountBoth();
  belongTo("/", "/");
  EXPECT_EQ(cpus(), 8);
  affinity_ = 3;
  EXPECT_EQ(cpus(), 3);
}

TEST_F(EffectiveCpusSourceTest, WithoutControlGroupsItIsTheAffinity) {
  files_.write("proc/mountinfo", "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n");
  EXPECT_EQ(cpus(), 8);
}

TEST_F(EffectiveCpusSourceTest, KeepsTheFractionOfAQuota) {
  mountBoth();
  belongTo("/a", "/");
  quotaV1("/a", "125000");
  EXPECT_EQ(cpus(), 1.25);
}

TEST_F(EffectiveCpusSourceTest, FollowsAQuotaThatChanges) {
  mountBoth();
  belongTo("/", "/a");
  quotaV2("/a", "150000 100000");
  EXPECT_EQ(cpus(), 1.5);
  quotaV2("/a", "25000 50000");
  EXPECT_EQ(cpus(), 0.5);
  quotaV2("/a", "max 100000");
  EXPECT_EQ(cpus(), 8);
}

TEST_F(EffectiveCpusSourceTest, FollowsAQuotaOfAParentThatComesChangesAndGoes) {
  mountBoth();
  belongTo("/pod/app", "/");
  EXPECT_EQ(cpus(), 8);
  quotaV1("/pod/app", "-1");
  quotaV1("/pod", "-1");
  EXPECT_EQ(cpus(), 8);
  quotaV1("/pod", "250000");
  EXPECT_EQ(cpus(), 2.5);
  quotaV1("/pod/app", "75000");
  EXPECT_EQ(cpus(), 0.75);
  quotaV1("/pod/app", "-1");
  EXPECT_EQ(cpus(), 2.5);
  files_.remove("cg/cpu/pod");
  EXPECT_EQ(cpus(), 8);
}

TEST_F(EffectiveCpusSourceTest, FollowsAProcessThatIsMoved) {
  mountBoth();
  belongTo("/a", "/");
  quotaV1("/a", "100000");
  quotaV1("/b", "300000");
  EXPECT_EQ(cpus(), 1);
  belongTo("/b", "/");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(EffectiveCpusSourceTest, TheAffinityCanBeTighterThanTheQuota) {
  mountBoth();
  belongTo("/a", "/");
  quotaV1("/a", "600000");
  affinity_ = 2;
  EXPECT_EQ(cpus(), 2);
}

TEST_F(EffectiveCpusSourceTest, TheTightestOfAllParentsOfTheOldHierarchy) {
  mountBoth();
  belongTo("/pods/pod1/app", "/");
  quotaV1("", "-1");
  quotaV1("/pods", "700000");
  quotaV1("/pods/pod1", "225000");
  quotaV1("/pods/pod1/app", "-1");
  EXPECT_EQ(cpus(), 2.25);
  quotaV1("/pods/pod1/app", "50000");
  EXPECT_EQ(cpus(), 0.5);
  quotaV1("", "20000");
  EXPECT_EQ(cpus(), 0.2);
}

TEST_F(EffectiveCpusSourceTest, TheTightestOfAllParentsOfTheUnifiedHierarchy) {
  mountBoth();
  belongTo("/", "/kube/pod/app");
  quotaV2("/kube", "500000 100000");
  quotaV2("/kube/pod", "30000 20000");
  quotaV2("/kube/pod/app", "max 100000");
  EXPECT_EQ(cpus(), 1.5);
}

TEST_F(EffectiveCpusSourceTest, TheTighterOfBothHierarchies) {
  mountBoth();
  belongTo("/a", "/b");
  quotaV1("/a", "400000");
  quotaV2("/b", "300000 100000");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(EffectiveCpusSourceTest, GroupsOfOtherControllersSetNoQuota) {
  mountBoth();
  belongTo("/a", "/");
  files_.write("cg/memory/elsewhere/cpu.cfs_quota_us", "10000\n");
  files_.write("cg/cpuset/elsewhere/cpu.cfs_quota_us", "10000\n");
  EXPECT_EQ(cpus(), 8);
}

// In a container without a namespace of its own: the paths of the host, a mount of the group alone.
TEST_F(EffectiveCpusSourceTest, AMountOfTheOwnGroupAlone) {
  mountBoth("/docker/abc");
  belongTo("/docker/abc", "/docker/abc/child");
  quotaV1("", "250000");
  quotaV2("/child", "200000 100000");
  EXPECT_EQ(cpus(), 2);
  quotaV1("", "150000");
  EXPECT_EQ(cpus(), 1.5);
}

TEST_F(EffectiveCpusSourceTest, AGroupWithALongerNameIsNotBelowTheMount) {
  mountBoth("/docker/abc");
  belongTo("/docker/abcdef", "/");
  files_.write("cg/cpudef/cpu.cfs_quota_us", "10000\n");
  files_.write("cg/cpudef/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 8);
}

TEST_F(EffectiveCpusSourceTest, MountPointsMayHaveSpaces) {
  files_.write("proc/mountinfo", "33 22 0:29 / /my\\040groups rw - cgroup2 cgroup rw\n");
  belongTo("/", "/a");
  files_.write("my groups/a/cpu.max", "100000 100000\n");
  EXPECT_EQ(cpus(), 1);
}

TEST_F(EffectiveCpusSourceTest, ColonsInTheNameOfAGroup) {
  mountBoth();
  belongTo("/", "/a:b");
  quotaV2("/a:b", "100000 100000");
  EXPECT_EQ(cpus(), 1);
}

TEST_F(EffectiveCpusSourceTest, NeverBelowAHundredth) {
  mountBoth();
  belongTo("/a", "/");
  quotaV1("/a", "1000", "1000000");
  EXPECT_EQ(cpus(), 0.01);
}

TEST_F(EffectiveCpusSourceTest, AGroupThatHasGoneSetsNoQuota) {
  mountBoth();
  belongTo("/gone/for/good", "/gone");
  quotaV1("", "200000");
  EXPECT_EQ(cpus(), 2);
}

TEST_F(EffectiveCpusSourceTest, GarbageInTheProcessFilesIsSkipped) {
  files_.write("proc/mountinfo",
               "\n-\n1 2 3 - cgroup\n - cgroup2\nx - cgroup cgroup rw,cpu\n\xff\n");
  files_.write("proc/cgroup", "\nnothing\n:\n3:cpu\n");
  EXPECT_EQ(cpus(), 8);
  mountBoth();
  EXPECT_EQ(cpus(), 8);
}

TEST_F(EffectiveCpusSourceTest, WithoutMountTableNothingIsKnown) {
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("mountinfo cannot be read: No such file"));
}

TEST_F(EffectiveCpusSourceTest, WithoutAffinityNothingIsKnown) {
  mountBoth();
  belongTo("/", "/");
  affinity_.reset();
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("affinity"));
  affinity_ = 0;
  EXPECT_FALSE(source_.read());
}

TEST_F(EffectiveCpusSourceTest, QuotasThatAreNotUnderstoodAreNoneToRelyOn) {
  mountBoth();
  belongTo("/", "/a");
  for (const char* text : {"", "100000", "100000 ", "100000 0", "100000 -5", "a b", "1e5 100000",
                           "100000 100000 1", "99999999999999999999 100000", "maximum 100000"}) {
    quotaV2("/a", text);
    EXPECT_FALSE(source_.read()) << text;
    EXPECT_THAT(source_.lastError(), HasSubstr("/cg/unified/a/cpu.max")) << text;
  }
  quotaV2("/a", "100000 100000");
  EXPECT_EQ(cpus(), 1);

  belongTo("/b", "/");
  for (const char* text : {"", "x", "100000 5", "0x10"}) {
    quotaV1("/b", text);
    EXPECT_FALSE(source_.read()) << text;
    EXPECT_THAT(source_.lastError(), HasSubstr("/cg/cpu/b/cpu.cfs_quota_us")) << text;
  }
  quotaV1("/b", "100000", "0");
  EXPECT_FALSE(source_.read());
  quotaV1("/b", "100000");
  files_.remove("cg/cpu/b/cpu.cfs_period_us");
  EXPECT_FALSE(source_.read());
}

TEST_F(EffectiveCpusSourceTest, AQuotaThatCannotBeReadIsNotNone) {
  mountBoth();
  belongTo("/", "/a");
  files_.write("cg/unified/a/cpu.max/folder", "");  // reading a folder fails, even for root
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("cpu.max cannot be read: Is a directory"));
}

TEST(EffectiveCpusSourceKernelTest, ReadsThisMachine) {
  EffectiveCpusSource source;
  const auto cpus = source.read();
  ASSERT_TRUE(cpus.has_value()) << source.lastError();
  EXPECT_GE(*cpus, 0.01);
  EXPECT_LE(*cpus, static_cast<double>(sysconf(_SC_NPROCESSORS_CONF)));
}

}  // namespace
}  // namespace hodor::signals
