#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "admission/queue_watch.h"
#include "agent/connection_keeper.h"
#include "agent/cpu_reader.h"
#include "agent/runtime.h"
#include "agent/source_health.h"
#include "control/controller.h"
#include "control/page_writer.h"
#include "signals/unread_watch.h"

namespace hodor::agent {

// What one control tick does: reads the sources, has the controller decide, publishes the settings,
// writes the page, logs what changed. Owned by `hodor-tick`; knows no JNI.
class Tick {
 public:
  static constexpr Duration kPeriod = std::chrono::milliseconds(100);

  explicit Tick(Runtime& runtime);

  // Takes over options changed at run time. Returns the jni::TickFlags that are due.
  std::uint32_t takeOrders();
  // One tick. Returns the jni::TickFlags that are due.
  std::uint32_t run(Instant now);
  // After the last one: nothing stays in force that needs another.
  void end();
  // How long the next one can wait. If that is longer than kPeriod, the first request ends it, or
  // in times under load the beat.
  [[nodiscard]] Duration rest();

 private:
  // What others than the controller need of the options.
  void takeOver();
  void judge(SourceHealth& source, bool readable, std::string_view why);
  void readSignals(control::TickInput& input);
  void readGc(control::TickInput& input);
  void readCpu(control::TickInput& input);
  // What the sweep says of collection.
  void addThreads(detectors::GcSample& gc) const;
  void readUnread(control::TickInput& input);
  void judgePools(const control::TickInput& input);
  [[nodiscard]] bool runQueueMatters(const control::TickInput& input) const;
  [[nodiscard]] bool probesDue(const control::TickInput& input);
  // One line a tick at log.level=debug: what the decisions were made from.
  void logTick(const control::TickInput& input);
  void logUnread(const detectors::UnreadSample& unread);
  void logReason(Instant now);
  // Once.
  void logExempt(const admission::AdmissionTotals& totals);
  void logTransition(Instant now);
  // An overload is logged when it begins, and who has the CPU may show only a second later.
  void logBlame(Instant now);
  void writeShared();

  Runtime& runtime_;
  options::Options options_;
  std::optional<control::Controller> controller_;
  control::PageWriter writer_;
  CpuReader cpu_;
  ConnectionKeeper connections_;
  signals::UnreadWatch unread_;

  SourceHealth unreadHealth_{"requests unread in the kernel"};
  SourceHealth gcCountersHealth_{"performance counters of the JVM",
                                 "allocation stalls and the heap after collection are not seen"};
  SourceHealth poolHealth_{"wait for the server's pool"};

  std::optional<Instant> lastTick_;
  std::optional<Instant> lastProbe_;
  std::optional<Instant> poolMissingSince_;
  Duration stalls_{};
  bool stalling_ = false;
  bool late_ = false;
  // No overload, no request in flight and none since the tick before.
  bool quiet_ = false;
  // Under load, but nothing stirs.
  bool calm_ = false;
  bool storm_ = false;
  // Quiet, and next to nothing else uses the CPU.
  bool idle_ = false;
  admission::QuietWatch quietWatch_;
  std::uint64_t arrivals_ = 0;
  admission::QueueWatch queueWatch_;
  Duration queueWait_{};
  std::uint64_t queued_ = 0;
  std::uint64_t transitions_ = 0;
  bool exemptLogged_ = false;
  detectors::CpuBlame loggedBlame_ = detectors::CpuBlame::kUnknown;
  std::optional<Instant> lastReasonLog_;
  std::int64_t overloadedSinceEpochMillis_ = 0;
  Instant overloadedSince_{};
};

}  // namespace hodor::agent
