#include "processor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hodor::simulation {
namespace {

TEST(ProcessorTest, AJobAloneRunsAtFullSpeed) {
  Processor processor(2);
  processor.add(1, 0.5, 7);
  EXPECT_DOUBLE_EQ(processor.nextDone(), 1.5);
  EXPECT_EQ(processor.takeDone(1.5), 7U);
  EXPECT_DOUBLE_EQ(processor.ran(2), 0.5);
  EXPECT_DOUBLE_EQ(processor.waited(2), 0);
}

TEST(ProcessorTest, ThreeJobsShareTwoCpus) {
  Processor processor(2);
  for (Processor::Job job = 0; job < 3; ++job) {
    processor.add(0, 1, job);
  }
  EXPECT_DOUBLE_EQ(processor.nextDone(), 1.5);
  EXPECT_EQ(processor.takeDone(1.5), 0U);
  EXPECT_DOUBLE_EQ(processor.ran(1.5), 3);
  EXPECT_DOUBLE_EQ(processor.waited(1.5), 1.5);
}

TEST(ProcessorTest, ALaterShortJobOvertakes) {
  Processor processor(1);
  processor.add(0, 1, 1);
  processor.add(0.5, 0.1, 2);
  EXPECT_DOUBLE_EQ(processor.nextDone(), 0.7);
  EXPECT_EQ(processor.takeDone(0.7), 2U);
  EXPECT_DOUBLE_EQ(processor.nextDone(), 1.1);
}

TEST(ProcessorTest, NobodyWaitsForACpuWhileAllAreStopped) {
  Processor processor(1);
  processor.add(0, 1, 1);
  processor.add(0, 1, 2);
  processor.setStopped(1, 1);
  EXPECT_TRUE(std::isinf(processor.nextDone()));
  processor.setStopped(3, 0);
  EXPECT_DOUBLE_EQ(processor.nextDone(), 4);
  EXPECT_DOUBLE_EQ(processor.stopped(4), 2);
  EXPECT_DOUBLE_EQ(processor.waited(4), 2);
}

TEST(ProcessorTest, FewerCpusMakeJobsWait) {
  Processor processor(2);
  processor.add(0, 1, 1);
  processor.add(0, 1, 2);
  processor.setCpus(0.5, 1);
  EXPECT_DOUBLE_EQ(processor.nextDone(), 1.5);
  EXPECT_DOUBLE_EQ(processor.waited(1.5), 1);
}

}  // namespace
}  // namespace hodor::simulation
