#pragma once

#include <optional>
#include <string>
#include <utility>

#include "detectors/samples.h"
#include "signals/unread_source.h"

namespace hodor::signals {

// Decides when to look for unread requests: a look costs about 0.4 us a descriptor, and the thread
// that looks needs the very CPU that may be short.
//
// Not thread-safe.
class UnreadWatch {
 public:
  enum class Pace {
    kQuiet,       // no requests
    kNormal,      // requests, and no sign of trouble
    kSuspicious,  // look now
    kOverloaded,  // an overload is known: its end can wait, and each look costs a request
    kStorm,       // new connections are limited by what the looks say
  };

  explicit UnreadWatch(UnreadSource source = UnreadSource()) : source_(std::move(source)) {}

  // What the last look saw, now or earlier. Nothing if it failed.
  const std::optional<detectors::UnreadSample>& observe(Instant now, Pace pace);

  // As of the last look.
  [[nodiscard]] const ListeningSockets& listeners() const { return source_.listeners(); }
  [[nodiscard]] const std::string& lastError() const { return source_.lastError(); }

 private:
  static Duration periodOf(Pace pace);
  [[nodiscard]] bool due(Instant now, Pace pace) const;

  UnreadSource source_;
  std::optional<Instant> lastLook_;
  std::optional<detectors::UnreadSample> sample_;
};

}  // namespace hodor::signals
