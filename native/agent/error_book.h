#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace hodor::agent {

// What went wrong inside Hodor, for JMX `Errors`. Any thread.
class ErrorBook {
 public:
  // Something of ours failed and the request was admitted. True for the first one of the process:
  // only that one is worth a log line.
  bool failedOpen(std::string_view what) {
    remember(what);
    return failOpen_.fetch_add(1, std::memory_order_relaxed) == 0;
  }

  // A signal can no longer be read.
  void sourceFailed(std::string_view what) {
    remember(what);
    sourceFailures_.fetch_add(1, std::memory_order_relaxed);
  }

  void remember(std::string_view what) {
    const std::lock_guard lock(mutex_);
    last_.assign(what.substr(0, kLongest));
  }

  [[nodiscard]] std::uint64_t failOpen() const { return failOpen_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t sourceFailures() const {
    return sourceFailures_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::string last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  static constexpr std::size_t kLongest = 512;

  std::atomic<std::uint64_t> failOpen_{0};
  std::atomic<std::uint64_t> sourceFailures_{0};
  mutable std::mutex mutex_;
  std::string last_;
};

}  // namespace hodor::agent
