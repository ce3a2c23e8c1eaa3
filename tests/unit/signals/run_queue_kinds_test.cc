// What kinds of threads wait, by their names.
#include <vector>

#include "run_queue_fixture.h"

namespace hodor::signals {
namespace {

using detectors::ThreadKind;

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
}  // namespace
}  // namespace hodor::signals
