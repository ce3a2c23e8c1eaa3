#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hodor::control {

// What an overload is blamed on: the detector with the worst verdict, or the downstream if requests
// pile up that wait for nothing which a detector watches. The order is the order in the metrics
// page, in rejection codes and among equally bad verdicts (the later one is named).
enum class Cause : std::uint8_t { kNone, kHeartbeat, kDownstream, kQueue, kCpu, kGc };

inline constexpr std::array<std::string_view, 6> kCauseNames = {"none",  "heartbeat", "downstream",
                                                                "queue", "cpu",       "gc"};

inline constexpr std::size_t kCauseCount = kCauseNames.size();

constexpr std::string_view nameOf(Cause cause) {
  return kCauseNames[static_cast<std::size_t>(cause)];
}

}  // namespace hodor::control
