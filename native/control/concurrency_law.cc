#include "control/concurrency_law.h"

#include <algorithm>
#include <cmath>

#include "admission/settings.h"

namespace hodor::control {

namespace {

// Nothing is learned right after an overload: its backlog still colours the latency.
constexpr Duration kLearnAfter = std::chrono::seconds(2);
constexpr double kLowestLimit = 1;
// A cut starts from what is in flight, but from no less than this.
constexpr double kLeastCutBase = 2;
// Requests in flight vary by chance; no limit needs to be more than this many times their mean.
constexpr double kChanceFactor = 3;
// Concurrency of the start over what Little's law asks for.
constexpr double kStartFactor = 1.5;
// More in flight than this many limits, plus kBacklogSlack: the backlog of before drains.
constexpr double kBacklogFactor = 1.7;
constexpr double kBacklogSlack = 4;
// After it the measurements still speak of it for so long.
constexpr Duration kSettle = std::chrono::milliseconds(150);
// Share of an excess that is removed in one tick, and the most that one tick may remove.
constexpr double kCutGain = 0.5;
constexpr double kLargestCut = 0.6;
// Waiting threads per CPU that keep a CPU busy without a queue worth naming: 1 + kSpareThreads / C.
constexpr double kSpareThreads = 4;
// Requests below which fewer cannot help: one on each CPU and two on their way.
constexpr double kCpuFloor = 2;
constexpr double kQueueTarget = 0.010;  // seconds
constexpr double kGcTarget = 0.08;      // share
// Unread requests: from when on the limit does not grow, and is cut.
constexpr double kUnreadTarget = 0.020;  // seconds
constexpr double kUnreadLimit = 0.050;   // seconds
constexpr double kUnreadCut = 0.9;
// From when on clients are about to give up: then half of the CPUs for those who run is enough.
constexpr double kUnreadSevere = 0.200;  // seconds
// The same where new connections are limited: then it is not by rejecting faster that the wait gets
// shorter, as whoever was rejected asks again, and the thread that rejects has its share of the CPU
// from those who answer.
constexpr double kUnreadSevereLimited = 0.500;  // seconds
// And the floor: beside one thread that rejects they have five sixths of a CPU.
constexpr double kCpuFloorLimited = 4;
constexpr double kSevereFloor = 0.5;     // of the CPUs
constexpr double kCpuBusy = 0.9;         // share
// Where more in flight may be tried: nothing else is near its bound, and clients do not give up
// yet.
constexpr double kTrialRunQueue = 0.7;  // of its target
constexpr double kTrialGc = 0.6;        // of its target
constexpr double kTrialQueue = 0.005;   // seconds
constexpr double kTrialCpu = 0.8;       // share
constexpr double kTrialSojourn = 0.5;   // seconds
constexpr double kCpuFull = 0.97;       // share
// The first ticks count equally, so that a young baseline is not made of its first value.
constexpr std::uint64_t kPlainMeanTicks = 300;
constexpr double kBaselineSeconds = 20;
// Headroom: the burst that this time of full throughput carries away, no more of it while garbage
// collection is near its target; and in any case this many standard deviations of a Poisson count.
constexpr double kHeadroomSeconds = 0.025;
// Once so long nothing was rejected and little arrived, a stall of this length (a pause, a
// neighbour) is no reason to reject what came together in it.
constexpr Duration kCalmAfter = std::chrono::milliseconds(500);
constexpr double kCalmHeadroomSeconds = 0.1;
constexpr double kCalmShare = 0.5;  // of the headroom: three quarters of the capacity arrive
constexpr double kHeadroomGc = 0.04;
constexpr double kHeadroomDeviations = 2;
constexpr double kHeadroomConstant = 8;
constexpr double kHeadroomLimits = 3;
// All of it when less than half of the capacity arrives, none when all of it does.
constexpr double kHeadroomRange = 0.5;

double runQueueTarget(double effectiveCpus) { return 1.0 + kSpareThreads / effectiveCpus; }

}  // namespace

std::optional<std::uint32_t> ConcurrencyLaw::tick(const LawInput& input) {
  load_.tick(input.load);
  if (!input.overloaded) {
    if (engaged_) {
      engaged_ = false;
      disengagedAt_ = input.now;
    }
    learn(input);
    step_ = LawStep::kIdle;
    spare_ = 0;
    return std::nullopt;
  }
  if (!engaged_) {
    engage(input);
  }
  const auto inFlight = static_cast<double>(input.load.inFlightNow);
  spare_ = headroom(input);
  step_ = LawStep::kSteady;
  // While the backlog drains the measurements speak of the past; cutting on them would cut twice.
  const bool draining = inFlight > kBacklogFactor * limit_ + kBacklogSlack + spare_;
  estimateCapacity(input, draining);
  if (draining) {
    step_ = LawStep::kDraining;
    drainedAt_ = input.now;
    runQueue_ = Ewma(kRunQueueTime);
  } else if (input.now - drainedAt_ <= kSettle) {
    step_ = LawStep::kSettling;
    load_.restart();
  } else {
    const double before = limit_;
    const bool large = cut(input);
    if (limit_ < before) {
      trial_.abandon();
    }
    if (!large) {
      grow(input);
    }
  }
  constexpr double kMaxLimit = admission::AdmissionSettings::kMaxLimit;
  limit_ = std::clamp(limit_, kLowestLimit, kMaxLimit);
  return static_cast<std::uint32_t>(std::min(limit_ + spare_, kMaxLimit));
}

void ConcurrencyLaw::estimateCapacity(const LawInput& input, bool draining) {
  if (input.rejecting && !draining) {
    capacity_.add(load_.throughput(), input.load.elapsed);
  }
}

double ConcurrencyLaw::headroom(const LawInput& input) {
  if (capacity_.empty() || capacity_.value() <= 0) {
    return 0;
  }
  // The lower of the smoothed rate and this tick's: when the load falls, the room is there at once.
  const double arrivals = std::min(
      load_.arrivals(), static_cast<double>(input.load.arrivals) / toSeconds(input.load.elapsed));
  const double spareShare =
      std::clamp((1.0 - arrivals / capacity_.value()) / kHeadroomRange, 0.0, 1.0);
  if (input.rejecting || spareShare < kCalmShare) {
    lastPressed_ = input.now;
  }
  const double seconds =
      input.now - lastPressed_ >= kCalmAfter ? kCalmHeadroomSeconds : kHeadroomSeconds;
  const double burst = input.gcShare.value_or(0) > kHeadroomGc ? 0.0 : seconds * capacity_.value();
  const double chance = std::min(kHeadroomLimits * limit_,
                                 kHeadroomDeviations * std::sqrt(limit_) + kHeadroomConstant);
  return spareShare * std::max(chance, burst);
}

void ConcurrencyLaw::learn(const LawInput& input) {
  const bool settled = !disengagedAt_ || input.now - *disengagedAt_ > kLearnAfter;
  if (!input.healthy || !settled || input.load.successes == 0) {
    return;
  }
  const auto count = static_cast<double>(input.load.successes);
  const double latency = toSeconds(input.load.latency) / count;
  ++healthyTicks_;
  // A tick with few answers says little; c / (c + 1) is the weight of c of them.
  const double weight = count / (count + 1);
  const double alpha =
      healthyTicks_ <= kPlainMeanTicks
          ? 1.0 / static_cast<double>(healthyTicks_)
          : weight * (1.0 - std::exp(-toSeconds(input.load.elapsed) / kBaselineSeconds));
  healthyLatency_ += alpha * (latency - healthyLatency_);
  healthyInFlight_.add(input.load.inFlight, input.load.elapsed);
}

void ConcurrencyLaw::engage(const LawInput& input) {
  engaged_ = true;
  capacity_ = Ewma(kCapacityTime);
  trial_.reset();
  lastPressed_ = input.now;
  referenceLatency_ = healthyLatency_;
  limit_ = std::max({healthyInFlight_.value(), input.effectiveCpus + kCpuFloor,
                     kStartFactor * load_.throughput() * healthyLatency_});
}

void ConcurrencyLaw::lower(double limit, LawStep why) {
  if (limit < limit_) {
    limit_ = limit;
    step_ = why;
  }
}

bool ConcurrencyLaw::cut(const LawInput& input) {
  const double before = limit_;
  const double base = std::min(limit_, std::max(input.load.inFlight, kLeastCutBase));
  const double lowest = kLargestCut * limit_;
  // Neither a run queue nor a wait for threads gets shorter by leaving a CPU without work.
  const double floor = input.effectiveCpus + kCpuFloor;
  bool large = false;
  if (input.runQueue) {
    runQueue_.add(*input.runQueue, input.load.elapsed);
  }
  // Requests come in bunches: what is deep in one tick may be chance.
  const double runQueue = input.runQueue ? std::min(*input.runQueue, runQueue_.value()) : 0;
  if (runQueue > runQueueTarget(input.effectiveCpus)) {
    const double excess = (runQueue - runQueueTarget(input.effectiveCpus)) * input.effectiveCpus;
    if (limit_ > floor) {
      lower(std::max({base - kCutGain * excess, floor, lowest}), LawStep::kCutRunQueue);
    }
  }
  if (input.queueWait && toSeconds(*input.queueWait) > kQueueTarget) {
    const double excess = load_.throughput() * (toSeconds(*input.queueWait) - kQueueTarget);
    lower(std::max({base - kCutGain * excess, floor, lowest}), LawStep::kCutQueueWait);
  }
  const double severe = input.connectionsLimited ? kUnreadSevereLimited : kUnreadSevere;
  if (toSeconds(input.unreadWait) > severe) {
    lower(std::max({lowest, kSevereFloor * input.effectiveCpus, kLowestLimit}),
          LawStep::kCutUnread);
  } else if (toSeconds(input.unreadWait) > kUnreadLimit) {
    const double least =
        input.effectiveCpus + (input.connectionsLimited ? kCpuFloorLimited : kCpuFloor);
    if (limit_ > least) {
      lower(std::max({kUnreadCut * limit_, least, lowest}), LawStep::kCutUnread);
    }
  }
  if (input.gcShare && *input.gcShare > kGcTarget) {
    lower(base * std::max(kLargestCut, std::sqrt(kGcTarget / *input.gcShare)), LawStep::kCutGc);
    large = true;
  }
  return large || before - limit_ > 0.15 * input.effectiveCpus;
}

void ConcurrencyLaw::grow(const LawInput& input) {
  if (!input.rejecting) {
    return;
  }
  if (toSeconds(input.unreadWait) > kUnreadTarget) {
    return;  // what runs already keeps the CPU from those who read and reject
  }
  const double sojourn = load_.sojourn();
  referenceLatency_ = std::max(healthyLatency_, std::min(referenceLatency_, sojourn));
  const double target = runQueueTarget(input.effectiveCpus);
  const double runQueue = input.runQueue.value_or(0);
  const bool cpuBound = input.cpuUse > kCpuBusy && runQueue > 0.15 && runQueue <= target;
  if (!cpuBound && sojourn >= 2 * referenceLatency_) {
    tryMore(input);
    return;
  }
  trial_.abandon();
  // How far the nearest bound still is, 0..1.
  const double headroom = std::clamp(
      1.0 - std::max({sojourn / referenceLatency_ - 1.0, runQueue / target,
                      input.gcShare.value_or(0) / kGcTarget, (input.cpuUse - 0.8) / 0.15}),
      0.0, 1.0);
  // Growth is paced by the round trip: a limit raised before the last raise has come back in the
  // measurements overshoots.
  const double pace = sojourn > 0 ? std::min(1.0, toSeconds(input.load.elapsed) / sojourn) : 1.0;
  if (input.load.inFlight <= 0.75 * limit_ && limit_ >= 4) {
    // Chance brings more at times than the limit lets in, though there is room in the mean.
    const bool room = cpuBound ? input.cpuUse < kCpuFull : headroom > 0;
    if (room && limit_ < kChanceFactor * std::max(input.load.inFlight, input.effectiveCpus)) {
      limit_ += std::max(0.5, 0.1 * limit_) * pace;
      step_ = LawStep::kGrown;
    }
    return;
  }
  limit_ += std::max(0.25, limit_ * (0.03 + 0.2 * headroom)) * pace;
  step_ = LawStep::kGrown;
}

void ConcurrencyLaw::tryMore(const LawInput& input) {
  const bool used = trial_.raised() || input.load.inFlight > 0.75 * limit_;
  const bool calm =
      input.runQueue.value_or(0) < kTrialRunQueue * runQueueTarget(input.effectiveCpus) &&
      input.gcShare.value_or(0) < kTrialGc * kGcTarget && input.cpuUse < kTrialCpu &&
      (!input.queueWait || toSeconds(*input.queueWait) < kTrialQueue) &&
      load_.sojourn() < kTrialSojourn;
  if (!calm && trial_.raised()) {
    trial_.fail(input.now);
    lower(beforeTrial_, LawStep::kTrialFailed);
  }
  if (!used || !calm) {
    return;
  }
  GrowthTrial::Input trial;
  trial.now = input.now;
  trial.elapsed = input.load.elapsed;
  trial.inFlight = input.load.inFlight;
  trial.completions = static_cast<double>(input.load.completions);
  trial.sojourn = load_.sojourn();
  switch (trial_.tick(trial)) {
    case GrowthTrial::Verdict::kWait:
      break;
    case GrowthTrial::Verdict::kRaise:
      beforeTrial_ = limit_;
      limit_ *= GrowthTrial::kFactor;
      step_ = LawStep::kTrial;
      break;
    case GrowthTrial::Verdict::kKeep:
      step_ = LawStep::kGrown;
      break;
    case GrowthTrial::Verdict::kRestore:
      lower(beforeTrial_, LawStep::kTrialFailed);
      break;
  }
}

}  // namespace hodor::control
