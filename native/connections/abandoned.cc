#include "connections/abandoned.h"

#include "detectors/time.h"
#include "signals/socket_queries.h"

namespace hodor::connections {

namespace {
// Half of what impatient clients wait, and what is dropped at a pool's queue at the latest.
constexpr Duration kTooOld = std::chrono::milliseconds(500);
}  // namespace

bool isAbandoned(int descriptor, options::Abandoned which) {
  if (which == options::Abandoned::kNone || descriptor < 0) {
    return false;
  }
  switch (signals::peerOf(descriptor)) {
    case signals::Peer::kReset:
      return true;
    case signals::Peer::kClosed:
      if (which == options::Abandoned::kClosed) {
        return true;
      }
      break;
    case signals::Peer::kThere:
      break;
    case signals::Peer::kUnknown:
      return false;
  }
  return signals::sinceLastData(descriptor).value_or(Duration::zero()) > kTooOld;
}

}  // namespace hodor::connections
