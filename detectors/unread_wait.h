#pragma once

#include <cstdint>

#include "detectors/samples.h"

namespace hodor::detectors {

// What unread connections say of the requests that wait in the kernel.
struct UnreadWait {
  // Requests that wait to be read; connections that nobody has accepted not among them.
  double requests = 0;
  // How long the first of them does.
  Duration oldest{};
  // How long the slower of them wait; 0 if there are too few of them to say.
  Duration wait{};
};

// Not each unread connection is a request that waits for the server. Not counted are
// - what nobody has read for a minute: no client waits that long, so it is a connection that the
//   application has forgotten, or a stream that it holds back;
// - the oldest so many as there are requests in flight: each may be a body that a handler has not
//   asked for yet. Unless `poolWaits`, because then these are requests indeed.
// The wait is that of the k-th oldest of the rest, with k = 4, or 2 % of the connections if that is
// more: fewer than k connections may be stuck for as long as they like, and say nothing of the
// others. It is about the 95th to 99th percentile of the waits, as the oldest of all is (the median
// age is half of a typical wait, for it is taken in the middle of it).
UnreadWait unreadWait(const UnreadSample& sample, std::int64_t inFlight, bool poolWaits);

}  // namespace hodor::detectors
