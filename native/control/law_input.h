#pragma once

#include <optional>

#include "control/load_estimate.h"
#include "detectors/time.h"

namespace hodor::control {

// What a law is told, once a tick. Absent values are unknown.
struct LawInput {
  Instant now{};
  LoadSample load;
  bool overloaded = false;
  // No detector is above its recovery threshold and no pause fell into the tick: a baseline may be
  // learned from it.
  bool healthy = false;
  // A detector fires or is not quiet yet.
  bool pressure = false;
  // Requests were rejected, or would have been, in this tick.
  bool rejecting = false;
  // Threads that wait for a CPU, per effective CPU.
  std::optional<double> runQueue;
  // Wait for a thread of the server's pool.
  std::optional<Duration> queueWait;
  // Wait to be read, in front of whoever decides; as of the last look.
  Duration unreadWait{};
  // New connections are limited, so that what lies unread cannot grow without an end.
  bool connectionsLimited = false;
  // Share of the last second lost to garbage collection, 0..1.
  std::optional<double> gcShare;
  // CPU time used by this process, as a share of its effective CPUs, 0..1.
  double cpuUse = 0;
  double effectiveCpus = 1;
};

}  // namespace hodor::control
