// More threads than one sweep reads, and threads of the kernel's own.
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "run_queue_fixture.h"

namespace hodor::signals {
namespace {

using detectors::ThreadKind;

class RunQueueOfManyTest : public RunQueueSourceTest {
 protected:
  static constexpr int kThreads = 3 * static_cast<int>(RunQueueSource::kMostPerSweep) + 100;
  static constexpr int kSweeps = 10;  // more than enough to see each of them once

  void waitAll(std::uint64_t nanos) const {
    for (int thread = 1; thread <= kThreads; ++thread) {
      wait(thread, nanos);
    }
  }
  std::int64_t totalAfter(int sweeps) {
    std::int64_t last = 0;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const std::int64_t now = total();
      EXPECT_GE(now, last);
      last = now;
    }
    return last;
  }
};

TEST_F(RunQueueOfManyTest, CountsEachOfThemOverSomeSweeps) {
  waitAll(1000);
  EXPECT_EQ(totalAfter(kSweeps), 0) << "what was waited before the first look at a thread";
  EXPECT_EQ(source_.threads(), std::size_t{kThreads});
  waitAll(1003);
  const std::int64_t most = 3 * static_cast<std::int64_t>(RunQueueSource::kMostPerSweep);
  const std::int64_t first = total();
  EXPECT_GT(first, 0);
  EXPECT_LE(first, most) << "a sweep is bounded";
  EXPECT_EQ(totalAfter(kSweeps), 3 * kThreads);
}

TEST_F(RunQueueOfManyTest, CountsInFullThoseThatComeAtOnce) {
  wait(kThreads + 1, 1000);
  EXPECT_EQ(total(), 0);
  waitAll(5);
  EXPECT_EQ(totalAfter(kSweeps), 5 * kThreads);
  for (int thread = 1; thread <= kThreads; ++thread) {
    end(thread);
  }
  EXPECT_EQ(totalAfter(2 * kSweeps), 5 * kThreads);
  EXPECT_EQ(source_.threads(), 1U);
}

TEST_F(RunQueueOfManyTest, NamesAreReadAFewAtATime) {
  for (int thread = 1; thread <= kThreads; ++thread) {
    name(thread, "GC Thread#1");
  }
  waitAll(1);
  read();
  waitAll(2);
  const auto most = static_cast<std::int64_t>(RunQueueSource::kMostNamedPerSweep);
  EXPECT_LE(read()[ThreadKind::kCollector].waited.count(), 2 * most);
  totalAfter(kThreads / static_cast<int>(most) + kSweeps);
  const std::int64_t before = read()[ThreadKind::kApplication].waited.count();
  waitAll(3);
  totalAfter(kSweeps);
  EXPECT_EQ(read()[ThreadKind::kApplication].waited.count(), before) << "all have their names now";
}

// The kernel itself: more spinning threads than CPUs wait for each other. Only the order is
// asserted.
TEST(RunQueueSourceKernelTest, GrowsUnderLoadAndNeverGoesBack) {
  RunQueueSource source;
  const auto first = source.read();
  if (!first) {
    GTEST_SKIP() << source.lastError();
  }
  Duration last = first->sum().waited;
  EXPECT_EQ(last, Duration::zero());
  const std::size_t others = source.threads();
  std::atomic<bool> done{false};
  std::vector<std::thread> spinners;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency() + 2; ++i) {
    spinners.emplace_back([&] {
      while (!done.load(std::memory_order_relaxed)) {
      }
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  bool grew = false;
  bool fell = false;
  while (!grew && !fell && std::chrono::steady_clock::now() < deadline) {
    const auto next = source.read();
    fell = !next || next->sum().waited < last;
    last = next ? next->sum().waited : last;
    grew = last > std::chrono::milliseconds(1);
  }
  EXPECT_GE(source.threads(), others + spinners.size());
  done = true;
  for (std::thread& spinner : spinners) {
    spinner.join();
  }
  EXPECT_FALSE(fell) << source.lastError();
  EXPECT_TRUE(grew);
  for (int sweep = 0; sweep < 12; ++sweep) {
    const auto next = source.read();
    ASSERT_TRUE(next);
    EXPECT_GE(next->sum().waited, last);
    last = next->sum().waited;
  }
  // Joined threads may be seen for a moment longer.
  EXPECT_LT(source.threads(), others + spinners.size());
}

// A storm of threads that live for milliseconds: numbers come and go while the folder is read. What
// is asserted is that nothing goes backwards, nothing is counted twice, and nothing is kept.
TEST(RunQueueSourceKernelTest, ThreadsByTheThousandThatLiveForMilliseconds) {
  constexpr int kMakers = 4;
  constexpr int kThreadsEach = 500;
  RunQueueSource source;
  const auto first = source.read();
  if (!first) {
    GTEST_SKIP() << source.lastError();
  }
  const auto descriptors = openDescriptors();
  timespec before{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::atomic<int> making{kMakers};
  std::vector<std::thread> makers;
  makers.reserve(kMakers);
  for (int i = 0; i < kMakers; ++i) {
    makers.emplace_back([&making] {
      for (int n = 0; n < kThreadsEach; ++n) {
        std::thread([] {
          const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
          while (std::chrono::steady_clock::now() < end) {
          }
        }).join();
      }
      --making;
    });
  }
  auto last = *first;
  bool backwards = false;
  while (making > 0) {
    const auto next = source.read();
    ASSERT_TRUE(next) << source.lastError();
    for (const ThreadKind kind : {ThreadKind::kApplication, ThreadKind::kCollector,
                                  ThreadKind::kCompiler, ThreadKind::kOther}) {
      backwards = backwards || (*next)[kind].ran < last[kind].ran ||
                  (*next)[kind].waited < last[kind].waited;
    }
    last = *next;
  }
  for (std::thread& maker : makers) {
    maker.join();
  }
  timespec after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const Duration used = std::chrono::seconds(after.tv_sec - before.tv_sec) +
                        std::chrono::nanoseconds(after.tv_nsec - before.tv_nsec);
  EXPECT_FALSE(backwards);
  // The thread that reads is at most one clock tick of the scheduler behind at its first reading.
  EXPECT_LE(last.sum().ran, used + std::chrono::milliseconds(20)) << "counted twice";
  EXPECT_GT(last.sum().ran, Duration::zero());
  for (int sweep = 0; sweep < 12; ++sweep) {
    ASSERT_TRUE(source.read());
  }
  EXPECT_LE(source.threads(), 8U) << "threads that have ended are kept";
  EXPECT_LE(openDescriptors(), descriptors + 8);
}

}  // namespace
}  // namespace hodor::signals
