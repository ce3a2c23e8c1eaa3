// The kernel's own control groups: a process in a real group with a quota. Needs root and a cpu
// controller to make a group in, of either version.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "signals/cgroup_throttle_source.h"
#include "signals/cpu_groups.h"
#include "signals/effective_cpus_source.h"

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

bool write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text << std::flush;
  return out.good();
}

// A group below our own with a process that spins in it.
class RealCgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    const CpuGroups own = findCpuGroups("/proc/self", "");
    std::string why = own.groups.empty() ? "no cpu controller is mounted" : "";
    for (const CpuGroup& group : own.groups) {
      const std::string folder = group.folder + "/hodor-test-" + std::to_string(getpid());
      if (mkdir(folder.c_str(), 0755) != 0) {
        why = folder + " cannot be made: " + std::strerror(errno);
        continue;
      }
      folder_ = folder;
      unified_ = group.unified;
      if (setQuota(50)) {
        break;
      }
      why = folder + " takes no quota";
      rmdir(folder.c_str());
      folder_.clear();
    }
    if (folder_.empty()) {
      GTEST_SKIP() << "NOT TESTED, control groups of this kernel: " << why;
    }
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      for (;;) {
      }
    }
    ASSERT_TRUE(write(folder_ + "/cgroup.procs", std::to_string(child_)));
  }

  void TearDown() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    // The kernel lets go of the dead a little later.
    for (int i = 0; !folder_.empty() && rmdir(folder_.c_str()) != 0 && i < 500; ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
  }

  // In percent of one CPU; nothing: none.
  [[nodiscard]] bool setQuota(std::optional<int> percent) const {
    const std::string time = percent ? std::to_string(*percent * 1000) : "";
    return unified_ ? write(folder_ + "/cpu.max", percent ? time + " 100000" : "max 100000")
                    : write(folder_ + "/cpu.cfs_quota_us", percent ? time : "-1");
  }
  [[nodiscard]] std::string processRoot() const { return "/proc/" + std::to_string(child_); }

  std::string folder_;
  bool unified_ = false;
  pid_t child_ = -1;
};

TEST_F(RealCgroupTest, AQuotaIsFollowedWhileItChanges) {
  EffectiveCpusSource source(processRoot(), "", [] { return 8; });
  const auto own = EffectiveCpusSource("/proc/self", "", [] { return 8; }).read();
  ASSERT_TRUE(own);
  EXPECT_EQ(source.read(), 0.5);
  ASSERT_TRUE(setQuota(25));
  EXPECT_EQ(source.read(), 0.25);
  ASSERT_TRUE(setQuota(std::nullopt));
  EXPECT_EQ(source.read(), own);
}

TEST_F(RealCgroupTest, AProcessThatSpinsIsThrottled) {
  CgroupThrottleSource source(processRoot(), "");
  // So little that it is used up on a machine that is busy otherwise, too.
  ASSERT_TRUE(setQuota(5));
  Instant now{};
  ASSERT_TRUE(source.take(now)) << source.lastError();
  std::uint64_t periods = 0;
  std::uint64_t throttled = 0;
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (throttled < 3 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(50));
    const auto taken = source.take(now += milliseconds(50));
    ASSERT_TRUE(taken) << source.lastError();
    periods += taken->periods;
    throttled += taken->throttled;
  }
  EXPECT_GE(throttled, 3U);
  EXPECT_GE(periods, throttled);
}

}  // namespace
}  // namespace hodor::signals
