#pragma once

#include "agent/paced_thread.h"
#include "agent/runtime.h"
#include "agent/tick.h"
#include "agent/upcall_thread.h"

namespace hodor::agent {

// The thread `hodor-tick`: runs one control tick every 100 ms, less often while nothing
// stirs, rarely while there are no requests, and again once the first one comes. Unknown to the
// JVM, so that neither a pause nor Java code can hold up the control loop; what has to be done in
// Java it posts.
class TickThread final : public PacedThread {
 public:
  TickThread(Runtime& runtime, UpcallThread& upcalls)
      : PacedThread("hodor-tick"), upcalls_(upcalls), tick_(runtime) {}

  // Any thread. Has a changed option taken over now, and ends a long sleep.
  void wake() { pacer().ask(); }

 private:
  void run() override;

  UpcallThread& upcalls_;
  Tick tick_;
};

}  // namespace hodor::agent
