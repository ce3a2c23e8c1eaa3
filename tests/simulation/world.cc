#include "world.h"

#include <algorithm>
#include <cmath>

#include "options/options_parser.h"

namespace hodor::simulation {

namespace {

constexpr double kTick = 0.1;
// So that no time is the origin of the clock.
constexpr Duration kEpoch = std::chrono::seconds(1000);
constexpr double kLogNormalSigma = 1.5;
// Clients that have their connections when the run begins.
constexpr int kConnectionsAtStart = 1000;
constexpr double kSoonest = 0.02;
constexpr double kLatest = 0.1;
constexpr double kSettled = 5;

Duration durationOf(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

Instant instantOf(double seconds) { return kEpoch + durationOf(seconds); }

options::Options agentOptions(World::Agent agent) {
  return options::parseAgentOptions(
             agent == World::Agent::kOnlyRequests ? "mode=enforce,connections=off" : "mode=enforce",
             nullptr)
      .options;
}

double percentile99(std::vector<double>& values) {
  if (values.empty()) {
    return 0;
  }
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

World::World(const Scenario& scenario, Agent agent)
    : scenario_(scenario),
      random_(scenario.seed),
      processor_(scenario.service.cpus),
      idleConnections_(kConnectionsAtStart),
      admission_(1, kEpoch) {
  if (agent != Agent::kNone) {
    controller_.emplace(agentOptions(agent));
    admission_.publish(controller_->settings());
  }
  outcome_.servedPerSecond.assign(static_cast<std::size_t>(std::ceil(scenario.end)), 0);
}

void World::schedule(double at, What what, std::size_t index) {
  const bool ofRequest =
      what == What::kGiveUp || what == What::kSendAgain || what == What::kHoldEnds;
  events_.push({at, order_++, what, index, ofRequest ? requests_[index].generation : 0});
}

Outcome World::run() {
  for (std::size_t i = 0; i < scenario_.changes.size(); ++i) {
    schedule(scenario_.changes[i].at, What::kChange, i);
  }
  for (std::size_t i = 0; i < scenario_.pauses.size(); ++i) {
    schedule(scenario_.pauses[i].at, What::kPause, i);
  }
  schedule(kTick, What::kTick);
  while (true) {
    const double done = processor_.nextDone();
    const double next = events_.top().at;  // there is always a tick
    if (std::min(done, next) > scenario_.end) {
      break;
    }
    if (done <= next) {
      now_ = std::max(now_, done);
      jobDone(processor_.takeDone(now_));
    } else {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      handle(event);
    }
  }
  outcome_.p99 = percentile99(latencies_);
  outcome_.settledP99 = percentile99(settledLatencies_);
  return outcome_;
}

void World::handle(const Event& event) {
  switch (event.what) {
    case What::kArrive:
      arrive();
      break;
    case What::kTick:
      tick();
      schedule(now_ + kTick, What::kTick);
      break;
    case What::kChange: {
      const Change& change = scenario_.changes[event.index];
      if (change.what == Change::What::kCpus) {
        processor_.setCpus(now_, change.value);
      } else if (change.what == Change::What::kHoldFactor) {
        holdFactor_ = change.value;
      } else {
        const bool arrivalsRun = rate_ > 0;
        rate_ = change.value;
        if (!arrivalsRun && rate_ > 0) {
          schedule(now_ + draw(1 / rate_, Spread::kExponential), What::kArrive);
        }
      }
      break;
    }
    case What::kPause:
      paused_ = true;
      pausedSince_ = now_;
      ++pauses_;
      updateCollection();
      schedule(now_ + scenario_.pauses[event.index].length, What::kPauseEnds);
      break;
    case What::kPauseEnds:
      paused_ = false;
      pausedTime_ += now_ - pausedSince_;
      updateCollection();
      break;
    case What::kGiveUp:
    case What::kSendAgain:
    case What::kHoldEnds:
      if (requests_[event.index].generation != event.generation) {
        return;  // the request ended, and its place is another's
      }
      if (event.what == What::kGiveUp) {
        giveUp(event.index);
      } else if (event.what == What::kSendAgain) {
        send(event.index);
      } else {
        --busyConnections_;
        finish(event.index);
        if (!waitingForConnection_.empty()) {
          const std::size_t next = waitingForConnection_.front();
          waitingForConnection_.pop_front();
          useConnection(next);
        }
      }
      break;
  }
}

std::uint64_t World::jobOf(Job job, std::size_t index) {
  return static_cast<std::uint64_t>(index) << 2U | static_cast<std::uint64_t>(job);
}

void World::jobDone(std::uint64_t job) {
  const std::size_t index = job >> 2U;
  switch (static_cast<Job>(job & 3U)) {
    case Job::kWork:
      workDone(index);
      break;
    case Job::kRead:
      selectorBusy_ = false;
      decide(index);
      readNext();
      break;
    case Job::kReject:
      break;
    case Job::kRejectionOfSelector:
      selectorBusy_ = false;
      refused(index);
      readNext();
      break;
  }
}

double World::draw(double mean, Spread spread) {
  switch (spread) {
    case Spread::kFixed:
      return mean;
    case Spread::kExponential:
      return std::exponential_distribution<double>(1 / mean)(random_);
    case Spread::kLogNormal:
      return std::lognormal_distribution<double>(
          std::log(mean) - kLogNormalSigma * kLogNormalSigma / 2, kLogNormalSigma)(random_);
  }
  return mean;
}

bool World::counts(const Request& request) const {
  return request.arrived >= scenario_.from && request.arrived < scenario_.to;
}

std::size_t World::newRequest() {
  if (free_.empty()) {
    requests_.emplace_back();
    return requests_.size() - 1;
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  const std::uint64_t generation = requests_[index].generation;
  requests_[index] = {};
  requests_[index].generation = generation;
  return index;
}

void World::forget(std::size_t index) {
  Request& request = requests_[index];
  if (!request.inServer && !request.clientWaits) {
    ++request.generation;
    free_.push_back(index);
  }
}

void World::arrive() {
  if (rate_ <= 0) {
    return;
  }
  schedule(now_ + draw(1 / rate_, Spread::kExponential), What::kArrive);
  const std::size_t index = newRequest();
  Request& request = requests_[index];
  request.arrived = now_;
  request.work = draw(scenario_.service.work, scenario_.service.spread);
  outcome_.arrivals += counts(request) ? 1 : 0;
  send(index);
}

void World::send(std::size_t index) {
  Request& request = requests_[index];
  request.sent = now_;
  request.clientWaits = true;
  request.inServer = connect(request);
  schedule(now_ + scenario_.clients.deadline, What::kGiveUp, index);
  if (!request.inServer) {
    return;
  }
  if (scenario_.service.reading > 0) {
    unread_.push_back(index);
    readNext();
  } else {
    decide(index);
  }
}

bool World::connect(Request& request) {
  request.hasConnection = idleConnections_ > 0;
  if (request.hasConnection) {
    --idleConnections_;
    return true;
  }
  if (passing_ < 1 && std::uniform_real_distribution<double>()(random_) >= passing_) {
    // Asked again after a second, when the client has given up.
    return false;
  }
  ++opened_;
  return true;
}

void World::giveUp(std::size_t index) {
  Request& request = requests_[index];
  if (!request.clientWaits) {
    return;
  }
  request.clientWaits = false;
  idleConnections_ += scenario_.clients.reconnect || !request.inServer ? 0 : 1;
  tryAgain(index);
  forget(index);
}

void World::tryAgain(std::size_t index) {
  if (requests_[index].attempt >= scenario_.clients.attempts) {
    return;
  }
  const std::size_t again = newRequest();
  Request& next = requests_[again];
  next.arrived = requests_[index].arrived;
  next.work = requests_[index].work;
  next.attempt = requests_[index].attempt + 1;
  schedule(now_ + std::uniform_real_distribution<double>(kSoonest, kLatest)(random_),
           What::kSendAgain, again);
}

void World::answered(std::size_t index) {
  Request& request = requests_[index];
  request.inServer = false;
  if (request.clientWaits) {
    request.clientWaits = false;
    ++idleConnections_;
    if (counts(request)) {
      ++outcome_.served;
    }
    const auto second = static_cast<std::size_t>(now_);
    if (second < outcome_.servedPerSecond.size()) {
      ++outcome_.servedPerSecond[second];
    }
  }
  if (counts(request)) {
    latencies_.push_back(now_ - request.arrived);
    if (request.arrived >= scenario_.from + kSettled) {
      settledLatencies_.push_back(now_ - request.arrived);
    }
  }
  forget(index);
}

void World::refused(std::size_t index) {
  Request& request = requests_[index];
  request.inServer = false;
  if (counts(request)) {
    ++outcome_.rejected;
    if (outcome_.firstRejection < 0) {
      outcome_.firstRejection = now_ - scenario_.from;
    }
  }
  if (request.clientWaits) {
    request.clientWaits = false;
    ++idleConnections_;
    tryAgain(index);
  }
  forget(index);
}

void World::readNext() {
  if (selectorBusy_ || unread_.empty()) {
    return;
  }
  const std::size_t index = unread_.front();
  unread_.pop_front();
  selectorBusy_ = true;
  const double accepting = requests_[index].hasConnection ? 0 : scenario_.service.accepting;
  processor_.add(now_, scenario_.service.reading + accepting, jobOf(Job::kRead, index));
}

double World::rejectionCost() {
  const bool cold = rejections_++ < scenario_.service.coldRejections;
  return scenario_.service.rejection * (cold ? scenario_.service.coldFactor : 1);
}

void World::decide(std::size_t index) {
  const bool pooled = scenario_.service.threads > 0;
  const std::int64_t permit = admission_.acquire(instantOf(now_), pooled);
  if (permit < 0) {
    if (scenario_.service.reading > 0) {
      selectorBusy_ = true;
      processor_.add(now_, rejectionCost(), jobOf(Job::kRejectionOfSelector, index));
    } else {
      processor_.add(now_, rejectionCost(), jobOf(Job::kReject, 0));
      refused(index);
    }
    return;
  }
  changeInServer(1);
  requests_[index].permit = permit;
  if (pooled && busyThreads_ >= scenario_.service.threads) {
    queue_.push_back(index);
    return;
  }
  start(index);
}

void World::start(std::size_t index) {
  if (scenario_.service.threads > 0 &&
      !admission_.start(requests_[index].permit, instantOf(now_))) {
    admission_.release(requests_[index].permit, admission::Outcome::kDropped, instantOf(now_));
    changeInServer(-1);
    processor_.add(now_, rejectionCost(), jobOf(Job::kReject, 0));
    refused(index);
    return;
  }
  ++busyThreads_;
  processor_.add(now_, requests_[index].work, jobOf(Job::kWork, index));
}

void World::startNext() {
  while (!queue_.empty() && busyThreads_ < scenario_.service.threads) {
    const std::size_t index = queue_.front();
    queue_.pop_front();
    start(index);
  }
}

void World::workDone(std::size_t index) {
  if (scenario_.service.connections > 0) {
    if (busyConnections_ < scenario_.service.connections) {
      useConnection(index);
    } else {
      waitingForConnection_.push_back(index);
    }
  } else if (scenario_.service.io > 0) {
    ++busyConnections_;
    schedule(now_ + draw(scenario_.service.io, Spread::kExponential), What::kHoldEnds, index);
  } else {
    finish(index);
  }
}

void World::useConnection(std::size_t index) {
  ++busyConnections_;
  schedule(now_ + draw(scenario_.service.hold * holdFactor_, Spread::kExponential), What::kHoldEnds,
           index);
}

void World::finish(std::size_t index) {
  admission_.release(requests_[index].permit, admission::Outcome::kCompleted, instantOf(now_));
  changeInServer(-1);
  --busyThreads_;
  answered(index);
  startNext();
}

void World::changeInServer(int change) {
  inFlightIntegral_ += static_cast<double>(inServer_) * (now_ - inFlightSince_);
  inFlightSince_ = now_;
  inServer_ += change;
  updateCollection();
}

void World::updateCollection() {
  double share = 0;
  if (scenario_.service.heapFull > 0) {
    const double used = std::min(static_cast<double>(inServer_) / scenario_.service.heapFull, 0.99);
    share = std::min(0.02 + 0.02 * used / (1 - used), 0.95);
  }
  processor_.setStopped(now_, paused_ ? 1 : share);
}

detectors::UnreadSample World::unread() const {
  detectors::UnreadSample sample;
  for (const std::size_t index : unread_) {
    sample.ages.push_back(durationOf(now_ - requests_[index].sent));
  }
  std::sort(sample.ages.begin(), sample.ages.end(), std::greater<>());
  sample.connections = static_cast<double>(unread_.size()) + inServer_ + idleConnections_;
  return sample;
}

control::TickInput World::observe() {
  const double elapsed = now_ - lastTick_;
  const double ran = processor_.ran(now_);
  const double waited = processor_.waited(now_);
  const double stopped = processor_.stopped(now_);
  control::TickInput input;
  input.now = instantOf(now_);
  input.elapsed = durationOf(elapsed);
  input.heartbeat = detectors::HeartbeatSample{};
  input.totals = admission_.totals();
  changeInServer(0);
  input.inFlightMean = inFlightIntegral_ / elapsed;
  inFlightIntegral_ = 0;
  input.effectiveCpus = scenario_.service.cpus;
  // Collection uses the CPUs while it stops the others.
  input.cpuUse =
      std::min(((ran - lastRan_) / scenario_.service.cpus + stopped - lastStopped_) / elapsed, 1.0);
  if (scenario_.service.hasSignals) {
    input.cpu.emplace();
    input.cpu->elapsed = input.elapsed;
    input.cpu->effectiveCpus = input.effectiveCpus;
    detectors::ThreadTimes& threads = input.cpu->threads[detectors::ThreadKind::kApplication];
    threads.ran = durationOf(ran - lastRan_);
    threads.waited = durationOf(waited - lastWaited_);
    input.queue = queueWatch_.observe(input.now, input.totals);
  }
  input.gc.emplace();
  const double pausedNow = pausedTime_ + (paused_ ? now_ - pausedSince_ : 0);
  input.gc->pausedTotal = durationOf(pausedNow);
  input.gc->pauseRunning = paused_;
  input.gc->pausesStarted = pauses_;
  input.gc->stallCyclesTotal = durationOf(stopped - pausedNow);
  if (scenario_.service.reading > 0) {
    input.unread = unread();
    input.connectionsOpened = opened_;
    input.connectionsPassed = passing_;
  }
  lastTick_ = now_;
  lastRan_ = ran;
  lastWaited_ = waited;
  lastStopped_ = stopped;
  return input;
}

void World::tick() {
  if (controller_) {
    admission_.publish(controller_->tick(observe()));
    passing_ = controller_->connections().passing();
  }
}

}  // namespace hodor::simulation
