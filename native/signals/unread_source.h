#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "detectors/samples.h"
#include "signals/descriptor_range.h"
#include "signals/listening_sockets.h"

namespace hodor::signals {

// Requests that wait in the kernel: connections of the process's own listeners on which something
// has arrived that nobody has read, and for how long. It sees every queue in front of an HTTP/1.1
// engine, whichever engine it is: selectors that get no CPU, a pool without a free thread, an
// accept queue. HTTP/2 engines read at once, so that there is nothing to see.
//
// A look asks the kernel about each descriptor of the process, about 0.4 us for each, and keeps
// nothing open. Of more than kMostPerLook of them it asks about an even part and says so by
// `scale`.
//
// Not thread-safe.
class UnreadSource {
 public:
  // Descriptors asked about in one look.
  static constexpr int kMostPerLook = 2000;
  // More than a request without a body has: a body that the application leaves unread for now.
  static constexpr std::uint32_t kMostUnread = 8 * 1024;

  // `mostPerLook` > 0.
  explicit UnreadSource(std::string processRoot = "/proc/self", int mostPerLook = kMostPerLook)
      : range_(std::move(processRoot)), mostPerLook_(mostPerLook) {}

  std::optional<detectors::UnreadSample> look(Instant now);

  // Of this process, as of the last look.
  [[nodiscard]] const ListeningSockets& listeners() const { return listeners_; }
  // Descriptors open at the last look, about.
  [[nodiscard]] int descriptors() const { return open_; }
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  [[nodiscard]] int partsOf(int end) const;
  // Of one of our listeners.
  [[nodiscard]] bool isConnection(int descriptor) const;
  static void addUnread(int descriptor, detectors::UnreadSample& sample);

  DescriptorRange range_;
  ListeningSockets listeners_;
  int mostPerLook_;
  int open_ = 0;
  int turn_ = 0;
  std::string lastError_;
};

}  // namespace hodor::signals
