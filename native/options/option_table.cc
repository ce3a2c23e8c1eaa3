#include "options/option_table.h"

#include <algorithm>
#include <chrono>

#include "options/band_text.h"
#include "options/value_text.h"

namespace hodor::options {

namespace {

using Error = std::optional<std::string>;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::array<std::string_view, 3> kInjectable = {"cpu", "gc", "queue"};
constexpr long kLongestHeartbeatWindows = 300;
constexpr std::string_view kNone = "none";
constexpr std::size_t kMostExempt = 64;
constexpr std::size_t kLongestExempt = 256;
constexpr long kMostExemptPerSecond = 1'000'000;
constexpr std::string_view kStandardError = "stderr";

constexpr const char* kNotInRange = "not in the accepted range";

// The index of `text` among `names`; nothing if it is none of them.
template <std::size_t N>
std::optional<std::size_t> indexOf(const std::array<std::string_view, N>& names,
                                   std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  return found == names.end() ? std::nullopt
                              : std::optional(static_cast<std::size_t>(found - names.begin()));
}

template <typename Enum, std::size_t N>
Error setEnum(const std::array<std::string_view, N>& names, std::string_view text, Enum& target) {
  const auto index = indexOf(names, text);
  if (!index) {
    return "not one of the accepted words";
  }
  target = static_cast<Enum>(*index);
  return std::nullopt;
}

Error setMillis(std::string_view text, milliseconds low, milliseconds high, milliseconds& target) {
  const auto value = parseDuration(text);
  if (!value) {
    return "not a whole number with a unit (ms, s or m)";
  }
  if (*value < low || *value > high) {
    return kNotInRange;
  }
  target = *value;
  return std::nullopt;
}

Error setViolations(Options& options, std::string_view text) {
  const auto parts = split(text, '/');
  const auto late = parseInteger(parts.front());
  const auto windows = parts.size() == 2 ? parseInteger(parts[1]) : std::nullopt;
  if (!late || !windows) {
    return "not late/windows";
  }
  if (*late < 1 || *late > *windows || *windows > kLongestHeartbeatWindows) {
    return kNotInRange;
  }
  options.heartbeat.lateWindows = static_cast<int>(*late);
  options.heartbeat.windows = static_cast<int>(*windows);
  return std::nullopt;
}

Error setInject(Options& options, std::string_view text) {
  std::vector<std::string> chosen;
  if (text != kNone) {
    for (const std::string_view name : split(text, '+')) {
      if (!indexOf(kInjectable, name)) {
        return quote(name) + " is no detector that can be injected";
      }
      if (std::find(chosen.begin(), chosen.end(), name) != chosen.end()) {
        return quote(name) + " stands there twice";
      }
      chosen.emplace_back(name);
    }
  }
  options.inject = std::move(chosen);
  return std::nullopt;
}

// "none" for an empty list.
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text.append(text.empty() ? "" : "+").append(part);
  }
  return text.empty() ? std::string(kNone) : text;
}

// A list of texts of which `accepts` says what is wrong with one; null: nothing.
Error setList(std::string_view text, const char* (*accepts)(std::string_view),
              std::vector<std::string>& target) {
  std::vector<std::string> parts;
  if (text != kNone) {
    for (const std::string_view part : split(text, '+')) {
      if (const char* const wrong = accepts(part)) {
        return quote(part) + wrong;
      }
      if (part.size() > kLongestExempt) {
        return quote(part) + " is longer than 256 characters";
      }
      parts.emplace_back(part);
    }
  }
  if (parts.size() > kMostExempt) {
    return "more than 64 of them";
  }
  target = std::move(parts);
  return std::nullopt;
}

Error setExempt(Options& options, std::string_view text) {
  return setList(
      text,
      [](std::string_view path) {
        const bool good = !path.empty() && (path[0] == '/' || path[0] == '*') && isPath(path);
        return good ? nullptr : " is no path that begins with / or *";
      },
      options.exempt);
}

Error setExemptConnectors(Options& options, std::string_view text) {
  return setList(
      text,
      [](std::string_view connector) {
        return isPath(connector) ? nullptr : " is neither a name nor a port";
      },
      options.exemptConnectors);
}

Error setExemptLimit(Options& options, std::string_view text) {
  const auto limit = parseInteger(text);
  if (!limit || *limit < 1 || *limit > kMostExemptPerSecond) {
    return limit ? kNotInRange : "not a whole number";
  }
  options.exemptLimit = static_cast<std::uint32_t>(*limit);
  return std::nullopt;
}

Error setConnectionsExempt(Options& options, std::string_view text) {
  std::vector<AddressRange> ranges;
  if (text != kNone) {
    for (const std::string_view part : split(text, '+')) {
      const auto range = AddressRange::parse(part);
      if (!range) {
        return "entry " + std::to_string(ranges.size() + 1) +
               " is neither an address nor a range such as 10.0.0.0/8";
      }
      ranges.push_back(*range);
    }
  }
  if (ranges.size() > kMostExempt) {
    return "more than 64 of them";
  }
  options.connectionsExempt = std::move(ranges);
  return std::nullopt;
}

std::string connectionsExemptText(const Options& options) {
  std::vector<std::string> parts;
  for (const AddressRange& range : options.connectionsExempt) {
    parts.push_back(range.text());
  }
  return joined(parts);
}

Error setRejectStatus(Options& options, std::string_view text) {
  const auto status = parseInteger(text);
  if (!status || *status < 400 || *status > 599) {
    return status ? kNotInRange : "not a whole number";
  }
  options.rejectStatus = static_cast<int>(*status);
  return std::nullopt;
}

Error setRetryAfter(Options& options, std::string_view text) {
  if (text == "auto") {
    options.rejectRetryAfter.reset();
    return std::nullopt;
  }
  milliseconds value{};
  if (auto error = setMillis(text, seconds(1), seconds(3600), value)) {
    return error;
  }
  if (value % seconds(1) != milliseconds::zero()) {
    return "not a whole number of seconds";
  }
  options.rejectRetryAfter = std::chrono::duration_cast<seconds>(value);
  return std::nullopt;
}

Error setLogFile(Options& options, std::string_view text) {
  if (text == kStandardError) {
    options.logFile.clear();
    return std::nullopt;
  }
  if (!isPath(text)) {
    return "not a path";
  }
  options.logFile = std::string(text);
  return std::nullopt;
}

template <typename Enum, std::size_t N>
std::string enumName(const std::array<std::string_view, N>& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

constexpr std::array<OptionSpec, 23> kTable = {{
    {"mode", "word", "", "off, monitor, enforce", "monitor",
     "`monitor`: detect, count what would have been rejected, reject nothing. `enforce`: reject. "
     "`off`: detect and count nothing, admit all.",
     true, [](Options& o, std::string_view v) { return setEnum(kModeNames, v, o.mode); },
     [](const Options& o) { return enumName(kModeNames, o.mode); }},
    {"strategy", "word", "", "concurrency, percentage", "concurrency",
     "How load is shed in an overload. `concurrency`: at most so many in flight. "
     "`percentage`: a share of the requests. "
     "Both adapt.",
     true, [](Options& o, std::string_view v) { return setEnum(kStrategyNames, v, o.strategy); },
     [](const Options& o) { return enumName(kStrategyNames, o.strategy); }},
    {"cpu.bands", "bands", "threads per CPU",
     "up to 8 of threshold:duration joined by +, thresholds 0.1 to 10000 rising, durations 100ms "
     "to "
     "1m",
     "4:10s+10:2s+25:500ms",
     "Severity bands of the CPU detector: threads that wait for a CPU, per effective CPU.", true,
     [](Options& o, std::string_view v) { return parseBands(v, kCpuThreshold, o.cpuBands); },
     [](const Options& o) { return formatBands(o.cpuBands, kCpuThreshold); }},
    {"heartbeat.interval", "duration", "ms, s, m", "1ms to 1s", "10ms",
     "How long the heartbeat thread sleeps.", false,
     [](Options& o, std::string_view v) {
       return setMillis(v, milliseconds(1), seconds(1), o.heartbeatInterval);
     },
     [](const Options& o) { return formatDuration(o.heartbeatInterval); }},
    {"heartbeat.limit", "duration", "ms, s, m", "1ms to 10s", "5ms",
     "A window of 100 ms is late if one of its beats woke up later than this.", true,
     [](Options& o, std::string_view v) {
       return setMillis(v, milliseconds(1), seconds(10), o.heartbeat.limit);
     },
     [](const Options& o) { return formatDuration(o.heartbeat.limit); }},
    {"heartbeat.violations", "ratio", "", "late/windows, 1 <= late <= windows <= 300", "28/30",
     "The heartbeat detector fires when so many of so many windows were late.", true, setViolations,
     [](const Options& o) {
       return std::to_string(o.heartbeat.lateWindows) + "/" + std::to_string(o.heartbeat.windows);
     }},
    {"gc.bands", "bands", "%",
     "up to 8 of threshold:duration joined by +, thresholds 0.1% to 100% rising, durations 100ms "
     "to "
     "1m",
     "11%:10s+30%:3s+60%:1s",
     "Severity bands of the garbage-collection detector: share of the time lost, as a mean over "
     "the "
     "duration; a single pause never fires.",
     true, [](Options& o, std::string_view v) { return parseBands(v, kGcThreshold, o.gcBands); },
     [](const Options& o) { return formatBands(o.gcBands, kGcThreshold); }},
    {"gc.stalls", "word", "", "counters, jfr", "counters",
     "Where allocation stalls of ZGC are read. `counters`: the JVM's performance counters, for "
     "nothing. `jfr`: a flight recording that the agent starts and streams, which knows how long "
     "each thread waited, but needs memory itself and comes seconds late; what the counters say "
     "counts "
     "if it is more. Java 14 and later, about 0.8 s of CPU and 50 MB once.",
     false, [](Options& o, std::string_view v) { return setEnum(kGcStallsNames, v, o.gcStalls); },
     [](const Options& o) { return enumName(kGcStallsNames, o.gcStalls); }},
    {"queue.bands", "bands", "ms, s, m",
     "up to 8 of threshold:duration joined by +, thresholds 1ms to 1m rising, durations 100ms to "
     "1m",
     "50ms:10s+200ms:2s+1s:500ms",
     "Severity bands of the queue detector: wait for a thread of the server's pool.", true,
     [](Options& o, std::string_view v) { return parseBands(v, kQueueThreshold, o.queueBands); },
     [](const Options& o) { return formatBands(o.queueBands, kQueueThreshold); }},
    {"confirm", "word", "", "latency, none", "latency",
     "`latency`: a detector that fires counts only once the latency of the requests rose too, the "
     "wait for a thread included; bands of at most 1 s count after 300 ms all the same, and where "
     "no latency is known a detector is believed. `none`: a detector that fires counts.",
     true, [](Options& o, std::string_view v) { return setEnum(kConfirmNames, v, o.confirm); },
     [](const Options& o) { return enumName(kConfirmNames, o.confirm); }},
    {"inject", "list", "", "none, or some of cpu, gc, queue joined by +", "none",
     "Detectors that pretend to fire, for drills and tests. With `mode=enforce` requests are "
     "rejected.",
     true, setInject, [](const Options& o) { return joined(o.inject); }},
    {"attach", "word", "", "on, off", "on",
     "`on`: the agent puts its root handler in front of every Jetty server. `off`: it decides only "
     "where the application has registered the handler or the filter.",
     false, [](Options& o, std::string_view v) { return setEnum(kSwitchNames, v, o.attach); },
     [](const Options& o) { return enumName(kSwitchNames, o.attach); }},
    {"exempt", "list", "",
     "none, or up to 64 paths joined by +, each with / or * first; * matches "
     "any characters",
     "/health*+/ready*+/live*+/actuator/health*+/metrics*",
     "Paths whose requests are never rejected and never counted, up to `exempt.limit`: health, "
     "metrics, what runs the service.",
     true, setExempt, [](const Options& o) { return joined(o.exempt); }},
    {"exempt.connectors", "list", "", "none, or up to 64 names or ports joined by +",
     "admin+management",
     "Jetty connectors, by name or by port, whose requests are never rejected and never counted. "
     "Dropwizard calls one of its own `admin`.",
     true, setExemptConnectors, [](const Options& o) { return joined(o.exemptConnectors); }},
    {"exempt.limit", "number", "", "1 to 1000000", "1000",
     "How many requests a second of exempt paths are exempt, all paths together: orchestrators, "
     "balancers and scrapers need some tens. The rest is counted and "
     "may be rejected like any other, so that such a path is no way around the limit.",
     true, setExemptLimit, [](const Options& o) { return std::to_string(o.exemptLimit); }},
    {"connections", "word", "", "on, off", "on",
     "`on`: in an overload in `enforce` new connections are limited, too, when rejecting requests "
     "costs too much or comes too late. `off`: only requests are rejected.",
     true, [](Options& o, std::string_view v) { return setEnum(kSwitchNames, v, o.connections); },
     [](const Options& o) { return enumName(kSwitchNames, o.connections); }},
    {"connections.exempt", "list", "",
     "none, or up to 64 addresses joined by +, each with a prefix length if it is a range",
     "127.0.0.1+::1",
     "Addresses whose connections are never limited: those that ask whether the service lives.",
     true, setConnectionsExempt, connectionsExemptText},
    {"connections.abandoned", "word", "", "none, reset, closed", "closed",
     "Whose requests are dropped in an overload in `enforce`, right before the application would "
     "see them, as nobody waits for the answer. `reset`: of clients that have reset their "
     "connection. `closed`: also of those that have closed it, which is what a client does that "
     "gave up; one that has closed only its own half gets the answer to a rejection. With either, "
     "requests that arrived more than 500 ms before, too. `none`: of nobody.",
     true, [](Options& o, std::string_view v) { return setEnum(kAbandonedNames, v, o.abandoned); },
     [](const Options& o) { return enumName(kAbandonedNames, o.abandoned); }},
    {"reject.status", "number", "", "400 to 599", "503",
     "Status of a rejection. 503 is what clients, proxies and load balancers take for an overload "
     "that "
     "passes; others may be cached, retried at once or, like 429, blamed on the client.",
     true, setRejectStatus, [](const Options& o) { return std::to_string(o.rejectStatus); }},
    {"reject.retry-after", "duration", "s, m", "auto, or 1s to 3600s in whole seconds", "auto",
     "Value of Retry-After. `auto`: 1 to 3 seconds, jittered, so that clients do not come back "
     "together.",
     true, setRetryAfter,
     [](const Options& o) {
       return o.rejectRetryAfter ? std::to_string(o.rejectRetryAfter->count()) + "s"
                                 : std::string("auto");
     }},
    {"log.level", "word", "", "error, warn, info, debug", "info", "What is logged.", true,
     [](Options& o, std::string_view v) { return setEnum(kLogLevelNames, v, o.logLevel); },
     [](const Options& o) { return enumName(kLogLevelNames, o.logLevel); }},
    {"log.file", "path", "", "stderr, or a path that can be written", "stderr",
     "Where the log goes. A file that cannot be opened is reported on standard error, which is "
     "used "
     "then.",
     false, setLogFile,
     [](const Options& o) { return o.logFile.empty() ? std::string(kStandardError) : o.logFile; }},
    {"config", "path", "", "a readable file of at most 64 KiB, only in the option string", "",
     "A file with one `key=value` a line and `#` comments. The option string wins over it.", false,
     nullptr, nullptr},
}};

// Levenshtein distance: single-character edits from one text to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitution});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const OptionSpec> optionTable() { return kTable; }

const OptionSpec* findOption(std::string_view key) {
  const auto* const found = std::find_if(kTable.begin(), kTable.end(),
                                         [&](const OptionSpec& spec) { return spec.key == key; });
  return found == kTable.end() ? nullptr : &*found;
}

std::string describeUnknown(std::string_view key) {
  constexpr std::size_t kLongestCompared = 64;
  const auto* const nearest =
      std::min_element(kTable.begin(), kTable.end(), [&](const OptionSpec& a, const OptionSpec& b) {
        const std::string_view start = key.substr(0, kLongestCompared);
        return distance(start, a.key) < distance(start, b.key);
      });
  return "unknown key " + quote(key) + "; the nearest right key is " + std::string(nearest->key);
}

std::string valueOf(const Options& options, std::string_view key) {
  const OptionSpec* const spec = findOption(key);
  return spec == nullptr || spec->get == nullptr ? std::string() : spec->get(options);
}

std::vector<std::pair<std::string, std::string>> render(const Options& options) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const OptionSpec& spec : kTable) {
    if (spec.get != nullptr) {
      settings.emplace_back(spec.key, spec.get(options));
    }
  }
  return settings;
}

}  // namespace hodor::options
