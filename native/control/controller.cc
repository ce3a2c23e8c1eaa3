#include "control/controller.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace hodor::control {

namespace {

constexpr std::array<Cause, 4> kCauses = {Cause::kHeartbeat, Cause::kQueue, Cause::kCpu,
                                          Cause::kGc};

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
  verdicts_[index(Cause::kHeartbeat)] = heartbeat_.observe(input.elapsed, input.heartbeat);
  if (input.cpuRead) {
    verdicts_[index(Cause::kCpu)] = cpu_.observe(input.now, input.cpu);
    runQueue_ = verdicts_[index(Cause::kCpu)].stale
                    ? std::nullopt
                    : std::optional(verdicts_[index(Cause::kCpu)].value);
  }
  verdicts_[index(Cause::kGc)] = gc_.observe(input.now, input.gc);
  verdicts_[index(Cause::kQueue)] = queue_.observe(input.now, input.elapsed, input.queue);
  detectStep(input);
  for (const Cause cause : kCauses) {
    detectors::Verdict& verdict = verdicts_[index(cause)];
    if (injected(cause)) {
      verdict.firing = true;
      verdict.quiet = false;
      verdict.band = std::max(verdict.band, 1);
    } else if (!input.cpuRead && cause == Cause::kCpu && runQueue_ == std::nullopt) {
      verdict = detectors::Verdict{};
    }
    if (verdict.firing && !before[index(cause)].firing) {
      ++firings_[index(cause)];
    }
  }
}

void Controller::detectStep(const TickInput& input) {
  // Evidence that it is this service which is slow, and not just a call that it waits for.
  constexpr Duration kQueueWait = std::chrono::milliseconds(10);
  constexpr double kRunQueue = 1;
  constexpr double kBusy = 0.95;
  const bool waiting = input.queue && input.queue->wait > kQueueWait;
  const bool cpuBound = runQueue_.value_or(0) > kRunQueue || input.cpuUse > kBusy;
  BacklogGate::Input backlog;
  backlog.inFlight = std::max<std::int64_t>(input.totals.inFlight(), 0);
  backlog.effectiveCpus = input.effectiveCpus;
  backlog.healthyInFlight = concurrency_.healthyInFlight();
  backlog.healthyLatency = concurrency_.healthyLatency();
  backlog.bestThroughput = concurrency_.load().bestThroughput();
  backlog.evidence = waiting || cpuBound;
  backlogCause_ = Cause::kNone;
  if (backlog_.tick(backlog)) {
    backlogCause_ = cpuBound ? Cause::kCpu : Cause::kQueue;
    fireEarly(backlogCause_);
  }
  if (input.cpuRead) {
    surging_ = false;
    if (runQueue_) {
      surging_ = surge_.tick(input.elapsed, *runQueue_, input.cpuUse, !state_.overloaded());
    } else {
      surge_.stale();
    }
  }
  if (surging_) {
    fireEarly(Cause::kCpu);
  }
}

void Controller::fireEarly(Cause cause) {
  detectors::Verdict& verdict = verdicts_[index(cause)];
  verdict.firing = true;
  verdict.quiet = false;
  verdict.band = std::max(verdict.band, 1);
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

  bool pause = false;
  if (input.gc) {
    const detectors::GcSample last = lastGc_.value_or(*input.gc);
    const Duration paused = input.gc->pausedTotal - last.pausedTotal;
    pause = paused > Duration::zero();
    gcShare_.add(std::clamp(toSeconds(paused) / toSeconds(input.elapsed), 0.0, 1.0), input.elapsed);
    law.gcShare = gcShare_.value();
  }
  lastGc_ = input.gc;

  for (const Cause cause : kCauses) {
    law.pressure = law.pressure || !verdicts_[index(cause)].quiet;
  }
  law.healthy = !law.pressure && !pause && runQueue_.value_or(0) < 1;
  law.runQueue = runQueue_;
  if (input.queue) {
    law.queueWait = input.queue->wait;
  }
  law.cpuUse = input.cpuUse;
  law.effectiveCpus = input.effectiveCpus;
  return law;
}

admission::AdmissionSettings Controller::tick(const TickInput& input) {
  detect(input);
  LawInput law = lawInput(input);
  state_.tick(input.now, verdicts_, law.rejecting);
  law.overloaded = state_.overloaded();
  limit_ = concurrency_.tick(law);
  dropShare_ = percentage_.tick(law);
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
    case Cause::kNone:
      break;
  }
  if (cause == backlogCause_ && cause != Cause::kNone) {
    char backlog[96];
    std::snprintf(backlog, sizeof backlog, "; the requests in flight need %.1f s, fires from 0.5 s",
                  backlog_.excess());
    sentence.append(backlog);
  }
  if (cause == Cause::kCpu && surging_) {
    char surge[96];
    std::snprintf(surge, sizeof surge, "; deeper than in healthy times (from %.0f for 0.5 s)",
                  surge_.threshold());
    sentence.append(surge);
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
