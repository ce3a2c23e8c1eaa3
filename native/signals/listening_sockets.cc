#include "signals/listening_sockets.h"

#include <algorithm>

#include "signals/socket_queries.h"

namespace hodor::signals {

namespace {

constexpr Duration kShortestPeriod = std::chrono::seconds(1);
constexpr Duration kLongestPeriod = std::chrono::seconds(10);
// More descriptors, rarer searches: their cost stays below 0.03 % of a CPU.
constexpr Duration kPeriodPerDescriptor = std::chrono::microseconds(500);

}  // namespace

void ListeningSockets::update(Instant now, int end, int open) {
  if (searchDue(now, end, open)) {
    lastSearch_ = now;
    openAtSearch_ = open;
    search(end);
  }
  readAcceptQueues(now);
}

bool ListeningSockets::searchDue(Instant now, int end, int open) const {
  if (!lastSearch_) {
    return true;
  }
  const Duration since = now - *lastSearch_;
  const Duration floor = std::max(kShortestPeriod, end * kPeriodPerDescriptor);
  return since >= std::max(kLongestPeriod, floor) ||
         (since >= floor && (lost_ || open != openAtSearch_));
}

void ListeningSockets::search(int end) {
  lost_ = false;
  listeners_.clear();
  ports_.clear();
  for (int descriptor = 0; descriptor < end; ++descriptor) {
    if (!isListening(descriptor)) {
      continue;
    }
    const auto port = localPort(descriptor);
    if (port && acceptQueueLength(descriptor)) {
      listeners_.push_back(descriptor);
      ports_.push_back(*port);
    }
  }
  std::sort(ports_.begin(), ports_.end());
  ports_.erase(std::unique(ports_.begin(), ports_.end()), ports_.end());
}

void ListeningSockets::readAcceptQueues(Instant now) {
  acceptQueue_ = 0;
  const auto gone = [this](int descriptor) {
    const auto length = acceptQueueLength(descriptor);
    acceptQueue_ += length.value_or(0);
    return !length;
  };
  lost_ = std::erase_if(listeners_, gone) > 0 || lost_;
  if (acceptQueue_ == 0 || !lastEmpty_) {
    lastEmpty_ = now;
  }
  acceptQueueFor_ = now - *lastEmpty_;
}

bool ListeningSockets::hasPort(std::uint16_t port) const {
  return std::binary_search(ports_.begin(), ports_.end(), port);
}

bool ListeningSockets::contains(int descriptor) const {
  return std::binary_search(listeners_.begin(), listeners_.end(), descriptor);
}

}  // namespace hodor::signals
