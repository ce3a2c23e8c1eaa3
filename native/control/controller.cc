#include "control/controller.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace hodor::control {

namespace {

constexpr std::array<Cause, 5> kCauses = {Cause::kHeartbeat, Cause::kDownstream, Cause::kQueue,
                                          Cause::kCpu, Cause::kGc};

constexpr std::size_t index(Cause cause) { return static_cast<std::size_t>(cause); }

admission::Action actionOf(options::Mode mode) {
  switch (mode) {
    case options::Mode::kOff:
      break;
    case options::Mode::kMonitor:
      return admission::Action::kCount;
    case options::Mode::kEnforce:
      return admission::Action::kEnforce;
  }
  return admission::Action::kOff;
}

}  // namespace

Controller::Controller(const options::Options& options)
    : options_(options),
      heartbeat_(options.heartbeat),
      cpu_(options.cpuBands),
      gc_(options.gcBands),
      queue_(options.queueBands) {}

void Controller::reconfigure(const options::Options& options) {
  if (options.heartbeat != options_.heartbeat) {
    heartbeat_ = detectors::HeartbeatDetector(options.heartbeat);
  }
  if (options.cpuBands != options_.cpuBands) {
    cpu_ = detectors::CpuDetector(options.cpuBands);
  }
  if (options.gcBands != options_.gcBands) {
    gc_ = detectors::GcDetector(options.gcBands);
  }
  if (options.queueBands != options_.queueBands) {
    queue_ = detectors::QueueDetector(options.queueBands);
  }
  options_ = options;
}

bool Controller::injected(Cause cause) const {
  return std::find(options_.inject.begin(), options_.inject.end(), nameOf(cause)) !=
         options_.inject.end();
}

void Controller::detect(const TickInput& input) {
  const Verdicts before = verdicts_;
  observe(input);
  watchBacklog(input);
  for (const Cause cause : kCauses) {
    detectors::Verdict& verdict = verdicts_[index(cause)];
    if (injected(cause)) {
      verdict.firing = true;
      verdict.quiet = false;
      verdict.band = std::max(verdict.band, 1);
    }
    if (verdict.firing && !before[index(cause)].firing) {
      ++firings_[index(cause)];
    }
  }
}

void Controller::observe(const TickInput& input) {
  verdicts_[index(Cause::kHeartbeat)] = heartbeat_.observe(input.elapsed, input.heartbeat);
  if (input.cpuRead) {
    verdicts_[index(Cause::kCpu)] = cpu_.observe(input.now, input.cpu);
    runQueue_ = verdicts_[index(Cause::kCpu)].stale
                    ? std::nullopt
                    : std::optional(verdicts_[index(Cause::kCpu)].value);
  } else if (!runQueue_) {
    verdicts_[index(Cause::kCpu)] = detectors::Verdict{};
  }
  verdicts_[index(Cause::kGc)] = gc_.observe(input.now, input.gc);
  verdicts_[index(Cause::kQueue)] =
      queue_.observe(input.now, input.elapsed, input.queue, input.unread, input.totals.inFlight());
}

Duration Controller::pausedIn(const TickInput& input) const {
  return input.gc && lastGc_ ? input.gc->pausedTotal - lastGc_->pausedTotal : Duration::zero();
}

void Controller::watchBacklog(const TickInput& input) {
  constexpr double kRunQueue = 1;
  constexpr double kBusy = 0.95;
  const LoadEstimate& load = concurrency_.load();
  OverloadGate::Input gate;
  gate.now = input.now;
  gate.elapsed = input.elapsed;
  gate.rested = input.rested;
  gate.backlog = static_cast<double>(std::max<std::int64_t>(input.totals.inFlight(), 0)) +
                 queue_.requestsInKernel();
  gate.effectiveCpus = input.effectiveCpus;
  gate.healthyInFlight = concurrency_.healthyInFlight();
  gate.healthyLatency = concurrency_.healthyLatency();
  gate.learned = concurrency_.learned();
  gate.bestThroughput = load.bestThroughput();
  gate.arrivals = load.arrivals();
  gate.completions = load.throughput();
  gate.cpuUse = input.cpuUse;
  gate.cpuBound = runQueue_.value_or(0) > kRunQueue || input.cpuUse > kBusy;
  if (const detectors::Verdict& queue = verdicts_[index(Cause::kQueue)]; !queue.stale) {
    gate.wait = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double, std::milli>(queue.value));
  }
  gate.paused = pausedIn(input) > Duration::zero();
  gate.overloaded = state_.overloaded();
  gateCause_ = gate_.tick(gate);

  detectors::Verdict& downstream = verdicts_[index(Cause::kDownstream)];
  downstream = {
      .value = gate_.excess(), .band = 0, .firing = false, .stale = false, .quiet = gate_.quiet()};
  if (gateCause_ != Cause::kNone) {
    detectors::Verdict& verdict = verdicts_[index(gateCause_)];
    verdict.firing = true;
    verdict.quiet = false;
    verdict.band = std::max(verdict.band, 1);
  }
}

const std::vector<detectors::Band>* Controller::bandsOf(Cause cause) const {
  switch (cause) {
    case Cause::kQueue:
      return &options_.queueBands;
    case Cause::kCpu:
      return &options_.cpuBands;
    case Cause::kGc:
      return &options_.gcBands;
    case Cause::kNone:
    case Cause::kHeartbeat:
    case Cause::kDownstream:
      break;
  }
  return nullptr;
}

bool Controller::isOfBand(Cause cause, Duration longest) const {
  const std::vector<detectors::Band>* const bands = bandsOf(cause);
  const int band = verdicts_[index(cause)].band;
  return bands != nullptr && band > 0 && static_cast<std::size_t>(band) <= bands->size() &&
         (*bands)[static_cast<std::size_t>(band) - 1].duration <= longest;
}

bool Controller::isSevere(Cause cause) const {
  // Bands so short are there for what cannot wait.
  return isOfBand(cause, std::chrono::seconds(1));
}

bool Controller::passes(Cause cause) const {
  // What a burst or a pause has left is deep, and gone in a second or two.
  constexpr Duration kBrief = std::chrono::seconds(2);
  return (cause == Cause::kCpu || cause == Cause::kQueue) && cause != gateCause_ &&
         gate_.draining() && isOfBand(cause, kBrief);
}

Verdicts Controller::confirmed(const TickInput& input, const LawInput& law) {
  constexpr Duration kSevereDelay = std::chrono::milliseconds(300);
  LatencyConfirmation::Input latency;
  latency.now = input.now;
  latency.answers = law.load.successes;
  latency.latency = law.load.latency;
  latency.waiting = std::max(gate_.wait(), law.queueWait ? toSeconds(*law.queueWait) : 0);
  if (concurrency_.learned()) {
    latency.healthyLatency = concurrency_.healthyLatency();
  }
  const bool any = options_.confirm == options::Confirm::kNone;
  const bool suffering = confirmation_.tick(latency) || any;
  // Threads wait for the CPU in queues of several at nine tenths of what it can, too.
  const bool onlyBusy = confirmation_.isSlight() && !any;
  Verdicts counting = verdicts_;
  for (const Cause cause : kCauses) {
    Duration& severe = severe_[index(cause)];
    severe = verdicts_[index(cause)].firing && isSevere(cause) ? severe + input.elapsed
                                                               : Duration::zero();
    // The gate's signal is latency itself; what goes on is not judged by the latency that shedding
    // has mended.
    const bool counts = (suffering && !(onlyBusy && cause == Cause::kCpu)) || state_.overloaded() ||
                        cause == gateCause_ || injected(cause) || severe > kSevereDelay;
    unconfirmed_[index(cause)] = verdicts_[index(cause)].firing && !counts;
    passing_[index(cause)] =
        verdicts_[index(cause)].firing && passes(cause) && !state_.overloaded() && !injected(cause);
    counting[index(cause)].firing =
        verdicts_[index(cause)].firing && counts && !passing_[index(cause)];
  }
  return counting;
}

LawInput Controller::lawInput(const TickInput& input) {
  const admission::AdmissionTotals& totals = input.totals;
  const admission::AdmissionTotals before = lastTotals_.value_or(totals);
  lastTotals_ = totals;

  LawInput law;
  law.now = input.now;
  law.load.elapsed = input.elapsed;
  law.load.inFlightNow = std::max<std::int64_t>(totals.inFlight(), 0);
  law.load.inFlight = input.inFlightMean.value_or(static_cast<double>(law.load.inFlightNow));
  law.load.arrivals = totals.arrivals() - before.arrivals();
  law.load.successes = totals.completed - before.completed;
  law.load.completions = law.load.successes + totals.failed - before.failed;
  law.load.latency = totals.latency - before.latency;
  law.rejecting = totals.rejected != before.rejected || totals.wouldReject != before.wouldReject ||
                  totals.dropped != before.dropped;

  const Duration paused = pausedIn(input);
  // One pause is much of a short time, and what is over is still much of a long one.
  if (const auto lately = gc_.lost(std::chrono::seconds(1))) {
    law.gcShare = std::min(*lately, gc_.lost(std::chrono::milliseconds(300)).value_or(*lately));
  }
  gcShare_ = law.gcShare;
  lastGc_ = input.gc;

  for (const Cause cause : kCauses) {
    law.pressure = law.pressure || !verdicts_[index(cause)].quiet;
  }
  law.healthy = !law.pressure && paused <= Duration::zero() && runQueue_.value_or(0) < 1;
  law.runQueue = runQueue_;
  if (input.queue) {
    law.queueWait = input.queue->wait;
  }
  law.unreadWait = queue_.waitInKernel();
  law.connectionsLimited = input.connectionsPassed < 1;
  law.cpuUse = input.cpuUse;
  law.effectiveCpus = input.effectiveCpus;
  return law;
}

void Controller::limitConnections(const TickInput& input, const LawInput& law,
                                  std::uint64_t rejected) {
  if (options_.connections == options::Switch::kOff || !input.connectionsOpened) {
    connections_ = {};
    lastOpened_.reset();
    return;
  }
  ConnectionLaw::Input connections;
  connections.now = input.now;
  connections.elapsed = input.elapsed;
  connections.overloaded = state_.overloaded();
  connections.unreadWait = toSeconds(queue_.waitInKernel());
  connections.opened = *input.connectionsOpened - lastOpened_.value_or(*input.connectionsOpened);
  if (input.unread && input.unread->acceptQueue > 0) {
    // Little's law, and none waits for longer than there has been one.
    const double opened = std::max<double>(static_cast<double>(connections.opened), 1);
    connections.acceptWait =
        std::min(static_cast<double>(input.unread->acceptQueue) / opened * toSeconds(input.elapsed),
                 toSeconds(input.unread->acceptQueueFor));
  }
  connections.passed = input.connectionsPassed;
  connections.rejected = rejected;
  connections.gcShare = law.gcShare;
  connections.throughput = concurrency_.load().bestThroughput();
  connections.cpuUse = input.cpuUse;
  connections.effectiveCpus = input.effectiveCpus;
  connections_.tick(connections);
  lastOpened_ = input.connectionsOpened;
}

admission::AdmissionSettings Controller::tick(const TickInput& input) {
  const std::uint64_t rejectedBefore = (lastTotals_ ? *lastTotals_ : input.totals).refused();
  detect(input);
  LawInput law = lawInput(input);
  state_.tick(input.now, confirmed(input, law), law.rejecting);
  law.overloaded = state_.overloaded();
  limit_ = concurrency_.tick(law);
  dropShare_ = percentage_.tick(law);
  limitConnections(input, law, input.totals.refused() - rejectedBefore);
  if (options_.strategy == options::Strategy::kConcurrency) {
    dropShare_.reset();
  } else {
    limit_.reset();
  }
  return settings();
}

admission::AdmissionSettings Controller::settings() const {
  admission::AdmissionSettings settings;
  settings.action = actionOf(options_.mode);
  settings.cause = static_cast<std::uint8_t>(state_.cause());
  if (limit_) {
    settings.rule = admission::Rule::kLimit;
    settings.limit = *limit_;
  } else if (dropShare_) {
    settings.rule = admission::Rule::kShare;
    settings.share = *dropShare_;
  }
  return settings;
}

bool Controller::isCalm() const {
  return !state_.overloaded() && std::all_of(kCauses.begin(), kCauses.end(), [this](Cause cause) {
    return verdicts_[index(cause)].quiet;
  });
}

std::uint64_t Controller::firings(Cause cause) const { return firings_[index(cause)]; }

std::string_view Controller::unit(Cause cause) const {
  switch (cause) {
    case Cause::kHeartbeat:
      return heartbeat_.unit();
    case Cause::kQueue:
      return queue_.unit();
    case Cause::kCpu:
      return cpu_.unit();
    case Cause::kGc:
      return gc_.unit();
    case Cause::kDownstream:
      return "s";
    case Cause::kNone:
      break;
  }
  return "";
}

std::string Controller::explain(Cause cause) const {
  std::string sentence;
  switch (cause) {
    case Cause::kHeartbeat:
      sentence = heartbeat_.explain();
      break;
    case Cause::kQueue:
      sentence = queue_.explain();
      break;
    case Cause::kCpu:
      sentence = cpu_.explain();
      break;
    case Cause::kGc:
      sentence = gc_.explain();
      break;
    case Cause::kDownstream:
      sentence =
          "requests wait neither for a CPU nor for a thread, but for something that they call: ";
      sentence.append(gate_.explain());
      break;
    case Cause::kNone:
      break;
  }
  if (cause == gateCause_ && cause != Cause::kDownstream && cause != Cause::kNone) {
    sentence.append("; ").append(gate_.explain());
  }
  if (unconfirmed_[index(cause)]) {
    sentence.append("; not counted, as requests do not suffer: ").append(confirmation_.explain());
  }
  if (passing_[index(cause)]) {
    sentence.append("; not counted while the backlog drains");
  }
  if (injected(cause)) {
    sentence.append(" (made to fire by inject=").append(nameOf(cause)).append(")");
  }
  return sentence;
}

std::string Controller::reason() const {
  if (!state_.overloaded()) {
    return "not overloaded";
  }
  std::string sentence = "overloaded (";
  sentence.append(nameOf(state_.cause()));
  if (state_.cause() == Cause::kCpu && cpuBlame() != detectors::CpuBlame::kUnknown) {
    sentence.append("-").append(nameOf(cpuBlame()));
  }
  sentence.append("): ").append(explain(state_.cause()));
  char numbers[96] = "";
  if (limit_) {
    std::snprintf(numbers, sizeof numbers, "; at most %u requests in flight", *limit_);
  } else if (dropShare_) {
    std::snprintf(numbers, sizeof numbers, "; %.0f %% of the requests", *dropShare_ * 100);
  }
  sentence.append(numbers);
  if (options_.mode == options::Mode::kEnforce) {
    sentence.append(limit_ ? ", the rest is rejected" : " are rejected");
  } else {
    sentence.append(limit_ ? ", the rest would be rejected; " : " would be rejected; ")
        .append("mode=monitor rejects nothing");
  }
  return sentence;
}

}  // namespace hodor::control
