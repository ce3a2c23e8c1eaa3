#include "signals/unread_source.h"

#include <algorithm>
#include <functional>

#include "signals/socket_queries.h"

namespace hodor::signals {

namespace {
// A closed number costs a quarter of an open one.
constexpr int kClosedPerOpen = 4;
}  // namespace

int UnreadSource::partsOf(int end) const {
  const auto parts = [](int numbers, int most) { return (numbers + most - 1) / most; };
  const int needed = std::max(parts(std::min(open_, end), mostPerLook_),
                              parts(end, kClosedPerOpen * mostPerLook_));
  // Odd: where connections to clients and to a backend take turns, each part has some of both.
  return std::max(needed, 1) | 1;
}

std::optional<detectors::UnreadSample> UnreadSource::look(Instant now) {
  const std::optional<int> end = range_.end(now);
  if (!end) {
    lastError_ = range_.lastError();
    return std::nullopt;
  }
  listeners_.update(now, *end, open_);

  detectors::UnreadSample sample;
  sample.acceptQueue = listeners_.acceptQueue();
  sample.acceptQueueFor = listeners_.acceptQueueFor();
  const int parts = partsOf(*end);
  sample.scale = parts;
  int open = 0;
  int connections = 0;
  turn_ = (turn_ + 1) % parts;
  for (int descriptor = turn_; descriptor < *end; descriptor += parts) {
    const ReceiveMemory memory = receiveMemory(descriptor);
    if (memory.answer == SocketAnswer::kClosed) {
      continue;
    }
    ++open;
    if (memory.answer == SocketAnswer::kNoSocket || !isConnection(descriptor)) {
      continue;
    }
    if (memory.answer == SocketAnswer::kRefused) {
      lastError_ = "the kernel does not tell what a socket has not read (SO_MEMINFO)";
      return std::nullopt;
    }
    ++connections;
    if (memory.bytes > 0) {
      addUnread(descriptor, sample);
    }
  }
  open_ = open * parts;
  sample.connections = connections * sample.scale;
  std::sort(sample.ages.begin(), sample.ages.end(), std::greater<>());
  return sample;
}

bool UnreadSource::isConnection(int descriptor) const {
  const auto port = localPort(descriptor);
  return port && listeners_.hasPort(*port) && !listeners_.contains(descriptor);
}

void UnreadSource::addUnread(int descriptor, detectors::UnreadSample& sample) {
  const auto bytes = unreadBytes(descriptor);
  if (!bytes || *bytes == 0 || *bytes > kMostUnread) {
    return;
  }
  if (const auto age = sinceLastData(descriptor)) {
    sample.ages.push_back(*age);
  }
}

}  // namespace hodor::signals
