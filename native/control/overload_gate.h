#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/cause.h"
#include "control/load_estimate.h"
#include "detectors/bands.h"
#include "detectors/momentary_value.h"
#include "detectors/time.h"

namespace hodor::control {

// Sees by the backlog what no single resource shows, and sooner: what is in the server already
// takes longer than clients usually wait. The signal is the wait of a newcomer beyond what is
// normal, by Little's law: backlog / capacity - healthy latency, if the backlog is big for this
// service and there is evidence that the service is the bottleneck, or what it waits for is.
// Control-law.md, section 4; its constants, unless a comment says otherwise.
//
// Not thread-safe; told the time; times that go back are unknown times.
class OverloadGate {
 public:
  struct Input {
    Instant now{};
    Duration elapsed{};  // since the last tick, > 0
    // That long on purpose: a tick that comes after it is not late.
    bool rested = false;
    // Requests in the server: in flight, and those that wait unread in the kernel.
    double backlog = 0;
    double effectiveCpus = 1;
    // What is normal, learned in healthy times: requests in flight, seconds. `learned`: enough of
    // it has been seen; false in a cold JVM, whose first requests take long.
    double healthyInFlight = 1;
    double healthyLatency = 0;
    bool learned = false;
    // Requests per second: the best that was seen lately, smoothed arrivals and completions.
    double bestThroughput = 0;
    double arrivals = 0;
    double completions = 0;
    // CPU time that the process uses, as a share of its effective CPUs, 0..1.
    double cpuUse = 0;
    // The CPUs are what the requests wait for.
    bool cpuBound = false;
    // Wait for a thread of the server, if known.
    std::optional<Duration> wait;
    // The JVM stood still in this tick: a pause is no backlog, and what it leaves drains.
    bool paused = false;
    // An overload goes on already.
    bool overloaded = false;
  };

  OverloadGate();

  // What is overloaded now: kNone, kCpu, kQueue, or kDownstream when requests pile up although
  // they wait neither for a CPU nor for a thread.
  Cause tick(const Input& input);

  // Whether the backlog speaks against the end of an overload.
  [[nodiscard]] bool quiet() const;
  // Whether the backlog gets smaller, or did just now: what a pause or a burst has left.
  [[nodiscard]] bool draining() const;
  // Seconds that a newcomer waits, by Little's law; 0 while that is not known.
  [[nodiscard]] double wait() const { return wait_; }
  // Seconds that a newcomer waits beyond what is normal; 0 while that is not known.
  [[nodiscard]] double excess() const { return excess_; }
  // "what is in the server needs 0.8 s more than normal, …".
  [[nodiscard]] std::string explain() const;

 private:
  // Windows of one length: in normal times, and shorter after an overload.
  struct Windows {
    explicit Windows(double scale);
    // Bands that a backlog which drains fulfils as well, and those that it does not.
    detectors::BandWindow slow;
    detectors::BandWindow fast;
  };

  [[nodiscard]] double signal(const Input& input) const;
  [[nodiscard]] double newcomersWait(const Input& input) const;
  void estimateCpuCapacity(const Input& input);
  void record(const Input& input);
  [[nodiscard]] bool fires(const Input& input) const;

  Windows normal_{1.0};
  Windows quick_;
  detectors::BandWindow cold_;
  Ewma arrivals_{std::chrono::seconds(1)};
  Ewma completions_{std::chrono::seconds(1)};
  // Requests that the process completes per second of CPU time of all its CPUs.
  Ewma perCpu_{std::chrono::seconds(3)};
  std::optional<Instant> overloadEnded_;
  std::optional<Instant> lateAt_;
  bool wasOverloaded_ = false;
  double wait_ = 0;
  double excess_ = 0;
  detectors::MomentaryValue momentary_;
  double signal_ = 0;
  double backlog_ = 0;
  int ticksAbove_ = 0;
  Instant now_{};
  std::optional<Instant> drainedAt_;
  // Backlog one and two ticks ago.
  double before_[2] = {0, 0};
};

}  // namespace hodor::control
