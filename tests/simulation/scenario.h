#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What is simulated. All times in seconds, rates per second.
namespace hodor::simulation {

enum class Spread { kFixed, kExponential, kLogNormal };

struct Service {
  double cpus = 4;
  // Of the pool; 0: each request has a thread of its own that waits for nobody (virtual threads).
  int threads = 200;
  // CPU time of a request.
  double work = 0.002;
  Spread spread = Spread::kExponential;
  // After it: waiting without a CPU, exponential.
  double io = 0;
  // After it: the use of one of so many connections, which takes `hold`, exponential. 0: none.
  int connections = 0;
  double hold = 0;
  // In-flight requests at which the heap is full: the share of time lost to collection is
  // 0.02 + 0.02 x / (1 - x), x = in flight / heapFull. 0: no such thing.
  double heapFull = 0;
  // What saying no costs.
  double rejection = 30e-6;
  // One thread (the selector) reads each request before anything is decided, and says no itself;
  // 0: that costs nothing and takes no time.
  double reading = 0;
  // And takes in new connections.
  double accepting = 0;
  // The first rejections of a JVM run in code that is not compiled: so many cost so much more.
  int coldRejections = 0;
  double coldFactor = 1;
  // Whether the agent sees run queues and waits for threads.
  bool hasSignals = true;
};

struct Clients {
  double deadline = 1;
  // Requests that were rejected or not answered in time are sent again, after 20 to 100 ms.
  int attempts = 1;
  // Whoever gives up closes the connection; the next request then needs a new one.
  bool reconnect = false;
};

// From `at` on.
struct Change {
  double at = 0;
  enum class What { kRate, kCpus, kHoldFactor } what = What::kRate;
  double value = 0;
};

// Nothing runs, but requests arrive.
struct Pause {
  double at = 0;
  double length = 0;
};

struct Scenario {
  std::string name;
  Service service;
  Clients clients;
  std::vector<Change> changes;
  std::vector<Pause> pauses;
  double end = 0;
  // Requests that arrive in this time are what the figures are about.
  double from = 0;
  double to = 0;
  // Requests per second that the service could answer in that time, at best.
  double limit = 0;
  std::uint64_t seed = 1;
};

struct Outcome {
  double arrivals = 0;
  double served = 0;    // in time
  double rejected = 0;  // dropped at dequeue included
  // First rejection after `from`, seconds; negative: none.
  double firstRejection = -1;
  // Of answered requests, seconds from arrival to the answer, late ones included.
  double p99 = 0;
  // The same of those that arrived 5 s after `from` or later.
  double settledP99 = 0;
  // Served in each second of the run.
  std::vector<double> servedPerSecond;

  [[nodiscard]] double share(const Scenario& scenario) const {
    return served / (scenario.to - scenario.from) / scenario.limit;
  }
};

}  // namespace hodor::simulation
