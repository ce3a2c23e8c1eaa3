#include "signals/perf_data.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "perf_block.h"

namespace hodor::signals {
namespace {

TEST(PerfDataTest, FindsNumbersAndTexts) {
  PerfBlock block;
  const std::size_t used = block.addNumber("used", 42);
  block.addText("cause", "No GC");
  const PerfData data(block.block());
  EXPECT_EQ(data.size(), 2U);
  ASSERT_NE(data.number("used"), nullptr);
  EXPECT_EQ(*data.number("used"), 42);
  ASSERT_EQ(data.text("cause").size(), 80U);
  EXPECT_STREQ(data.text("cause").data(), "No GC");
  block.put<std::int64_t>(used, 43);
  EXPECT_EQ(*data.number("used"), 43) << "the JVM writes in place";
}

TEST(PerfDataTest, WhatIsNotThereOrOfAnotherTypeIsNotFound) {
  PerfBlock block;
  block.addNumber("used", 42);
  block.addText("cause", "No GC");
  const PerfData data(block.block());
  EXPECT_EQ(data.number("cause"), nullptr);
  EXPECT_TRUE(data.text("used").empty());
  EXPECT_EQ(data.number("usedd"), nullptr);
  EXPECT_EQ(data.number(""), nullptr);
}

TEST(PerfDataTest, ABlockOfAnotherKindIsEmpty) {
  EXPECT_EQ(PerfData({}).size(), 0U);
  for (const std::size_t changed : {0U, 3U, 4U, 5U}) {  // magic, byte order, version
    PerfBlock block;
    block.addNumber("used", 42);
    block.put<char>(changed, 77);
    EXPECT_EQ(PerfData(block.block()).size(), 0U) << changed;
  }
}

TEST(PerfDataTest, AnEntryThatLeavesTheBlockEndsTheTable) {
  for (const std::size_t field : {0U, 4U, 8U, 16U}) {  // lengths and offsets
    for (const std::int32_t value : {-1, 0x7fffffff, 2000}) {
      PerfBlock block;
      block.addNumber("used", 42);
      const std::size_t second = block.end();
      block.addText("cause", "No GC");
      block.put<std::int32_t>(second + field, value);
      EXPECT_EQ(PerfData(block.block()).size(), 1U) << field << " " << value;
    }
  }
  PerfBlock block;
  block.addNumber("used", 42);
  block.put<std::int32_t>(28, 1'000'000);  // entries
  EXPECT_EQ(PerfData(block.block()).size(), 1U);
}

// Whatever stands there, nothing outside of the block is touched: the sanitizers look on.
TEST(PerfDataTest, NoBlockIsReadBeyondItsEnd) {
  PerfBlock good;
  good.addNumber("used", 42);
  good.addText("cause", "No GC");
  good.addNumber("sun.gc.generation.1.space.0.used", 7);
  std::mt19937_64 random(5);
  for (int round = 0; round < 2000; ++round) {
    const auto whole = good.block();
    std::vector<std::byte> bytes(whole.begin(),
                                 whole.begin() + static_cast<std::ptrdiff_t>(random() % 300));
    for (int change = 0; change < 4 && bytes.size() > 24; ++change) {
      bytes[24 + random() % (bytes.size() - 24)] = static_cast<std::byte>(random());
    }
    const PerfData data(bytes);
    if (const std::int64_t* number = data.number("used")) {
      ASSERT_GE(reinterpret_cast<const std::byte*>(number), bytes.data());
      ASSERT_LE(reinterpret_cast<const std::byte*>(number + 1), bytes.data() + bytes.size());
    }
    const auto text = data.text("cause");
    if (!text.empty()) {
      ASSERT_LE(reinterpret_cast<const std::byte*>(text.data() + text.size()),
                bytes.data() + bytes.size());
    }
  }
}

}  // namespace
}  // namespace hodor::signals
