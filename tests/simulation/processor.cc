#include "processor.h"

#include <algorithm>
#include <limits>

namespace hodor::simulation {

double Processor::speed() const {
  if (jobs_.empty()) {
    return 0;
  }
  return (1 - stoppedShare_) * std::min(1.0, cpus_ / static_cast<double>(jobs_.size()));
}

void Processor::advance(double now) {
  const double passed = now - now_;
  const auto jobs = static_cast<double>(jobs_.size());
  virtual_ += speed() * passed;
  ran_ += speed() * jobs * passed;
  waited_ += (1 - stoppedShare_) * std::max(jobs - cpus_, 0.0) * passed;
  stopped_ += stoppedShare_ * passed;
  now_ = now;
}

void Processor::setCpus(double now, double cpus) {
  advance(now);
  cpus_ = cpus;
}

void Processor::setStopped(double now, double share) {
  advance(now);
  stoppedShare_ = share;
}

void Processor::add(double now, double work, Job job) {
  advance(now);
  jobs_.push({virtual_ + work, order_++, job});
}

double Processor::nextDone() const {
  const double pace = speed();
  if (pace <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  return now_ + std::max(jobs_.top().finish - virtual_, 0.0) / pace;
}

Processor::Job Processor::takeDone(double now) {
  advance(now);
  const Entry done = jobs_.top();
  jobs_.pop();
  // Exactly, so that rounding does not add up.
  virtual_ = std::max(virtual_, done.finish);
  return done.job;
}

double Processor::ran(double now) {
  advance(now);
  return ran_;
}

double Processor::waited(double now) {
  advance(now);
  return waited_;
}

double Processor::stopped(double now) {
  advance(now);
  return stopped_;
}

}  // namespace hodor::simulation
