#pragma once

#include <atomic>
#include <cstdint>

#include "agent/pacer.h"
#include "agent/runtime.h"
#include "agent/tick.h"
#include "agent/upcall_thread.h"

namespace hodor::agent {

// The thread `hodor-tick`: runs one control tick every 100 ms. Unknown to the JVM, so that neither
// a pause nor Java code can hold up the control loop; what has to be done in Java it posts.
class TickThread {
 public:
  static constexpr Duration kPeriod = std::chrono::milliseconds(100);

  TickThread(Runtime& runtime, UpcallThread& upcalls) : upcalls_(upcalls), tick_(runtime) {}

  // False: the system gave no thread.
  bool start();
  // Returns when the thread has ended, or after `patience`.
  void stop(std::chrono::milliseconds patience);
  // Has a changed option taken over now instead of at the next tick.
  void wake() { pacer_.ask(); }

 private:
  static constexpr int kTicksBetweenMBeanChecks = 10;

  void run();

  UpcallThread& upcalls_;
  Tick tick_;
  Pacer pacer_;
  EndMark end_;
  std::atomic<bool> started_{false};
};

}  // namespace hodor::agent
