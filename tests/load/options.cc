#include "tests/load/options.h"

#include <arpa/inet.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace hodor::load {
namespace {

template <typename Number>
std::optional<Number> parseWhole(std::string_view text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

// "1s", "500ms": more than nothing, up to one minute.
std::optional<Duration> parseLength(std::string_view text) {
  const bool millis = text.ends_with("ms");
  if (!millis && !text.ends_with('s')) return std::nullopt;
  text.remove_suffix(millis ? 2 : 1);
  const double number = parseNumber(text);
  if (number <= 0 || number > (millis ? 60'000 : 60)) return std::nullopt;
  return fromSeconds(millis ? number / 1000 : number);
}

bool isLoopback(const std::string& address) {
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127;
  in6_addr six{};
  in6_addr one{};
  inet_pton(AF_INET6, "::1", &one);
  return inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_ARE_ADDR_EQUAL(&six, &one);
}

bool isVersion6(const std::string& address) { return address.find(':') != std::string::npos; }

std::string parseTarget(const std::string& value, Options& options) {
  const auto colon = value.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : parseWhole<std::uint16_t>(value.substr(colon + 1), 1, 65'535);
  if (!port) return "write an address and a port, for example 127.0.0.1:8080";
  std::string host = value.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (isVersion6(host)) {
    return "write an IPv6 address in brackets, for example [::1]:8080";
  }
  if (!isLoopback(host)) return "only targets in 127.0.0.0/8 and [::1] are allowed";
  options.targetHost = host;
  options.targetPort = *port;
  return {};
}

std::string parseSources(std::string_view value, Options& options) {
  options.sources.clear();
  while (true) {
    const std::string_view part = value.substr(0, value.find(','));
    options.sources.emplace_back(part);
    if (!isLoopback(options.sources.back())) {
      return "write addresses in 127.0.0.0/8 or ::1, separated by commas";
    }
    if (part.size() == value.size()) return {};
    value.remove_prefix(part.size() + 1);
  }
}

bool printable(std::string_view text, char least) {
  for (const char c : text) {
    if (c < least || c > '~') return false;
  }
  return true;
}

// Sets one option; returns what would have been right, or nothing.
std::string setOption(const std::string& name, const std::string& value, Options& options) {
  if (name == "--target") return parseTarget(value, options);
  if (name == "--source") return parseSources(value, options);
  if (name == "--schedule") {
    std::string error;
    options.schedule = parseSchedule(value, error);
    return error;
  }
  if (name == "--closed") {
    const auto count = parseWhole(value, 1, 10'000);
    options.closed = count.value_or(0);
    return count ? "" : "write a number of connections from 1 to 10000";
  }
  if (name == "--seconds") {
    const double seconds = parseNumber(value);
    if (seconds < 0.001 || seconds > 900) return "write seconds from 0.001 to 900";
    options.closedLength = fromSeconds(seconds);
    return {};
  }
  if (name == "--path") {
    options.path = value;
    return value.starts_with('/') && printable(value, '!') ? "" : "write a path like /cpu?rounds=9";
  }
  if (name == "--header") {
    options.headers.push_back(value);
    const auto colon = value.find(':');
    const bool good = colon != std::string::npos && colon > 0 && printable(value, ' ') &&
                      printable(value.substr(0, colon), '!');
    return good ? "" : "write 'Name: value'";
  }
  if (name == "--timeout" || name == "--lag-limit") {
    const auto length = parseLength(value);
    (name == "--timeout" ? options.timeout : options.lagLimit) = length.value_or(Duration{0});
    return length ? "" : "write a duration with its unit up to one minute, for example 500ms or 1s";
  }
  if (name == "--close") {
    options.closeByReset = value == "rst";
    return value == "rst" || value == "fin" ? "" : "write fin or rst";
  }
  if (name == "--retries") {
    const auto count = parseWhole(value, 0, 10);
    options.retries = count.value_or(0);
    return count ? "" : "write a number from 0 to 10";
  }
  if (name == "--seed") {
    const auto seed = parseWhole<std::uint64_t>(value, 0, UINT64_MAX);
    options.seed = seed.value_or(0);
    return seed ? "" : "write a whole number that is not negative";
  }
  if (name == "--max-connections") {
    const auto count = parseWhole(value, 1, 1'000'000);
    options.maxConnections = count.value_or(0);
    return count ? "" : "write a number from 1 to 1000000";
  }
  if (name == "--records") {
    options.recordsFile = value;
    return value.empty() ? "write a file name" : "";
  }
  return "there is no such option; --help lists them";
}

std::string checkWhole(const Options& options) {
  if (options.targetHost.empty()) return "--target is missing, for example --target 127.0.0.1:8080";
  const bool open = !options.schedule.empty();
  if (open == (options.closed > 0)) {
    return "give either --schedule rate:seconds,… or --closed connections --seconds S";
  }
  if (!open && options.closedLength == Duration{0}) return "--closed needs --seconds S";
  if (open && options.closedLength != Duration{0}) return "--seconds belongs to --closed";
  if (!open && options.retries != 0) return "--retries belongs to --schedule";
  for (const std::string& source : options.sources) {
    if (isVersion6(source) != isVersion6(options.targetHost)) {
      return "--source and --target must both be IPv4 or both be IPv6";
    }
  }
  return {};
}

}  // namespace

const char* const kUsage =
    "usage: hodor-load --target 127.0.0.1:PORT (--schedule RATE:SECONDS[,…] | --closed N --seconds "
    "S)\n"
    "  --path /               --header 'Name: value' (repeatable)\n"
    "  --timeout 1s           from the scheduled time; then the request is lost\n"
    "  --close fin|rst        how a lost request's connection is closed (fin)\n"
    "  --retries N            open loop: what is not served is tried again at once, N times at "
    "most "
    "(0)\n"
    "  --source A[,B…]        loopback addresses to connect from, in turn\n"
    "  --max-connections N    bound on open connections (20000); reaching it makes the run "
    "invalid\n"
    "  --lag-limit 5ms        own lag (p99 in a second) above which the run is invalid\n"
    "  --seed N               of the arrivals (1)\n"
    "  --live                 a line of counts every 250 ms\n"
    "  --records FILE         24 bytes a request, little endian, in scheduled order: int64 "
    "scheduled\n"
    "                         ns, int32 latency us, int32 lag us, uint8 outcome, 7 bytes of zero\n"
    "                         (0 served, 1 rejected, 2 other, 3 lost, 4 failed, 5 unsent)\n"
    "Prints JSON lines. Exit: 0 valid, 1 could not run, 2 wrong arguments, 3 an invalid run.\n";

Options parseOptions(const std::vector<std::string>& arguments, std::string& error) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help") {
      options.help = true;
      return options;
    }
    if (name == "--live") {
      options.live = true;
      continue;
    }
    if (i + 1 == arguments.size()) {
      error = name;
      error += name.starts_with("--")
                   ? ": unknown, or its value is missing; --help lists the options"
                   : ": options begin with --; --help lists them";
      return options;
    }
    const std::string& value = arguments[++i];
    const std::string wrong = setOption(name, value, options);
    if (!wrong.empty()) {
      error = name;
      error.append(" ").append(value).append(": ").append(wrong);
      return options;
    }
  }
  error = checkWhole(options);
  return options;
}

}  // namespace hodor::load
