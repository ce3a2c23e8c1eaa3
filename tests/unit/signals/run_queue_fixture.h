#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "fake_files.h"
#include "signals/run_queue_source.h"

namespace hodor::signals {

inline std::ptrdiff_t openDescriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

// A source that reads files of ours.
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

}  // namespace hodor::signals
