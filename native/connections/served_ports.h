#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hodor::connections {

// The ports at which requests come that a gate of ours may reject: the only ones at which
// connections are limited. Not among them: those of JMX, of a debugger, of health checks. Any
// thread.
class ServedPorts {
 public:
  void add(std::uint16_t port) {
    const std::lock_guard lock(mutex_);
    if (std::find(ports_.begin(), ports_.end(), port) == ports_.end() && ports_.size() < kMost) {
      ports_.push_back(port);
    }
  }

  void remove(std::uint16_t port) {
    const std::lock_guard lock(mutex_);
    ports_.erase(std::remove(ports_.begin(), ports_.end(), port), ports_.end());
  }

  [[nodiscard]] bool contains(std::uint16_t port) const {
    const std::lock_guard lock(mutex_);
    return std::find(ports_.begin(), ports_.end(), port) != ports_.end();
  }

 private:
  static constexpr std::size_t kMost = 256;

  mutable std::mutex mutex_;
  std::vector<std::uint16_t> ports_;
};

}  // namespace hodor::connections
