#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hodor::control {

// What the concurrency law did with its limit in a tick, and for what. The order is the order in
// the metrics page.
enum class LawStep : std::uint8_t {
  kIdle,      // no overload: there is no limit
  kDraining,  // the backlog of before the limit still drains: nothing is measured
  kSettling,  // it has drained just now, and is measured anew
  kSteady,
  kGrown,
  kTrial,        // raised, to see whether more is served then
  kTrialFailed,  // it was not: back to what it was
  kCutRunQueue,
  kCutQueueWait,
  kCutUnread,
  kCutGc
};

inline constexpr std::array<std::string_view, 11> kLawStepNames = {
    "idle",         "draining",      "settling",       "steady",     "grown", "trial",
    "trial-failed", "cut-run-queue", "cut-queue-wait", "cut-unread", "cut-gc"};

}  // namespace hodor::control
