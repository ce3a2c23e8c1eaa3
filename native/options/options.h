#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/cpu_detector.h"
#include "detectors/gc_detector.h"
#include "detectors/heartbeat_detector.h"
#include "detectors/queue_detector.h"
#include "options/address_range.h"

namespace hodor::options {

enum class Mode { kOff, kMonitor, kEnforce };
enum class Strategy { kConcurrency, kPercentage };
enum class Confirm { kNone, kLatency };
enum class GcStalls { kCounters, kJfr };
enum class Switch { kOff, kOn };
// Whose requests nobody waits for any more: of clients that have reset their connection, or also
// of those that have closed it, or their half of it.
enum class Abandoned { kNone, kReset, kClosed };
enum class LogLevel { kError, kWarn, kInfo, kDebug };

// Every setting of the agent, with its default. The table in option_table.cc holds the key, the
// range and the help of each; nothing else may know a key by name. Not thread-safe: a changed set
// is a new object.
struct Options {
  Mode mode = Mode::kMonitor;
  Strategy strategy = Strategy::kConcurrency;
  // Threads that wait for a CPU, per effective CPU.
  std::vector<detectors::Band> cpuBands = detectors::CpuDetector::defaultBands();
  std::chrono::milliseconds heartbeatInterval{10};
  detectors::HeartbeatRule heartbeat;
  // Share of time lost to garbage collection, 0..1.
  std::vector<detectors::Band> gcBands = detectors::GcDetector::defaultBands();
  // Where allocation stalls are read.
  GcStalls gcStalls = GcStalls::kCounters;
  // Wait for a thread of the server's pool, in milliseconds.
  std::vector<detectors::Band> queueBands = detectors::QueueDetector::defaultBands();
  // Whether a detector counts only once latency rose too.
  Confirm confirm = Confirm::kLatency;
  // Detectors that pretend to fire, by name ("cpu", "gc", "queue").
  std::vector<std::string> inject;
  // Whether a root handler is put in front of every Jetty server.
  Switch attach = Switch::kOn;
  // Paths of requests that are never rejected and never counted; `*` stands for any characters.
  std::vector<std::string> exempt = {"/health*", "/ready*", "/live*", "/actuator/health*",
                                     "/metrics*"};
  // The same for all requests of a connector, by its name or its port.
  std::vector<std::string> exemptConnectors = {"admin", "management"};
  // Requests a second that are exempt by their path; the rest is treated like any other.
  std::uint32_t exemptLimit = 1000;
  // In an overload new connections are limited, too, when rejections alone are too dear.
  Switch connections = Switch::kOn;
  Abandoned abandoned = Abandoned::kClosed;
  // Addresses whose connections are never limited.
  std::vector<AddressRange> connectionsExempt = AddressRange::loopback();
  int rejectStatus = 503;
  // Seconds in Retry-After; absent: `auto`, 1 to 3 s with jitter.
  std::optional<std::chrono::seconds> rejectRetryAfter;
  LogLevel logLevel = LogLevel::kInfo;
  // Empty: standard error.
  std::string logFile;

  bool operator==(const Options&) const = default;
};

}  // namespace hodor::options
