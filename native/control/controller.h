#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "admission/admission.h"
#include "admission/settings.h"
#include "control/cause.h"
#include "control/concurrency_law.h"
#include "control/connection_law.h"
#include "control/latency_confirmation.h"
#include "control/overload_gate.h"
#include "control/overload_state.h"
#include "control/percentage_law.h"
#include "detectors/cpu_detector.h"
#include "detectors/gc_detector.h"
#include "detectors/heartbeat_detector.h"
#include "detectors/queue_detector.h"
#include "detectors/samples.h"
#include "options/options.h"

namespace hodor::control {

// Everything that one tick knows of the world. A signal that could not be read is absent.
struct TickInput {
  Instant now{};
  Duration elapsed{};  // since the last tick, > 0
  // That long on purpose, as there were no requests.
  bool rested = false;
  std::optional<detectors::HeartbeatSample> heartbeat;
  // False: nothing suggested that the run queues need to be read in this tick; `cpu` says nothing
  // then, and the detector keeps its verdict.
  bool cpuRead = true;
  std::optional<detectors::CpuSample> cpu;
  std::optional<detectors::GcSample> gc;
  std::optional<detectors::QueueSample> queue;
  // As of the last look: nothing suggests one in each tick.
  std::optional<detectors::UnreadSample> unread;
  // CPU time used by the process, as a share of its effective CPUs.
  double cpuUse = 0;
  double effectiveCpus = 1;
  // Mean of the in-flight samples taken during the tick; absent: the present number is used.
  std::optional<double> inFlightMean;
  admission::AdmissionTotals totals;
  // Connections that were ever established here; absent: unknown.
  std::optional<std::uint64_t> connectionsOpened;
  // The share of the new ones that could pass since the last tick.
  double connectionsPassed = 1;
};

// Detect, decide, and say what admission shall do: one tick of the control loop. Not thread-safe:
// one thread owns it. It reads no clock and knows no JVM.
class Controller {
 public:
  explicit Controller(const options::Options& options);

  // The settings to publish to admission.
  admission::AdmissionSettings tick(const TickInput& input);
  // The same, as the last tick and the options left them.
  [[nodiscard]] admission::AdmissionSettings settings() const;

  // Takes over changed options; detectors and laws whose settings did not change keep their memory.
  void reconfigure(const options::Options& options);

  [[nodiscard]] const OverloadState& state() const { return state_; }
  [[nodiscard]] const Verdicts& verdicts() const { return verdicts_; }
  // No overload, and no detector is near one.
  [[nodiscard]] bool isCalm() const;
  // Who has the CPU time that threads wait for.
  [[nodiscard]] detectors::CpuBlame cpuBlame() const { return cpu_.blame(); }
  // How often each detector began to fire.
  [[nodiscard]] std::uint64_t firings(Cause cause) const;
  [[nodiscard]] std::string_view unit(Cause cause) const;
  // A sentence on what the detector sees.
  [[nodiscard]] std::string explain(Cause cause) const;
  // A sentence on the state that a person can act on.
  [[nodiscard]] std::string reason() const;
  // Absent while no limit is in force.
  [[nodiscard]] std::optional<std::uint32_t> limit() const { return limit_; }
  [[nodiscard]] std::optional<double> dropShare() const { return dropShare_; }
  // The law of strategy=concurrency, which learns whatever the strategy is.
  [[nodiscard]] const ConcurrencyLaw& law() const { return concurrency_; }
  // Share of the time lost to garbage collection, lately; absent: unknown.
  [[nodiscard]] std::optional<double> gcShare() const { return gcShare_; }
  // What share of the new connections shall pass.
  [[nodiscard]] const ConnectionLaw& connections() const { return connections_; }
  // Seconds that a newcomer waits beyond what is normal; 0 while that is not known.
  [[nodiscard]] double excess() const { return gate_.excess(); }

 private:
  void detect(const TickInput& input);
  void observe(const TickInput& input);
  // Stop-the-world time since the last tick; zero if that is unknown.
  [[nodiscard]] Duration pausedIn(const TickInput& input) const;
  // The gate makes the detector that sees the reason fire, before its bands do or without them.
  void watchBacklog(const TickInput& input);
  // The verdicts that count: those that begin an overload have to be confirmed.
  [[nodiscard]] Verdicts confirmed(const TickInput& input, const LawInput& law);
  // Whether it fires by a band of at most so long.
  [[nodiscard]] bool isOfBand(Cause cause, Duration longest) const;
  [[nodiscard]] bool isSevere(Cause cause) const;
  // Whether it fires for what a burst or a pause has left, which is no beginning of an overload.
  [[nodiscard]] bool passes(Cause cause) const;
  [[nodiscard]] const std::vector<detectors::Band>* bandsOf(Cause cause) const;
  [[nodiscard]] bool injected(Cause cause) const;
  [[nodiscard]] LawInput lawInput(const TickInput& input);
  // `rejected`: since the last tick.
  void limitConnections(const TickInput& input, const LawInput& law, std::uint64_t rejected);

  options::Options options_;
  detectors::HeartbeatDetector heartbeat_;
  detectors::CpuDetector cpu_;
  detectors::GcDetector gc_;
  detectors::QueueDetector queue_;
  Verdicts verdicts_{};
  std::array<std::uint64_t, kCauseCount> firings_{};
  OverloadGate gate_;
  Cause gateCause_ = Cause::kNone;
  LatencyConfirmation confirmation_;
  // Firing, but requests do not suffer.
  std::array<bool, kCauseCount> unconfirmed_{};
  // Firing, but what it sees is about to pass.
  std::array<bool, kCauseCount> passing_{};
  // For how long each detector has been in a severe band.
  std::array<Duration, kCauseCount> severe_{};
  OverloadState state_;
  ConcurrencyLaw concurrency_;
  PercentageLaw percentage_;
  ConnectionLaw connections_;
  std::optional<std::uint64_t> lastOpened_;
  std::optional<std::uint32_t> limit_;
  std::optional<double> dropShare_;
  std::optional<admission::AdmissionTotals> lastTotals_;
  std::optional<detectors::GcSample> lastGc_;
  std::optional<double> gcShare_;
  std::optional<double> runQueue_;
};

}  // namespace hodor::control
