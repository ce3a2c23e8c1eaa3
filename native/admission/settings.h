#pragma once

#include <algorithm>
#include <cstdint>

#include "detectors/time.h"

namespace hodor::admission {

// What happens to a request that the law does not want.
enum class Action : std::uint8_t {
  kOff,      // everything is admitted and nothing is counted
  kCount,    // monitor: admitted, and counted as one that would have been rejected
  kEnforce,  // rejected
};

// How the law wants requests to be chosen.
enum class Rule : std::uint8_t {
  kAdmitAll,  // no overload
  kLimit,     // reject while `limit` requests are in flight
  kShare,     // reject a share of the requests, evenly spread
};

// What the control tick publishes to the request threads. Packed into one word, so that a request
// sees all of it or none.
struct AdmissionSettings {
  Action action = Action::kOff;
  Rule rule = Rule::kAdmitAll;
  // Ordinal of the cause of the overload, handed back with each rejection; 0..15.
  std::uint8_t cause = 0;
  // kLimit: requests in flight, 0..kMaxLimit.
  std::uint32_t limit = 0;
  // kShare: 0..1, kept with 24 bits.
  double share = 0;

  static constexpr std::uint32_t kMaxLimit = (1U << 24U) - 1;

  [[nodiscard]] constexpr std::uint64_t pack() const {
    const auto shareBits =
        static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kMaxLimit));
    return static_cast<std::uint64_t>(action) | static_cast<std::uint64_t>(rule) << 2U |
           static_cast<std::uint64_t>(cause & 15U) << 4U |
           static_cast<std::uint64_t>(std::min(limit, kMaxLimit)) << 8U | shareBits << 32U;
  }

  static constexpr AdmissionSettings unpack(std::uint64_t word) {
    AdmissionSettings settings;
    settings.action = static_cast<Action>(word & 3U);
    settings.rule = static_cast<Rule>(word >> 2U & 3U);
    settings.cause = static_cast<std::uint8_t>(word >> 4U & 15U);
    settings.limit = static_cast<std::uint32_t>(word >> 8U & kMaxLimit);
    settings.share = static_cast<double>(word >> 32U & kMaxLimit) / static_cast<double>(kMaxLimit);
    return settings;
  }
};

}  // namespace hodor::admission
