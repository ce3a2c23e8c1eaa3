#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/load/connection.h"
#include "tests/load/ledger.h"
#include "tests/load/options.h"

namespace hodor::load {

// What is known beside the counts when a run ends.
struct RunFacts {
  double cpuShare = 0;         // of one CPU, whole run
  double cpuShareOfWorst = 0;  // the same, of the worst second
  int mostConnections = 0;
  Duration worstLagP99{0};  // of all seconds
  std::vector<std::string> invalidBecause;
};

// JSON lines on standard output, each flushed at once, and the records file.
class Report {
 public:
  explicit Report(const Options& options) : options_(options) {}
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  // Creates the records file, if one is asked for; false if that fails (errno says why).
  bool openRecords();

  void started(std::int64_t epochMillis);
  void second(std::int64_t second, const Tally& tally);
  void live(Duration now, std::uint64_t offered, const Tally& decided, int connections);
  void summary(const Tally& total, const RunFacts& facts);
  void record(const Request& request);

  // Writes out the records file; false if any of it could not be written (errno says why).
  bool closeRecords();

 private:
  const Options& options_;
  std::FILE* records_ = nullptr;
};

}  // namespace hodor::load
