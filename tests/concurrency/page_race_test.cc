#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "metrics/page.h"

namespace hodor::metrics {
namespace {

TEST(PageRaceTest, AReaderNeverSeesHalfAText) {
  MetricsPage page;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 3000; ++i) {
      const std::size_t length = 1 + static_cast<std::size_t>(i) % 300;
      page.set(Field::kStateReason,
               std::string_view(std::string(length, static_cast<char>('a' + i % 26))));
    }
    done = true;
  });
  std::uint64_t reads = 0;
  while (!done.load()) {
    const std::string text = page.text(Field::kStateReason);
    ++reads;
    ASSERT_EQ(text.find_first_not_of(text.empty() ? 'a' : text[0]), std::string::npos) << text;
  }
  writer.join();
  EXPECT_GT(reads, 0U);
}

}  // namespace
}  // namespace hodor::metrics
