#include "control/overload_gate.h"

#include <algorithm>
#include <cstdio>

namespace hodor::control {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Half of the usual deadline of clients, 1 s: in two ticks, whatever their length.
constexpr double kHalfDeadline = 0.5;
constexpr int kTicks = 2;
// Below this nothing counts, and below a share of it the backlog is quiet.
constexpr double kLeast = 0.05;

constexpr double kNormalInFlight = 3;  // times the healthy concurrency
constexpr double kNormalPerCpu = 2;    // requests per CPU that are never many
constexpr double kNormalLatency = 2.5;
constexpr double kWaitEvidence = 0.010;  // seconds
constexpr double kWaitAlone = 0.05;      // seconds: needs no estimate beside it
constexpr double kNothingCompletes = 1;  // requests per second
constexpr double kPilingUp = 1.1;        // arrivals per completion
// Less than this share of the backlog of two ticks ago: it drains.
constexpr double kDraining = 0.97;

// What came while the process was stopped takes some ticks to begin to drain: so long the bands
// alone decide.
constexpr Duration kWorkOff = seconds(1);

constexpr Duration kAlertAfter = seconds(30);
constexpr double kAlertScale = 0.3;
// CPU use from which completions per CPU time say what a full CPU completes.
constexpr double kUseToLearn = 0.2;

milliseconds scaled(milliseconds time, double scale) {
  return std::chrono::duration_cast<milliseconds>(time * scale);
}

}  // namespace

OverloadGate::Windows::Windows(double scale)
    : slow({{kLeast, scaled(seconds(10), scale)}, {0.1, scaled(seconds(3), scale)}}),
      fast({{0.2, scaled(seconds(1), scale)}}) {}

OverloadGate::OverloadGate()
    : quick_(kAlertScale),
      // The first requests of a JVM take seconds; a storm lasts.
      cold_({{kHalfDeadline, seconds(2)}}) {}

void OverloadGate::estimateCpuCapacity(const Input& input) {
  if (input.cpuUse >= kUseToLearn && input.completions > 0 && !input.paused) {
    perCpu_.add(input.completions / std::min(input.cpuUse, 1.0), input.elapsed);
  }
}

double OverloadGate::newcomersWait(const Input& input) const {
  // At half load the best throughput is half of what the CPUs could do. Where requests wait for
  // something else the CPU says nothing about the capacity.
  const double capacity =
      input.cpuBound ? std::max(input.bestThroughput, perCpu_.value()) : input.bestThroughput;
  return capacity > 0 ? input.backlog / capacity : 0;
}

double OverloadGate::signal(const Input& input) const {
  const double wait = input.wait ? toSeconds(*input.wait) : 0;
  // A small pool of which every thread is stuck holds few.
  const bool stuck =
      input.backlog > 0 && wait > kHalfDeadline && input.completions < kNothingCompletes;
  const bool many = input.backlog > kNormalPerCpu * input.effectiveCpus || stuck;
  const bool manyForThis = many && input.backlog > kNormalInFlight * input.healthyInFlight;
  const bool big = manyForThis && wait_ > kNormalLatency * input.healthyLatency;
  const bool pilingUp = manyForThis && arrivals_.value() > kPilingUp * completions_.value();
  const bool evidence = input.cpuBound || wait > kWaitEvidence || pilingUp;
  double signal = big && evidence ? excess_ : 0;
  if (many && wait > kWaitAlone) {
    signal = std::max(signal, wait);
  }
  return signal;
}

void OverloadGate::record(const Input& input) {
  const bool draining = input.backlog < kDraining * before_[1];
  if (draining) {
    drainedAt_ = input.now;
  }
  before_[1] = before_[0];
  before_[0] = input.backlog;
  const double sudden = draining ? 0 : signal_;
  if (input.elapsed > detectors::MomentaryValue::kLate && !input.rested) {
    lateAt_ = input.now;
  }
  const bool workingOff = lateAt_ && input.now - *lateAt_ < kWorkOff;
  ticksAbove_ = sudden > kHalfDeadline && !workingOff ? ticksAbove_ + 1 : 0;
  for (Windows* windows : {&normal_, &quick_}) {
    windows->slow.record(input.now, input.elapsed, signal_);
    windows->fast.record(input.now, input.elapsed, sudden);
  }
  cold_.record(input.now, input.elapsed, sudden);
}

bool OverloadGate::draining() const {
  // By chance more may come than leaves, for some ticks.
  constexpr Duration kChance = std::chrono::milliseconds(300);
  return drainedAt_ && now_ - *drainedAt_ <= kChance;
}

bool OverloadGate::fires(const Input& input) const {
  if (!input.learned) {
    return cold_.firingBand() > 0;
  }
  const bool alert = overloadEnded_ && input.now - *overloadEnded_ < kAlertAfter;
  const Windows& windows = alert ? quick_ : normal_;
  return ticksAbove_ >= kTicks || windows.fast.firingBand() > 0 || windows.slow.firingBand() > 0;
}

Cause OverloadGate::tick(const Input& input) {
  if (wasOverloaded_ && !input.overloaded) {
    overloadEnded_ = input.now;
  }
  wasOverloaded_ = input.overloaded;
  arrivals_.add(input.arrivals, input.elapsed);
  completions_.add(input.completions, input.elapsed);
  estimateCpuCapacity(input);
  now_ = input.now;
  backlog_ = input.backlog;
  wait_ = newcomersWait(input);
  excess_ = std::max(wait_ - input.healthyLatency, 0.0);
  signal_ = momentary_.over(input.elapsed, input.paused ? 0 : signal(input));
  record(input);
  if (!fires(input)) {
    return Cause::kNone;
  }
  if (input.cpuBound) {
    return Cause::kCpu;
  }
  const bool waiting = input.wait && toSeconds(*input.wait) > kWaitEvidence;
  return waiting ? Cause::kQueue : Cause::kDownstream;
}

bool OverloadGate::quiet() const { return signal_ < detectors::kRecoveryShare * kLeast; }

std::string OverloadGate::explain() const {
  char text[160];
  std::snprintf(text, sizeof text,
                "%.0f requests in the server, which need %.2f s more than normal; fires from %g s "
                "at once, from %g s for 10 s",
                backlog_, signal_ > 0 ? signal_ : excess_, kHalfDeadline, kLeast);
  return text;
}

}  // namespace hodor::control
