#pragma once

#include <condition_variable>
#include <mutex>

#include "detectors/time.h"

namespace hodor::agent {

// Puts one thread to sleep until a time, and lets others wake or stop it at once.
class Pacer {
 public:
  enum class Wake { kTime, kAsked, kStopped };

  // `deadline` is on the clock of monotonicNow().
  Wake sleepUntil(Instant deadline) {
    // std::chrono::steady_clock is CLOCK_MONOTONIC here, and waits on it are not moved by clock
    // steps.
    const std::chrono::steady_clock::time_point until{deadline};
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, [&] { return stopped_ || asked_; });
    if (stopped_) {
      return Wake::kStopped;
    }
    const bool asked = asked_;
    asked_ = false;
    return asked ? Wake::kAsked : Wake::kTime;
  }

  void ask() { set(asked_); }
  void stop() { set(stopped_); }

 private:
  void set(bool& flag) {
    {
      const std::lock_guard lock(mutex_);
      flag = true;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false;
  bool stopped_ = false;
};

// Tells that a thread has ended, to somebody who does not want to wait for ever.
class EndMark {
 public:
  void ended() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  bool awaitEnd(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return ended_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

}  // namespace hodor::agent
