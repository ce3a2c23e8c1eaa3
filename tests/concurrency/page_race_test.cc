#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "metrics/page.h"

namespace hodor::metrics {
namespace {

TEST(PageRaceTest, AReaderNeverSeesHalfAText) {
  MetricsPage page;
  std::atomic<std::uint64_t> writes{0};
  std::atomic<bool> done{false};
  // Until enough was read beside it: on a busy machine either may run long before the other.
  std::thread writer([&] {
    for (std::size_t i = 0; !done.load(); ++i) {
      page.set(Field::kStateReason,
               std::string_view(std::string(1 + i % 300, static_cast<char>('a' + i % 26))));
      writes = i + 1;
    }
  });
  while (writes.load() < 3000) {
    const std::string text = page.text(Field::kStateReason);
    EXPECT_EQ(text.find_first_not_of(text.empty() ? 'a' : text[0]), std::string::npos) << text;
  }
  done = true;
  writer.join();
}

}  // namespace
}  // namespace hodor::metrics
