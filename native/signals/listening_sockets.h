#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "detectors/time.h"

namespace hodor::signals {

// The listening TCP sockets of this process, of whichever server in it: their ports, and the
// connections that wait to be accepted. Sockets are looked for among all descriptors at first, when
// the number of descriptors has moved or a listener has gone, and every 10 s; a search costs 0.15
// us a descriptor.
//
// Not thread-safe.
class ListeningSockets {
 public:
  // `end`: one more than the highest descriptor; `open`: how many are open, as far as is known.
  void update(Instant now, int end, int open);

  [[nodiscard]] bool hasPort(std::uint16_t port) const;
  [[nodiscard]] bool contains(int descriptor) const;
  // Sorted.
  [[nodiscard]] const std::vector<int>& descriptors() const { return listeners_; }
  // Connections that wait to be accepted, over all listeners.
  [[nodiscard]] std::uint64_t acceptQueue() const { return acceptQueue_; }
  // For how long there has been one at every call: none of them waits for longer. When each was
  // established is not known.
  [[nodiscard]] Duration acceptQueueFor() const { return acceptQueueFor_; }

 private:
  [[nodiscard]] bool searchDue(Instant now, int end, int open) const;
  void search(int end);
  void readAcceptQueues(Instant now);

  // Both sorted.
  std::vector<int> listeners_;
  std::vector<std::uint16_t> ports_;
  std::optional<Instant> lastSearch_;
  int openAtSearch_ = 0;
  bool lost_ = false;
  std::uint64_t acceptQueue_ = 0;
  std::optional<Instant> lastEmpty_;
  Duration acceptQueueFor_{};
};

}  // namespace hodor::signals
