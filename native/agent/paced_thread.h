#pragma once

#include <chrono>

#include "agent/native_thread.h"
#include "agent/pacer.h"

namespace hodor::agent {

// A thread of the agent: it has a name, sleeps by a pacer, and ends when asked.
class PacedThread {
 public:
  PacedThread(const PacedThread&) = delete;
  PacedThread& operator=(const PacedThread&) = delete;

  // False: the system gave no thread. At most once, and never beside stop().
  bool start() {
    started_ = startThread(name_, [this] {
      run();
      end_.ended();
    });
    return started_;
  }

  // Returns when the thread has ended, or after `patience`; at once if it was never started.
  void stop(std::chrono::milliseconds patience) {
    pacer_.stop();
    if (started_) {
      end_.awaitEnd(patience);
    }
  }

 protected:
  explicit PacedThread(const char* name) : name_(name) {}
  // Not destroyed while it runs: the owner outlives the process.
  ~PacedThread() = default;

  // The body. Returns once the pacer says kStopped.
  virtual void run() = 0;

  Pacer& pacer() { return pacer_; }

 private:
  const char* const name_;
  Pacer pacer_;
  EndMark end_;
  bool started_ = false;
};

}  // namespace hodor::agent
