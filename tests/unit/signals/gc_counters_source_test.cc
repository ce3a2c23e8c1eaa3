#include "signals/gc_counters_source.h"

#include <gtest/gtest.h>

#include "perf_block.h"

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;

class GcCountersSourceTest : public testing::Test {
 protected:
  GcCountersSource source_{[this](std::string& error) {
    error = error_;
    return error_.empty() ? block_.block() : std::span<const std::byte>{};
  }};
  PerfBlock block_;
  std::string error_;
};

TEST_F(GcCountersSourceTest, CountsTheTimeOfCyclesBegunByAStall) {
  const std::size_t cause = block_.addText("sun.gc.cause", "No GC");
  ASSERT_TRUE(source_.open());
  source_.sampleCause(milliseconds(10));
  EXPECT_EQ(source_.stallCyclesTotal(), Duration::zero());
  block_.putText(cause, "Allocation Stall");
  source_.sampleCause(milliseconds(10));
  source_.sampleCause(milliseconds(12));
  EXPECT_EQ(source_.stallCyclesTotal(), milliseconds(22));
  block_.putText(cause, "Allocation Rate");
  source_.sampleCause(milliseconds(10));
  EXPECT_EQ(source_.stallCyclesTotal(), milliseconds(22));
}

TEST_F(GcCountersSourceTest, AGapBetweenSamplesIsNotAllStall) {
  block_.addText("sun.gc.cause", "Allocation Stall");
  ASSERT_TRUE(source_.open());
  source_.sampleCause(std::chrono::hours(1));
  EXPECT_LE(source_.stallCyclesTotal(), std::chrono::seconds(1));
  source_.sampleCause(milliseconds(-5));
  EXPECT_GE(source_.stallCyclesTotal(), Duration::zero());
}

TEST_F(GcCountersSourceTest, TellsHowFullTheOldGenerationIs) {
  block_.addText("sun.gc.cause", "No GC");
  block_.addNumber("sun.gc.generation.0.maxCapacity", 1000);
  const std::size_t used = block_.addNumber("sun.gc.generation.1.space.0.used", 500);
  block_.addNumber("sun.gc.generation.1.maxCapacity", 2000);
  ASSERT_TRUE(source_.open());
  auto heap = source_.heap();
  ASSERT_TRUE(heap);
  EXPECT_TRUE(heap->oldGeneration);
  EXPECT_DOUBLE_EQ(heap->share, 0.25);
  block_.put<std::int64_t>(used, 4000);
  EXPECT_DOUBLE_EQ(source_.heap()->share, 1);
}

TEST_F(GcCountersSourceTest, WithoutGenerationsItIsTheHeap) {
  block_.addText("sun.gc.cause", "No GC");
  block_.addNumber("sun.gc.generation.1.space.0.used", 1500);
  block_.addNumber("sun.gc.generation.1.maxCapacity", 2000);
  ASSERT_TRUE(source_.open());
  ASSERT_TRUE(source_.heap());
  EXPECT_FALSE(source_.heap()->oldGeneration);
}

TEST_F(GcCountersSourceTest, WhatIsNotThereIsUnknown) {
  error_ = "there are none";
  EXPECT_FALSE(source_.open());
  EXPECT_EQ(source_.lastError(), "there are none");
  source_.sampleCause(milliseconds(10));
  EXPECT_EQ(source_.stallCyclesTotal(), Duration::zero());
  EXPECT_FALSE(source_.heap());
}

TEST_F(GcCountersSourceTest, WithoutACauseItSaysSo) {
  block_.addNumber("sun.gc.generation.1.space.0.used", 1500);
  EXPECT_FALSE(source_.open());
  EXPECT_NE(source_.lastError().find("sun.gc.cause"), std::string::npos);
}

TEST_F(GcCountersSourceTest, AHeapWithoutLimitIsUnknown) {
  block_.addText("sun.gc.cause", "No GC");
  block_.addNumber("sun.gc.generation.1.space.0.used", 1500);
  block_.addNumber("sun.gc.generation.1.maxCapacity", 0);
  ASSERT_TRUE(source_.open());
  EXPECT_FALSE(source_.heap());
}

TEST(GcCountersSourceHereTest, WithoutAJvmThereAreNone) {
  GcCountersSource source;
  EXPECT_FALSE(source.open());
  EXPECT_NE(source.lastError().find("gHotSpotVMStructs"), std::string::npos);
}

}  // namespace
}  // namespace hodor::signals
