#include "agent/settings_desk.h"

#include <chrono>
#include <utility>

#include "options/options_parser.h"

namespace hodor::agent {

namespace {
// A control thread that does not answer for this long is stuck; the change stays in the queue.
constexpr std::chrono::seconds kPatience{1};
}  // namespace

std::optional<std::string> SettingsDesk::change(std::string_view key, std::string_view value) {
  std::uint64_t order = 0;
  {
    const std::lock_guard lock(mutex_);
    options::Options changed = options_;
    if (auto error = options::setOption(changed, key, value)) {
      return error;
    }
    options_ = std::move(changed);
    changed_ = true;
    order = asked_.fetch_add(1) + 1;
  }
  awaitTaken(order);
  return std::nullopt;
}

void SettingsDesk::requestReset() {
  std::uint64_t order = 0;
  {
    const std::lock_guard lock(mutex_);
    reset_ = true;
    order = asked_.fetch_add(1) + 1;
  }
  awaitTaken(order);
}

void SettingsDesk::awaitTaken(std::uint64_t order) {
  if (wake_) {
    wake_();
  }
  std::unique_lock lock(mutex_);
  taken_.wait_for(lock, kPatience, [&] { return done_.load() >= order; });
}

options::Options SettingsDesk::current() const {
  const std::lock_guard lock(mutex_);
  return options_;
}

SettingsDesk::Order SettingsDesk::take() {
  const std::lock_guard lock(mutex_);
  takenUpTo_ = asked_.load();
  Order order;
  if (std::exchange(changed_, false)) {
    order.options = options_;
  }
  order.reset = std::exchange(reset_, false);
  return order;
}

void SettingsDesk::taken() {
  {
    const std::lock_guard lock(mutex_);
    done_.store(takenUpTo_);
  }
  taken_.notify_all();
}

}  // namespace hodor::agent
