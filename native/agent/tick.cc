#include "agent/tick.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "agent/clock.h"
#include "agent/logging.h"
#include "jni/tick_flags.h"
#include "options/option_table.h"

namespace hodor::agent {

namespace {

// Waking up is most of what an idle agent costs.
constexpr Duration kQuietTick = std::chrono::seconds(2);
constexpr Duration kIdleTick = std::chrono::seconds(10);

// Reading the run queues costs 1-2 us a thread: every tick when something suggests that it matters,
// else this often.
constexpr Duration kIdleSweepPeriod = std::chrono::seconds(2);
// Without requests there is nothing to shed: until one comes, run queues and quota are looked at
// this rarely.
constexpr Duration kQuietPeriod = std::chrono::seconds(5);
constexpr double kIdleCpu = 0.1;
// A probe of a large idle pool costs milliseconds: its code was never compiled.
constexpr Duration kQuietProbePeriod = std::chrono::seconds(30);
// In an idle process only what lies unread can tell of a pool that hangs, and does within seconds.
constexpr Duration kRestProbePeriod = std::chrono::minutes(5);
// Who has the CPU is what half a dozen readings say together, and the kernel counts in ticks of
// 10 ms: more would only cost.
constexpr Duration kSharesPeriod = std::chrono::milliseconds(250);
// Nobody asks, but an overload that begins wants to know what was before.
constexpr Duration kCalmSharesPeriod = std::chrono::seconds(1);
// Hints that it matters.
constexpr double kBusyCpu = 0.5;
constexpr double kDeepRunQueue = 0.5;
constexpr Duration kLongWait = std::chrono::milliseconds(5);

// A storm shows in the first seconds of an overload, or when it comes back.
constexpr Duration kStormOnset = std::chrono::seconds(3);
constexpr Duration kCpusPeriod = std::chrono::seconds(1);
// The pool is probed each tick under load, unless requests tell; else this often: a probe wakes a
// thread of the application.
constexpr Duration kIdleProbePeriod = std::chrono::milliseconds(500);
// Requests without a pool to watch are worth a line only if it stays so.
constexpr Duration kPoolPatience = std::chrono::seconds(5);
// A name that changes in the course of an overload is worth another line, but not one a second.
constexpr Duration kReasonLogPeriod = std::chrono::seconds(3);

bool due(const std::optional<Instant>& last, Instant now, Duration period) {
  return !last || now - *last >= period;
}

std::int64_t epochMillisNow() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Tick::Tick(Runtime& runtime)
    : runtime_(runtime),
      options_(runtime.settings.current()),
      writer_(runtime.page),
      cpu_([this](SourceHealth& source, bool readable, std::string_view why) {
        judge(source, readable, why);
      }),
      connections_(runtime, [this](SourceHealth& source, bool readable, std::string_view why) {
        judge(source, readable, why);
      }) {
  runtime_.page.set(metrics::Field::kHodorVersion, std::string_view(HODOR_VERSION));
  takeOver();
  if (runtime_.offForGood()) {
    writer_.writeOff("off: the options were wrong: " + runtime_.wrongOptions());
  } else if (options_.mode == options::Mode::kOff) {
    writer_.writeOff("off: mode=off");
  } else {
    controller_.emplace(options_);
  }
}

Duration Tick::rest() {
  if (!controller_) {
    return kIdleTick;
  }
  if (!quiet_) {
    return calm_ ? control::Calm::kPeriod : kPeriod;
  }
  runtime_.rest.begin();
  if (runtime_.admission.totals().arrivals() != arrivals_) {
    return kPeriod;
  }
  return idle_ ? kIdleTick : kQuietTick;
}

void Tick::end() { connections_.open(); }

void Tick::takeOver() {
  if (options_.mode != options::Mode::kEnforce || options_.connections == options::Switch::kOff) {
    connections_.open();
  }
  runtime_.abandoned.store(options_.abandoned, std::memory_order_relaxed);
  runtime_.admission.limitExempt(options_.exemptLimit);
  writer_.writeOptions(options_);
}

std::uint32_t Tick::takeOrders() {
  if (!runtime_.settings.pending()) {
    return 0;
  }
  SettingsDesk::Order order = runtime_.settings.take();
  std::uint32_t flags = 0;
  if (order.options) {
    options_ = *std::move(order.options);
    setLevel(runtime_.log(), options_.logLevel);
    if (options_.mode == options::Mode::kOff) {
      controller_.reset();
      runtime_.admission.publish({});
      writer_.writeOff("off: mode=off");
    } else if (controller_) {
      controller_->reconfigure(options_);
      runtime_.admission.publish(controller_->settings());
    } else {
      controller_.emplace(options_);
      lastTick_.reset();
      transitions_ = 0;
      overloadedSinceEpochMillis_ = 0;
      runtime_.admission.publish(controller_->settings());
    }
    takeOver();
    flags |= jni::kStateChanged;
  }
  if (order.reset) {
    writer_.resetCounters(controller_ ? &*controller_ : nullptr, runtime_.admission.totals(),
                          connections_.totals());
  }
  runtime_.settings.taken();
  return flags;
}

void Tick::judge(SourceHealth& source, bool readable, std::string_view why) {
  if (readable) {
    source.failed = false;
    return;
  }
  if (!source.failed) {
    source.failed = true;
    const std::string what = std::string(source.name) + ": " + std::string(why);
    runtime_.errors.sourceFailed(what);
    if (!source.logged) {
      source.logged = true;
      runtime_.log().warn("{}; {}", what, source.loss);
    }
  }
}

bool Tick::runQueueMatters(const control::TickInput& input) const {
  return input.cpuUse > kBusyCpu || cpu_.depth() > kDeepRunQueue || late_ || stalling_ ||
         static_cast<double>(input.totals.inFlight()) > 2 * cpu_.effectiveCpus() ||
         controller_->state().overloaded();
}

void Tick::readCpu(control::TickInput& input) {
  cpu_.readCapacity(input.now, quiet_ || calm_ ? kQuietPeriod : kCpusPeriod);
  input.effectiveCpus = cpu_.effectiveCpus();
  input.cpuUse = cpu_.takeUse(input.now);
  const bool wasIdle = idle_;
  idle_ = quiet_ && input.cpuUse < kIdleCpu;
  runtime_.rest.allow(idle_);
  if (wasIdle && !idle_) {
    runtime_.rest.end();
  }
  const auto lastSweep = cpu_.lastSweep();
  if (!due(lastSweep, input.now, quiet_ ? kQuietPeriod : kIdleSweepPeriod) &&
      !runQueueMatters(input)) {
    input.cpuRead = false;
    return;
  }
  input.cpu = cpu_.sweep(input.now, calm_ ? kCalmSharesPeriod : kSharesPeriod);
  // The first sweep only lays the base; it is no sample and no failure.
  input.cpuRead = lastSweep.has_value();
}

void Tick::readUnread(control::TickInput& input) {
  using Pace = signals::UnreadWatch::Pace;
  const bool suspicious = runQueueMatters(input) || queueWait_ > kLongWait;
  const bool storm = connections_.limits() || (overloadedSinceEpochMillis_ != 0 &&
                                               input.now - overloadedSince_ < kStormOnset);
  input.unread = unread_.observe(input.now, storm                               ? Pace::kStorm
                                            : controller_->state().overloaded() ? Pace::kOverloaded
                                            : suspicious                        ? Pace::kSuspicious
                                            : quiet_                            ? Pace::kQuiet
                                                                                : Pace::kNormal);
  judge(unreadHealth_, input.unread.has_value(), unread_.lastError());
}

void Tick::readGc(control::TickInput& input) {
  // A JVM that serves no requests hears nothing about it.
  if (input.totals.arrivals() > 0) {
    const std::string& error = runtime_.gcCounters.lastError();
    judge(gcCountersHealth_, error.empty(), error);
  }
  stalling_ = false;
  if (!runtime_.gcPauses.available()) {
    return;
  }
  input.gc = runtime_.gcPauses.read(input.now);
  input.gc->stallCyclesTotal = runtime_.gcCounters.stallCyclesTotal();
  input.gc->heap = runtime_.gcCounters.heap();
  input.gc->stalledThreadsTotal = runtime_.stallEvents.take(input.elapsed);
  // Each only grows, and either may be the one that does.
  const Duration stalls =
      input.gc->stallCyclesTotal + input.gc->stalledThreadsTotal.value_or(Duration::zero());
  stalling_ = stalls > stalls_;
  stalls_ = stalls;
}

void Tick::addThreads(detectors::GcSample& gc) const {
  if (const auto& at = cpu_.lastSweep()) {
    gc.threads = cpu_.threads();
    gc.threadsReadAt = *at;
    gc.effectiveCpus = cpu_.effectiveCpus();
  }
}

void Tick::judgePools(const control::TickInput& input) {
  // A JVM that serves no requests needs no pool, and one whose requests run on virtual threads has
  // none that tells something: they hear nothing about it.
  const bool missing =
      !input.queue && input.totals.arrivals() > 0 && !runtime_.poolWait.everWatched();
  if (!missing) {
    poolMissingSince_.reset();
    judge(poolHealth_, true, "");
    return;
  }
  if (!poolMissingSince_) {
    poolMissingSince_ = input.now;
  }
  if (input.now - *poolMissingSince_ >= kPoolPatience) {
    judge(poolHealth_, false, "no pool is known");
  }
}

void Tick::readSignals(control::TickInput& input) {
  input.totals = runtime_.admission.totals();
  quiet_ = quietWatch_.isQuiet(input.totals) && !controller_->state().overloaded();
  arrivals_ = input.totals.arrivals();
  input.inFlightMean = runtime_.inFlight.take();
  input.heartbeat = runtime_.heartbeat.take(input.now);
  late_ = input.heartbeat && input.heartbeat->worstOvershoot > control::Calm::kLateBeat;
  readGc(input);
  input.queue = detectors::longer(runtime_.poolWait.take(input.now),
                                  queueWatch_.observe(input.now, input.totals));
  queueWait_ = input.queue ? input.queue->wait : Duration::zero();
  readCpu(input);
  if (input.gc) {
    addThreads(*input.gc);
  }
  readUnread(input);
  connections_.observe(input, !quiet_ && !calm_);
  judgePools(input);
}

bool Tick::probesDue(const control::TickInput& input) {
  // Requests that a gate hands to the pool say themselves how long they wait.
  const bool measured = input.totals.queued != queued_;
  queued_ = input.totals.queued;
  const bool loaded = !measured && !calm_ &&
                      (static_cast<double>(input.totals.inFlight()) > cpu_.effectiveCpus() ||
                       queueWait_ > kLongWait || controller_->state().overloaded());
  const Duration rarely = idle_ ? kRestProbePeriod : kQuietProbePeriod;
  if (!loaded && !due(lastProbe_, input.now, quiet_ ? rarely : kIdleProbePeriod)) {
    return false;
  }
  lastProbe_ = input.now;
  return runtime_.poolWait.watched() > 0;
}

std::uint32_t Tick::run(Instant now) {
  writeShared();
  if (!controller_) {
    return 0;
  }
  control::TickInput input;
  input.now = now;
  const bool firstTick = !lastTick_;
  input.elapsed = lastTick_ ? now - *lastTick_ : kPeriod;
  lastTick_ = now;
  input.rested = quiet_;
  readSignals(input);
  runtime_.admission.publish(controller_->tick(input));
  connections_.apply(*controller_, options_, unread_.listeners(), now);
  logTick(input);
  const bool stirs = firstTick || quiet_ || !controller_->isCalm() || !input.heartbeat || late_ ||
                     stalling_ || queueWait_ > kLongWait;
  logExempt(input.totals);
  calm_ = runtime_.calm.tick(now, stirs, controller_->law().healthyInFlight(), input.effectiveCpus);

  std::uint32_t flags = probesDue(input) ? std::uint32_t{jni::kSubmitProbes} : 0U;
  if (firstTick && runtime_.settings.current().gcStalls == options::GcStalls::kJfr) {
    flags |= jni::kReadStalls;
  }
  if (controller_->state().transitions() != transitions_) {
    transitions_ = controller_->state().transitions();
    logTransition(now);
    flags |= jni::kStateChanged;
  }
  // The gates name the ports that they serve by now.
  const bool storm = controller_->connections().passing() < 1;
  if (std::exchange(storm_, storm) != storm) {
    flags |= jni::kStateChanged;
  }
  logBlame(now);
  writer_.write(*controller_, input.totals, connections_.totals(), input.elapsed,
                overloadedSinceEpochMillis_);
  return flags;
}

void Tick::logTick(const control::TickInput& input) {
  if (!runtime_.log().should_log(spdlog::level::debug)) {
    return;
  }
  runtime_.log().debug(
      "tick of {:.0f} ms: run queue {:.1f}, CPU {:.2f} of {:.2f}, queue wait {:.1f} ms, in flight "
      "{} "
      "(mean {:.1f}), limit {}, admitted {}, rejected {}, dropped {}",
      toSeconds(input.elapsed) * 1e3, cpu_.depth(), input.cpuUse, input.effectiveCpus,
      toSeconds(queueWait_) * 1e3, input.totals.inFlight(), input.inFlightMean.value_or(-1),
      controller_->limit() ? static_cast<std::int64_t>(*controller_->limit()) : -1,
      input.totals.admitted, input.totals.rejected, input.totals.dropped);
  const control::ConnectionLaw& connections = controller_->connections();
  runtime_.log().debug(
      "new connections: {:.0f}/s, budget {:.0f}/s, passing {:.3f}, closing {:.3f}, garbage "
      "collection {:.2f}",
      connections.offered(), connections.budget().value_or(-1), connections.passing(),
      connections.closing(), controller_->gcShare().value_or(-1));
  if (input.gc && input.gc->stalledThreadsTotal) {
    runtime_.log().debug("flight recorder: threads waited {:.3f} s for memory so far",
                         toSeconds(*input.gc->stalledThreadsTotal));
  }
  if (input.unread) {
    logUnread(*input.unread);
  }
}

void Tick::logUnread(const detectors::UnreadSample& unread) {
  const auto age = [&](std::size_t index) {
    return unread.ages.empty() ? 0 : toSeconds(unread.ages[index]) * 1e3;
  };
  runtime_.log().debug(
      "unread: {} of {:.0f} connections (times {:.0f}), oldest {:.0f} ms, median {:.0f} ms; {} "
      "wait "
      "to be accepted, for {:.0f} ms at most",
      unread.ages.size(), unread.connections, unread.scale, age(0), age(unread.ages.size() / 2),
      unread.acceptQueue, toSeconds(unread.acceptQueueFor) * 1e3);
}

void Tick::logBlame(Instant now) {
  if (controller_->state().cause() == control::Cause::kCpu &&
      controller_->cpuBlame() != loggedBlame_ && due(lastReasonLog_, now, kReasonLogPeriod)) {
    logReason(now);
  }
}

void Tick::logReason(Instant now) {
  loggedBlame_ = controller_->cpuBlame();
  lastReasonLog_ = now;
  runtime_.log().warn("{}", controller_->reason());
}

void Tick::logExempt(const admission::AdmissionTotals& totals) {
  if (totals.exemptBeyondLimit > 0 && !exemptLogged_) {
    exemptLogged_ = true;
    runtime_.log().warn(
        "more than {} requests a second to exempt paths: the rest is counted and may be rejected "
        "like any other; more are exempt with exempt.limit",
        options_.exemptLimit);
  }
}

void Tick::logTransition(Instant now) {
  if (controller_->state().overloaded()) {
    overloadedSince_ = now;
    overloadedSinceEpochMillis_ = epochMillisNow();
    logReason(now);
    return;
  }
  overloadedSinceEpochMillis_ = 0;
  const admission::AdmissionTotals totals = runtime_.admission.totals();
  runtime_.log().warn("overload ended after {:.1f} s; rejected so far: {}, would have rejected: {}",
                      toSeconds(now - overloadedSince_), totals.refused(), totals.wouldReject);
}

void Tick::writeShared() {
  metrics::MetricsPage& page = runtime_.page;
  page.set(metrics::Field::kErrorsFailOpen, static_cast<std::int64_t>(runtime_.errors.failOpen()));
  page.set(metrics::Field::kErrorsSourceFailures,
           static_cast<std::int64_t>(runtime_.errors.sourceFailures()));
  page.set(metrics::Field::kErrorsLast, std::string_view(runtime_.errors.last()));
  page.set(metrics::Field::kHodorAttached, std::string_view(runtime_.attachedLines()));
}

}  // namespace hodor::agent
