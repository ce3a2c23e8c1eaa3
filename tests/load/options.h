#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/load/schedule.h"

namespace hodor::load {

struct Options {
  // An address and a port of this machine's loopback; IPv6 as [::1]:8080.
  std::string targetHost;
  std::uint16_t targetPort = 0;

  // Open loop: when requests arrive. Empty in the closed loop.
  Schedule schedule;

  // Closed loop: so many connections that are always busy, for `closedLength`. 0 in the open loop.
  int closed = 0;
  Duration closedLength{0};

  std::string path = "/";
  std::vector<std::string> headers;  // "Name: value"

  // Addresses to connect from, in turn; each brings its own 28,000 ports.
  std::vector<std::string> sources;

  // A request without a complete answer so long after its scheduled time is lost.
  Duration timeout = std::chrono::seconds(1);

  // How a lost request's connection is closed: with a reset, or as a client does that gives up.
  bool closeByReset = false;

  // Open loop: how often a request that was not served is tried again at once, each time as one
  // more request with a deadline of its own.
  int retries = 0;

  std::uint64_t seed = 1;
  int maxConnections = 20'000;

  // A run is invalid if the generator's own lag had a p99 above this in any second.
  Duration lagLimit = std::chrono::milliseconds(5);

  bool live = false;
  std::string recordsFile;  // empty: none
  bool help = false;
};

// Parses the command line. On failure `error` says what was wrong and what would be right.
Options parseOptions(const std::vector<std::string>& arguments, std::string& error);

extern const char* const kUsage;

}  // namespace hodor::load
