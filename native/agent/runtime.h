#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/admission.h"
#include "admission/rest.h"
#include "agent/beat_thread.h"
#include "agent/error_book.h"
#include "agent/settings_desk.h"
#include "connections/probe_clients.h"
#include "connections/served_ports.h"
#include "control/calm.h"
#include "metrics/page.h"
#include "options/options.h"
#include "signals/gc_counters_source.h"
#include "signals/gc_pause_source.h"
#include "signals/heartbeat_source.h"
#include "signals/pool_wait_source.h"
#include "signals/stall_events_source.h"

namespace spdlog {
class logger;
}

namespace hodor::agent {

// All that request threads, JVMTI callbacks and the two threads of the agent share. One object,
// made in OnLoad or OnAttach and never destroyed: a request thread may call in at any time, in
// VMDeath too.
class Runtime {
 public:
  // `wrongOptions`: not empty means off for good, and says why.
  Runtime(const options::Options& options, std::string wrongOptions,
          std::shared_ptr<spdlog::logger> logger);

  admission::Admission admission;
  admission::Rest rest;
  control::Calm calm;
  signals::PoolWaitSource poolWait;
  signals::GcPauseSource gcPauses;
  signals::GcCountersSource gcCounters;
  signals::StallEventsSource stallEvents;
  signals::HeartbeatSource heartbeat;
  InFlightSampler inFlight;
  metrics::MetricsPage page;
  connections::ServedPorts servedPorts;
  connections::ProbeClients probeClients;
  // Which clients count as gone.
  std::atomic<options::Abandoned> abandoned{options::Abandoned::kClosed};
  ErrorBook errors;
  SettingsDesk settings;

  [[nodiscard]] spdlog::logger& log() const { return *logger_; }
  [[nodiscard]] const std::string& wrongOptions() const { return wrongOptions_; }
  [[nodiscard]] bool offForGood() const { return !wrongOptions_.empty(); }

  // Nothing on success, else the sentence that says what was wrong and what would be right.
  std::optional<std::string> setOption(std::string_view key, std::string_view value);

  // A gate stands before an application. What is watched, for the log and JMX `Attached`, and how
  // many gates there are, for the gates.
  void attached(std::string_view what);
  void detached(std::string_view what);
  [[nodiscard]] std::string attachedLines() const;

  // A server is not watched, and why. Said once for each text.
  void notAttached(std::string_view why);

  // There are too many pools. Said once.
  void poolNotWatched(std::string_view name);

  // Something of ours failed and the request was admitted.
  void failedOpen(std::string_view what);

 private:
  static constexpr std::size_t kMostAttached = 16;

  // With the lock held.
  void countGates(std::int64_t more);

  const std::string wrongOptions_;
  const std::shared_ptr<spdlog::logger> logger_;
  mutable std::mutex mutex_;
  std::vector<std::string> attached_;
  std::int64_t gates_ = 0;
  std::vector<std::string> notAttached_;
  std::atomic<bool> tooManyPools_{false};
};

// The one runtime of the process; null before the agent was loaded.
Runtime* runtime();
// The first one given stays; false for a second.
bool installRuntime(std::unique_ptr<Runtime> runtime);

}  // namespace hodor::agent
