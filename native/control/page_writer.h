#pragma once

#include <cstdint>
#include <string_view>

#include "control/connection_totals.h"
#include "control/controller.h"
#include "metrics/page.h"

namespace hodor::control {

// Writes what the controller knows into the metrics page. Owned by the control thread.
class PageWriter {
 public:
  explicit PageWriter(metrics::MetricsPage& page) : page_(page) {}

  // `sinceEpochMillis`: when the present overload began, wall clock; 0 without one.
  void write(const Controller& controller, const admission::AdmissionTotals& totals,
             const ConnectionTotals& connections, Duration elapsed, std::int64_t sinceEpochMillis);
  // Mode, status and Retry-After.
  void writeOptions(const options::Options& options);
  // The agent watches nothing: every detector is stale, nothing is limited.
  void writeOff(std::string_view reason);
  // Counters start again from zero; what is in flight stays. `controller` is null while off.
  void resetCounters(const Controller* controller, const admission::AdmissionTotals& totals,
                     const ConnectionTotals& connections);

 private:
  void writeDetector(const Controller& controller, Cause cause, bool sentences);
  void writeLaw(const Controller& controller);
  void writeConnections(const ConnectionTotals& connections);

  metrics::MetricsPage& page_;
  admission::AdmissionTotals base_;
  ConnectionTotals baseConnections_;
  std::array<std::uint64_t, kCauseCount> baseFirings_{};
  std::uint64_t lastAdmitted_ = 0;
  std::uint64_t lastRejected_ = 0;
  Ewma admittedRate_{std::chrono::seconds(1)};
  Ewma rejectedRate_{std::chrono::seconds(1)};
  std::uint64_t lastTransitions_ = 0;
  detectors::CpuBlame lastBlame_ = detectors::CpuBlame::kUnknown;
  // Sentences cost more than numbers: once a second is enough for a reader, at once on a change.
  Duration sentencesDue_{};
};

}  // namespace hodor::control
