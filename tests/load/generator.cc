#include "tests/load/generator.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace hodor::load {
namespace {

constexpr Duration kTick = std::chrono::milliseconds(250);
constexpr Duration kRetryPause = std::chrono::milliseconds(10);
// Between getting ready and time zero, so that the first arrivals are not late.
constexpr Duration kLead = std::chrono::milliseconds(50);

Duration cpuTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace

Generator::Generator(const Options& options, Report& report)
    : options_(options),
      report_(report),
      io_(1),
      timer_(io_),
      pool_(io_, options, *this),
      arrivals_(options.schedule, options.seed),
      length_(options.closed > 0 ? options.closedLength : totalLength(options.schedule)),
      ledger_(length_) {}

Duration Generator::now() const { return std::chrono::steady_clock::now() - origin_; }

bool Generator::run() {
  origin_ = std::chrono::steady_clock::now() + kLead;
  const auto wall = std::chrono::system_clock::now() + kLead;
  report_.started(
      std::chrono::duration_cast<std::chrono::milliseconds>(wall.time_since_epoch()).count());
  cpuAtSecond_ = cpuTime();
  if (options_.closed > 0) {
    restarts_.assign(static_cast<std::size_t>(options_.closed), Duration{0});
  } else {
    nextArrival_ = arrivals_.next();
  }
  arm(now());
  io_.run();
  const RunFacts facts = this->facts();
  report_.summary(total_, facts);
  return facts.invalidBecause.empty();
}

void Generator::pump() {
  const Duration now = this->now();
  sendDue(now);
  giveUpDue(now);
  if (now >= nextTick_) tick(now);
}

void Generator::sendDue(Duration now) {
  while (nextArrival_ && *nextArrival_ <= now) {
    const Duration scheduled = *nextArrival_;
    nextArrival_ = arrivals_.next();
    start(scheduled, now);
  }
  while (!restarts_.empty() && restarts_.front() <= now) {
    restarts_.pop_front();
    if (now < length_) start(now, now);
  }
}

void Generator::start(Duration scheduled, Duration now, int retries) {
  Request& request = requests_.emplace_back();
  request.retries = retries;
  request.scheduled = scheduled;
  request.lag = now - scheduled;
  ++offered_;
  ledger_.offer(scheduled, request.lag);
  pool_.send(request);
}

void Generator::retry(const Request& request, Duration now) {
  const bool wanted = request.outcome != Outcome::kServed && request.outcome != Outcome::kUnsent;
  if (wanted && request.retries < options_.retries && now < length_) {
    // Requests are offered in the order of their times.
    sendDue(now);
    start(now, now, request.retries + 1);
  }
}

void Generator::onOutcome(Request& request, Outcome outcome) {
  const Duration now = this->now();
  // An answer may be read after the deadline has passed and before it was acted upon.
  const bool late = now - request.scheduled > options_.timeout && outcome <= Outcome::kOther;
  settle(request, late ? Outcome::kLost : outcome, now);
  retry(request, now);
  if (options_.closed > 0) {
    const bool answered = outcome <= Outcome::kOther;
    if (answered && now < length_) start(now, now);
    if (!answered) restarts_.push_back(now + kRetryPause);
  }
  // A burst of answers must not delay what is due. kUnsent comes out of the sending itself.
  if (outcome != Outcome::kUnsent) sendDue(now);
}

void Generator::settle(Request& request, Outcome outcome, Duration now) {
  request.decided = true;
  request.outcome = outcome;
  request.latency = now - request.scheduled;
  ledger_.decide(request.scheduled, outcome, request.latency);
  ++decided_.outcomes[static_cast<std::size_t>(outcome)];
}

void Generator::giveUpDue(Duration now) {
  while (!requests_.empty()) {
    Request& oldest = requests_.front();
    if (!oldest.decided) {
      if (now - oldest.scheduled < options_.timeout) break;
      pool_.abandon(oldest);
      settle(oldest, Outcome::kLost, now);
      retry(oldest, now);
      if (options_.closed > 0) restarts_.push_back(now);
    }
    report_.record(oldest);
    requests_.pop_front();
  }
  printSettled(now);
}

void Generator::printSettled(Duration now) {
  while (ledger_.settled(now)) {
    const std::int64_t second = ledger_.second();
    const Tally tally = ledger_.take();
    worstLagP99_ = std::max(worstLagP99_, tally.lag.quantile(0.99));
    total_.add(tally);
    report_.second(second, tally);
  }
}

void Generator::tick(Duration now) {
  nextTick_ += kTick;
  if (options_.live) report_.live(now, offered_, decided_, pool_.open());
  if (now - wallAtSecond_ >= std::chrono::seconds(1)) {
    const Duration cpu = cpuTime();
    cpuShareOfWorst_ =
        std::max(cpuShareOfWorst_, toSeconds(cpu - cpuAtSecond_) / toSeconds(now - wallAtSecond_));
    cpuAtSecond_ = cpu;
    wallAtSecond_ = now;
  }
}

bool Generator::finished() const { return ledger_.finished() && requests_.empty(); }

void Generator::arm(Duration now) {
  Duration next = nextTick_;
  if (nextArrival_) next = std::min(next, *nextArrival_);
  if (!requests_.empty()) next = std::min(next, requests_.front().scheduled + options_.timeout);
  // Connections of the closed loop may be put in line at any time, each for at least this long.
  if (options_.closed > 0) next = std::min(next, now + kRetryPause);
  timer_.expires_at(origin_ + next);
  timer_.async_wait([this](const boost::system::error_code&) {
    pump();
    if (finished()) {
      io_.stop();
    } else {
      arm(this->now());
    }
  });
}

RunFacts Generator::facts() const {
  RunFacts facts;
  facts.cpuShare = toSeconds(cpuTime()) / toSeconds(now());
  facts.cpuShareOfWorst = cpuShareOfWorst_;
  facts.mostConnections = pool_.mostOpen();
  facts.worstLagP99 = worstLagP99_;
  if (worstLagP99_ > options_.lagLimit) {
    facts.invalidBecause.push_back(
        "the generator lagged: p99 " +
        std::to_string(
            std::chrono::duration_cast<std::chrono::microseconds>(worstLagP99_).count()) +
        " us in its worst second");
  }
  const std::uint64_t unsent = total_.of(Outcome::kUnsent);
  if (unsent > 0) {
    facts.invalidBecause.push_back(
        std::to_string(unsent) + " requests could not be sent: connections (" +
        std::to_string(facts.mostConnections) + " open), ports or descriptors were used up");
  }
  return facts;
}

}  // namespace hodor::load
