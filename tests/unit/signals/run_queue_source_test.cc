#include "signals/run_queue_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <iterator>
#include <thread>
#include <vector>

#include "fake_files.h"

namespace hodor::signals {
namespace {

using detectors::ThreadKind;
using testing::HasSubstr;

std::ptrdiff_t openDescriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

class RunQueueSourceTest : public testing::Test {
 protected:
  static std::string file(int thread) { return "task/" + std::to_string(thread) + "/schedstat"; }
  void times(int thread, std::uint64_t ran, std::uint64_t waited) const {
    files_.write(file(thread), std::to_string(ran) + " " + std::to_string(waited) + " 7\n");
  }
  void wait(int thread, std::uint64_t nanos) const { times(thread, 1000, nanos); }
  void name(int thread, const std::string& comm) const {
    files_.write("task/" + std::to_string(thread) + "/comm", comm + "\n");
  }
  detectors::ThreadTimesByKind read() {
    const auto times = source_.read();
    EXPECT_TRUE(times.has_value()) << source_.lastError();
    return times.value_or(detectors::ThreadTimesByKind{});
  }
  // A thread that ends takes its text from those who have its file open, and its folder.
  void end(int thread) const {
    files_.write(file(thread), "");
    files_.remove("task/" + std::to_string(thread));
  }
  std::int64_t total() {
    const auto total = source_.read();
    EXPECT_TRUE(total.has_value()) << source_.lastError();
    return total ? total->sum().waited.count() : -1;
  }

  const FakeFiles files_;
  RunQueueSource source_{files_.root()};
};

TEST_F(RunQueueSourceTest, WhatWasWaitedBeforeTheFirstCallDoesNotCount) {
  wait(1, 500);
  wait(2, 700);
  EXPECT_EQ(total(), 0);
  wait(1, 510);
  wait(2, 730);
  EXPECT_EQ(total(), 40);
  EXPECT_EQ(total(), 40);
  EXPECT_EQ(source_.threads(), 2U);
}

TEST_F(RunQueueSourceTest, AThreadThatCameLaterCountsInFull) {
  wait(1, 500);
  EXPECT_EQ(total(), 0);
  wait(2, 30);
  EXPECT_EQ(total(), 30);
  wait(2, 35);
  EXPECT_EQ(total(), 35);
}

TEST_F(RunQueueSourceTest, AThreadThatEndsLeavesTheTotal) {
  wait(1, 0);
  wait(2, 0);
  EXPECT_EQ(total(), 0);
  wait(2, 100);
  EXPECT_EQ(total(), 100);
  end(2);
  EXPECT_EQ(total(), 100);
  EXPECT_EQ(source_.threads(), 1U);
}

TEST_F(RunQueueSourceTest, SeesAnExchangeThatLeavesTheNumberOfThreads) {
  wait(1, 0);
  wait(2, 0);
  EXPECT_EQ(total(), 0);
  // Gone without a trace in the open file: only the next look at the folder can tell.
  files_.remove("task/2");
  wait(3, 50);
  std::int64_t last = 0;
  for (int sweep = 0; sweep < 10; ++sweep) {
    last = total();
  }
  EXPECT_EQ(last, 50);
  EXPECT_EQ(source_.threads(), 2U);
}

TEST_F(RunQueueSourceTest, ANumberTakenOverByANewThreadStartsFromZero) {
  wait(1, 0);
  wait(2, 900);
  EXPECT_EQ(total(), 0);
  end(2);
  wait(2, 20);
  EXPECT_EQ(total(), 0);   // finds the old one ended
  EXPECT_EQ(total(), 20);  // finds the new one
  wait(2, 25);
  EXPECT_EQ(total(), 25);
}

TEST_F(RunQueueSourceTest, ACounterThatGoesBackAddsNothing) {
  wait(1, 0);
  wait(2, 800);
  EXPECT_EQ(total(), 0);
  wait(2, 10);
  EXPECT_EQ(total(), 0);
  wait(2, 15);
  EXPECT_EQ(total(), 5);
}

TEST_F(RunQueueSourceTest, CountsThreadsBeyondItsDescriptors) {
  constexpr int kThreads = 40;
  for (int thread = 1; thread <= kThreads; ++thread) {
    wait(thread, 0);
  }
  source_.setMostOpen(8);
  const auto before = openDescriptors();
  EXPECT_EQ(total(), 0);
  EXPECT_EQ(openDescriptors(), before + 1 + 8);  // the folder's, too
  for (int thread = 1; thread <= kThreads; ++thread) {
    wait(thread, 3);
  }
  EXPECT_EQ(total(), 3 * kThreads);
  EXPECT_EQ(openDescriptors(), before + 1 + 8);
  for (int thread = 1; thread <= kThreads; ++thread) {
    end(thread);
  }
  wait(99, 1);
  total();
  total();
  EXPECT_EQ(openDescriptors(), before + 1 + 1);
}

TEST_F(RunQueueSourceTest, ClosesWhatItOpened) {
  wait(1, 0);
  wait(2, 0);
  const auto before = openDescriptors();
  {
    RunQueueSource source(files_.root());
    EXPECT_TRUE(source.read());
    EXPECT_EQ(openDescriptors(), before + 1 + 2);
  }
  EXPECT_EQ(openDescriptors(), before);
}

// Descriptors that run out are not threads that ended: they must not count in full once more.
TEST_F(RunQueueSourceTest, AThreadThatCannotBeOpenedForAWhileKeepsItsBase) {
  wait(1, 0);
  wait(2, 900'000);
  source_.setMostOpen(0);
  EXPECT_EQ(total(), 0);

  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  const rlimit none{3, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto starved = source_.read();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
  EXPECT_FALSE(starved);
  EXPECT_THAT(source_.lastError(), HasSubstr("Too many open files"));

  wait(2, 900'010);
  EXPECT_EQ(total(), 10);
}

// Under a storm the application has no descriptor left; that is when the wait matters most.
TEST_F(RunQueueSourceTest, NeedsNoNewDescriptorForThreadsThatItKnows) {
  wait(1, 0);
  wait(2, 0);
  EXPECT_EQ(total(), 0);
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  wait(1, 40);
  wait(3, 7);  // the number of threads moves, and the folder is looked at again
  const rlimit none{3, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto starved = source_.read();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
  ASSERT_TRUE(starved) << source_.lastError();
  EXPECT_EQ(starved->sum().waited.count(), 40);
  EXPECT_EQ(total(), 47);
}

TEST_F(RunQueueSourceTest, TellsTheKindsOfThreadsApart) {
  const std::vector<const char*> names = {"qtp12-34", "G1 Conc#0", "C2 CompilerThre", "hodor-tick"};
  for (int thread = 1; thread <= 4; ++thread) {
    name(thread, names[static_cast<std::size_t>(thread - 1)]);
    times(thread, 1000, 1000);
  }
  read();
  for (int thread = 1; thread <= 4; ++thread) {
    times(thread, 1000 + static_cast<std::uint64_t>(thread),
          1000 + static_cast<std::uint64_t>(10 * thread));
  }
  const auto read = this->read();
  EXPECT_EQ(read[ThreadKind::kApplication].ran.count(), 1);
  EXPECT_EQ(read[ThreadKind::kApplication].waited.count(), 10);
  EXPECT_EQ(read[ThreadKind::kCollector].ran.count(), 2);
  EXPECT_EQ(read[ThreadKind::kCollector].waited.count(), 20);
  EXPECT_EQ(read[ThreadKind::kCompiler].ran.count(), 3);
  EXPECT_EQ(read[ThreadKind::kCompiler].waited.count(), 30);
  EXPECT_EQ(read[ThreadKind::kOther].ran.count(), 4);
  EXPECT_EQ(read[ThreadKind::kOther].waited.count(), 40);
  EXPECT_EQ(read.sum().ran.count(), 10);
}

TEST_F(RunQueueSourceTest, AYoungThreadIsAskedForItsNameAgain) {
  name(1, "java");
  wait(1, 0);
  read();
  name(2, "java");  // of the thread that made it
  times(2, 10, 100);
  EXPECT_EQ(read()[ThreadKind::kApplication].waited.count(), 100);
  name(2, "C1 CompilerThre");
  times(2, 20, 150);
  EXPECT_EQ(read()[ThreadKind::kCompiler].waited.count(), 50);
  EXPECT_EQ(read()[ThreadKind::kApplication].waited.count(), 100);
}

TEST_F(RunQueueSourceTest, AThreadThatHasRunForLongKeepsItsKind) {
  name(1, "GC Thread#0");
  times(1, 1'000'000'000, 0);
  read();
  name(1, "something else");
  times(1, 2'000'000'000, 7);
  EXPECT_EQ(read()[ThreadKind::kCollector].waited.count(), 7);
}

TEST_F(RunQueueSourceTest, ANewThreadByAnOldNumberIsAskedForItsName) {
  source_.setMostOpen(0);  // its end goes unnoticed
  name(1, "GC Thread#0");
  times(1, 1'000'000'000, 500);
  read();
  name(1, "qtp12-34");
  times(1, 1000, 0);
  read();
  times(1, 2000, 9);
  EXPECT_EQ(read()[ThreadKind::kApplication].waited.count(), 9);
}

TEST_F(RunQueueSourceTest, AThreadWhoseNameCannotBeReadIsOneOfTheApplication) {
  wait(1, 0);
  read();
  wait(1, 6);
  EXPECT_EQ(read()[ThreadKind::kApplication].waited.count(), 6);
}

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

TEST_F(RunQueueSourceTest, NoTaskFolder) {
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("/task cannot be read: No such file"));
  wait(1, 70);
  EXPECT_EQ(total(), 0);
  wait(1, 75);
  EXPECT_EQ(total(), 5);
}

TEST_F(RunQueueSourceTest, NoSchedulingStatistics) {
  files_.write("task/1/stat", "1 (java) S");
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("schedstat cannot be read: No such file"));
}

TEST_F(RunQueueSourceTest, StatisticsThatAreSwitchedOffAreNotAnIdleProcess) {
  files_.write(file(1), "0 0 0\n");
  files_.write(file(2), "0 0 0\n");
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("all zeros"));
  // Switched on later (sysctl kernel.task_delayacct).
  wait(1, 60);
  wait(2, 60);
  EXPECT_EQ(total(), 0);
}

class RunQueueGarbageTest : public testing::TestWithParam<const char*> {};

TEST_P(RunQueueGarbageTest, IsNothing) {
  const FakeFiles files;
  files.write("task/1/schedstat", GetParam());
  RunQueueSource source(files.root());
  EXPECT_FALSE(source.read());
  EXPECT_THAT(source.lastError(), HasSubstr("schedstat")) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(All, RunQueueGarbageTest,
                         testing::Values("", "\n", " ", "12", "12 ", "12 34", "12 -34 5\n",
                                         "a b c\n", "12 x 5\n", "12  34 5\n",
                                         "12 99999999999999999999999 5\n"));

TEST_F(RunQueueSourceTest, GarbageInOneThreadLeavesTheOthers) {
  wait(1, 0);
  wait(2, 100);
  EXPECT_EQ(total(), 0);
  files_.write(file(2), "nonsense");
  wait(1, 5);
  EXPECT_EQ(total(), 5);
  wait(2, 101);
  EXPECT_EQ(total(), 6);
}

TEST_F(RunQueueSourceTest, IgnoresWhatIsNoThread) {
  wait(1, 0);
  files_.write("task/self/schedstat", "1 1 1\n");
  EXPECT_EQ(total(), 0);
  EXPECT_EQ(source_.threads(), 1U);
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
