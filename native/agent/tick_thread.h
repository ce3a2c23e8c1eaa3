#pragma once

#include "agent/paced_thread.h"
#include "agent/runtime.h"
#include "agent/tick.h"
#include "agent/upcall_thread.h"

namespace hodor::agent {

// The thread `hodor-tick`: runs one control tick every 100 ms, and while there are no requests
// every ten seconds, until the first one comes. Unknown to the JVM, so that neither a pause nor
// Java code can hold up the control loop; what has to be done in Java it posts.
class TickThread final : public PacedThread {
 public:
  static constexpr Duration kPeriod = std::chrono::milliseconds(100);
  // Without requests there is nothing to shed, and waking up is most of what an idle agent costs.
  static constexpr Duration kQuietPeriod = std::chrono::seconds(10);

  TickThread(Runtime& runtime, UpcallThread& upcalls)
      : PacedThread("hodor-tick"), upcalls_(upcalls), tick_(runtime) {}

  // Any thread. Has a changed option taken over now, and ends the long sleep of quiet times.
  void wake() { pacer().ask(); }

 private:
  void run() override;

  UpcallThread& upcalls_;
  Tick tick_;
};

}  // namespace hodor::agent
