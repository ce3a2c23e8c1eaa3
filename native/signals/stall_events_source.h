#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "detectors/time.h"

namespace hodor::signals {

// How long threads waited for memory, as a flight recording says it event by event. Events come in
// batches, about one second's at a time, so what they say is handed on over about a second.
class StallEventsSource {
 public:
  // One event; zero: the recording has begun. Any thread. False: nonsense, not counted.
  bool add(Duration waited);

  // The sum of what threads waited, up to about a second ago; nothing before the recording has
  // begun. `elapsed` since the last call. One thread.
  std::optional<Duration> take(Duration elapsed);

 private:
  static constexpr std::int64_t kNotBegun = -1;

  std::atomic<std::int64_t> nanos_{kNotBegun};
  // By take().
  double handedOn_ = 0;
};

}  // namespace hodor::signals
