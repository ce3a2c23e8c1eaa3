#include "control/connection_law.h"

#include <algorithm>
#include <cmath>

namespace hodor::control {

namespace {

// Clients of a healthy server are answered in less than any of them; those that gave up wait for a
// second or so.
constexpr double kLongWait = 0.1;
constexpr double kShortWait = 0.04;
// Measured with Jetty 12.1 on one CPU: accept, the objects of a connection, its first request, and
// its end; a request that is read and rejected on a connection that exists.
constexpr double kSecondsPerConnection = 120e-6;
constexpr double kSecondsPerRejection = 20e-6;
constexpr double kDear = 0.25;
constexpr double kSpareCpu = 0.85;
// Rejections on connections that exist: from what share of the CPUs on, and from how many for each
// request that is answered on, some of them close theirs. Fast services reject many for little, and
// a load balancer should find its connections open.
constexpr double kDearRejections = 0.1;
constexpr double kManyRejections = 10;
constexpr double kMostClosing = 0.2;
// A connection of Jetty has some 20 KB in the heap; a few thousand of them fill a small one.
constexpr double kShortMemory = 0.1;
constexpr double kCrowdRejections = 3;
constexpr double kClosingForMemory = 0.1;
// All connections have a request that waits, and new ones hardly pass: it is these that are too
// many. Of n connections whose requests wait for w, n / w are rejected a second, so this share of
// the rejections closes in half a second all but those whose requests would wait shortly.
constexpr double kClosingTime = 0.5;
constexpr double kMostClosingForWait = 0.7;
// Tried with success where a request takes 2 ms: 300 to 500 on one CPU.
constexpr double kFirstPerCpu = 400;
constexpr double kLeastPerCpu = 20;
constexpr double kCut = 0.6;
constexpr double kGrowth = 1.05;
constexpr double kSlowGrowth = 1.01;
constexpr double kGrowthWithSpareCpu = 1.3;
// What a cut does shows when what had passed before it has been read.
constexpr Duration kCutPeriod = std::chrono::milliseconds(300);
constexpr Duration kRoomLasts = std::chrono::seconds(2);
constexpr double kSmoothing = 0.3;
constexpr double kDraining = 0.95;

double smoothed(double average, double value, double elapsed) {
  return average + (value - average) * (1 - std::exp(-elapsed / kSmoothing));
}

}  // namespace

double ConnectionLaw::dearness(const Input& input) const {
  return offered_ * kSecondsPerConnection / input.effectiveCpus + costOfRejections(input);
}

double ConnectionLaw::costOfRejections(const Input& input) const {
  return rejections_ * kSecondsPerRejection / input.effectiveCpus;
}

bool ConnectionLaw::congested(const Input& input) const {
  return input.cpuUse > kSpareCpu && std::max(input.unreadWait, input.acceptWait) > kLongWait;
}

void ConnectionLaw::observe(const Input& input) {
  const double elapsed = toSeconds(input.elapsed);
  offered_ =
      smoothed(offered_, static_cast<double>(input.opened) / elapsed / input.passed, elapsed);
  rejections_ = smoothed(rejections_, static_cast<double>(input.rejected) / elapsed, elapsed);
}

void ConnectionLaw::begin(const Input& input) {
  budget_ = std::max(kFirstPerCpu * input.effectiveCpus, input.throughput);
  if (tooMuch_ > 0) {
    budget_ = std::min(*budget_, tooMuch_);
  }
  lastCut_ = input.now;
  roomSince_.reset();
}

void ConnectionLaw::adapt(const Input& input) {
  const double wait = std::max(input.unreadWait, input.acceptWait);
  const double least = kLeastPerCpu * input.effectiveCpus;
  if (congested(input)) {
    // What waits there drains already: let it.
    const bool drains = wait < kDraining * lastWait_;
    if (!drains && input.now - *lastCut_ >= kCutPeriod) {
      tooMuch_ = *budget_;
      budget_ = std::max(*budget_ * kCut, least);
      lastCut_ = input.now;
    }
  } else if (input.cpuUse < kSpareCpu) {
    budget_ = *budget_ * kGrowthWithSpareCpu;
  } else if (wait < kShortWait && closing_ == 0) {
    budget_ = *budget_ * (*budget_ > kCut * tooMuch_ && tooMuch_ > 0 ? kSlowGrowth : kGrowth);
  }
}

bool ConnectionLaw::crowded(const Input& input) const {
  return input.gcShare.value_or(0) > kShortMemory &&
         rejections_ > kCrowdRejections * input.throughput;
}

void ConnectionLaw::close(const Input& input) {
  const double many = kManyRejections * input.throughput;
  closing_ = 0;
  if (rejections_ > many && input.cpuUse > kSpareCpu) {
    closing_ = std::clamp(costOfRejections(input) - kDearRejections, 0.0, kMostClosing);
  }
  if (rejections_ + offered_ > many && congested(input)) {
    const double wait = std::max(input.unreadWait, input.acceptWait);
    closing_ =
        std::max(closing_, std::min((wait - kShortWait) / kClosingTime, kMostClosingForWait));
  }
  if (crowded(input)) {
    closing_ = std::max(closing_, kClosingForMemory);
  }
}

void ConnectionLaw::end() {
  budget_.reset();
  roomSince_.reset();
  passing_ = 1;
  closing_ = 0;
}

double ConnectionLaw::tick(const Input& input) {
  observe(input);
  if (!input.overloaded) {
    end();
    tooMuch_ = 0;
    lastWait_ = 0;
    return passing_;
  }
  if (!budget_) {
    if (congested(input) || crowded(input) ||
        (dearness(input) > kDear && input.cpuUse > kSpareCpu)) {
      begin(input);
    }
  } else {
    adapt(input);
  }
  lastWait_ = std::max(input.unreadWait, input.acceptWait);
  if (!budget_) {
    return passing_;
  }
  close(input);
  // Whose connection closes comes with a new one.
  const double offered = offered_ + (closing_ > 0 ? rejections_ : 0);
  const bool room = *budget_ >= offered;
  if (!room) {
    roomSince_.reset();
  } else if (!roomSince_) {
    roomSince_ = input.now;
  }
  if (roomSince_ && input.now - *roomSince_ >= kRoomLasts && !congested(input)) {
    end();
    return passing_;
  }
  passing_ = room ? 1 : std::max(*budget_ / offered, kFloor);
  return passing_;
}

}  // namespace hodor::control
