#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "options/options.h"

namespace hodor::agent {

// Where options are changed at run time. JMX threads hand in a change and wait until the control
// thread has taken it over, so that what was written can be read back.
class SettingsDesk {
 public:
  explicit SettingsDesk(options::Options options) : options_(std::move(options)) {}

  // Nothing on success, else the sentence that says what was wrong.
  std::optional<std::string> change(std::string_view key, std::string_view value);
  // Asks for the counters to start again from zero.
  void requestReset();

  [[nodiscard]] options::Options current() const;

  // The control thread: what is new since the last call.
  struct Order {
    std::optional<options::Options> options;
    bool reset = false;
  };
  [[nodiscard]] bool pending() const { return asked_.load() != done_.load(); }
  Order take();
  void taken();

  // Called (without lock) when something was handed in. Set once, before the first change.
  void onOrder(std::function<void()> wake) { wake_ = std::move(wake); }

 private:
  void awaitTaken(std::uint64_t order);

  mutable std::mutex mutex_;
  std::condition_variable taken_;
  options::Options options_;
  bool changed_ = false;
  bool reset_ = false;
  std::uint64_t takenUpTo_ = 0;
  std::atomic<std::uint64_t> asked_{0};
  std::atomic<std::uint64_t> done_{0};
  std::function<void()> wake_;
};

}  // namespace hodor::agent
