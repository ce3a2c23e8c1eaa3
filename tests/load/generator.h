#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "tests/load/arrivals.h"
#include "tests/load/connection.h"
#include "tests/load/ledger.h"
#include "tests/load/options.h"
#include "tests/load/report.h"

namespace hodor::load {

// Drives the load: says when requests are sent, gives up on them at their deadline, counts them.
// Everything runs on the thread that calls run().
class Generator final : OutcomeListener {
 public:
  Generator(const Options& options, Report& report);

  // Runs the whole load; true if the run is valid.
  bool run();

 private:
  void onOutcome(Request& request, Outcome outcome) override;

  Duration now() const;
  void start(Duration scheduled, Duration now, int retries = 0);
  void retry(const Request& request, Duration now);
  void settle(Request& request, Outcome outcome, Duration now);
  void pump();
  void sendDue(Duration now);
  void giveUpDue(Duration now);
  void tick(Duration now);
  void printSettled(Duration now);
  bool finished() const;
  void arm(Duration now);
  RunFacts facts() const;

  const Options& options_;
  Report& report_;
  boost::asio::io_context io_;
  boost::asio::steady_timer timer_;
  ConnectionPool pool_;
  ArrivalProcess arrivals_;
  Duration length_;
  Ledger ledger_;
  std::chrono::steady_clock::time_point origin_;
  std::optional<Duration> nextArrival_;
  std::deque<Duration> restarts_;  // closed loop: when connections that failed try again
  std::deque<Request> requests_;   // in scheduled order; the oldest is undecided
  Duration nextTick_{0};
  std::uint64_t offered_ = 0;
  Tally decided_;  // all so far, in the order of their decision; outcomes only
  Tally total_;
  Duration worstLagP99_{0};
  Duration cpuAtSecond_{0};
  Duration wallAtSecond_{0};
  double cpuShareOfWorst_ = 0;
};

}  // namespace hodor::load
