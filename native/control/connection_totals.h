#pragma once

#include <cstdint>

namespace hodor::control {

// What became of new connections, since the start; each number only grows, but for the shares.
struct ConnectionTotals {
  std::uint64_t accepted = 0;
  // Attempts that the kernel was made to drop.
  std::uint64_t dropped = 0;
  // Monitor: connections that would have been dropped.
  std::uint64_t wouldDrop = 0;
  // Share of the new ones that pass now, or would: 0..1.
  double passing = 1;
  // Share of the rejections that close their connections: 0..1.
  double closing = 0;
};

}  // namespace hodor::control
