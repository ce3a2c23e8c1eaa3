#include "signals/machine_cpu_source.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

namespace hodor::signals {

namespace {

using detectors::MachineCpu;

// user nice system idle iowait irq softirq steal; guest time is part of user and nice.
constexpr std::size_t kFields = 8;
constexpr std::array<std::size_t, 5> kBusyFields = {0, 1, 2, 5, 6};
constexpr std::size_t kStealField = 7;

// Takes a number off the front of `text`.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// A kernel's tick is its unit; a counter that goes backwards adds nothing.
Duration grown(std::uint64_t now, std::uint64_t before, long ticksPerSecond) {
  const std::uint64_t ticks = now > before ? now - before : 0;
  return Duration(static_cast<Duration::rep>(ticks) * (1'000'000'000 / ticksPerSecond));
}

}  // namespace

std::optional<MachineCpu> MachineCpuSource::take(const std::vector<int>& cpus) {
  const long ticksPerSecond = std::max(sysconf(_SC_CLK_TCK), 1L);
  std::ifstream in(path_);
  MachineCpu sum;
  std::map<int, Counters> seen;
  for (std::string line; std::getline(in, line);) {
    std::string_view text(line);
    if (!text.starts_with("cpu")) {
      break;  // the CPUs come first
    }
    text.remove_prefix(3);
    if (text.starts_with(' ')) {
      continue;  // the sum of all
    }
    const auto number = takeNumber(text);
    if (!number || !std::binary_search(cpus.begin(), cpus.end(), static_cast<int>(*number))) {
      continue;
    }
    std::array<std::uint64_t, kFields> fields{};
    bool whole = true;
    for (std::uint64_t& field : fields) {
      const auto value = takeNumber(text);
      whole = whole && value;
      field = value.value_or(0);
    }
    if (!whole) {
      continue;
    }
    Counters counters{.stolen = fields[kStealField]};
    for (const std::size_t field : kBusyFields) {
      counters.busy += fields[field];
    }
    const int cpu = static_cast<int>(*number);
    const auto before = last_.find(cpu);
    if (before != last_.end()) {
      sum.busy += grown(counters.busy, before->second.busy, ticksPerSecond);
      sum.stolen += grown(counters.stolen, before->second.stolen, ticksPerSecond);
    }
    seen.emplace(cpu, counters);
  }
  last_ = std::move(seen);
  sum.cpus = static_cast<int>(last_.size());
  if (last_.empty()) {
    lastError_ = path_ + (in.is_open() ? std::string(" does not show the CPUs of this process")
                                       : std::string(" cannot be read: ") + std::strerror(errno));
    return std::nullopt;
  }
  return sum;
}

}  // namespace hodor::signals
