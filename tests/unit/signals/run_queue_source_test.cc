#include "signals/run_queue_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "run_queue_fixture.h"

namespace hodor::signals {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace hodor::signals
