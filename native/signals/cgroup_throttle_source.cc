#include "signals/cgroup_throttle_source.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "signals/small_file.h"

namespace hodor::signals {

namespace {

using detectors::ThrottledPeriods;

// "name value" lines. Nothing: the group knows no quota (a root group, or a controller that is not
// switched on here), or, with `error` set, the text is not understood.
std::optional<ThrottledPeriods> parseStat(const std::string& text, const std::string& path,
                                          std::string& error) {
  const std::vector<std::string> parts = splitWords(text);
  const auto valueOf = [&](std::string_view name) {
    const auto found = std::find(parts.begin(), parts.end(), name);
    return found == parts.end() || found + 1 == parts.end() ? std::nullopt
                                                            : std::optional(*(found + 1));
  };
  const auto periods = valueOf("nr_periods");
  const auto throttled = valueOf("nr_throttled");
  if (!periods && !throttled) {
    return std::nullopt;
  }
  const long periodCount = periods ? parseNumber(*periods).value_or(-1) : -1;
  const long throttledCount = throttled ? parseNumber(*throttled).value_or(-1) : -1;
  if (periodCount < 0 || throttledCount < 0) {
    error = path + " is not understood";
    return std::nullopt;
  }
  return ThrottledPeriods{static_cast<std::uint64_t>(periodCount),
                          static_cast<std::uint64_t>(throttledCount)};
}

// Counters that went backwards belong to a new group by an old name.
ThrottledPeriods since(const ThrottledPeriods& now, const ThrottledPeriods& before) {
  if (now.periods < before.periods || now.throttled < before.throttled) {
    return {};
  }
  return {now.periods - before.periods, now.throttled - before.throttled};
}

}  // namespace

bool CgroupThrottleSource::find(Instant now) {
  CpuGroups found = findCpuGroups(processRoot_, fileRoot_);
  if (!found.error.empty()) {
    lastError_ = std::move(found.error);
    foundAt_.reset();
    last_.clear();
    return false;
  }
  groups_ = std::move(found.groups);
  foundAt_ = now;
  return true;
}

std::optional<ThrottledPeriods> CgroupThrottleSource::take(Instant now) {
  if ((!foundAt_ || now - *foundAt_ >= kFindPeriod) && !find(now)) {
    return std::nullopt;
  }
  std::map<std::string, ThrottledPeriods> counts;
  ThrottledPeriods worst;
  for (const CpuGroup& group : groups_) {
    std::string error;
    const std::string path = group.folder + "/cpu.stat";
    const auto text = readSmallFile(path, error);
    const auto count = text ? parseStat(*text, path, error) : std::nullopt;
    if (!error.empty()) {
      lastError_ = std::move(error);
      foundAt_.reset();
      last_.clear();
      return std::nullopt;
    }
    if (!count) {
      continue;
    }
    counts.emplace(group.folder, *count);
    const auto before = last_.find(group.folder);
    const ThrottledPeriods fresh =
        before == last_.end() ? ThrottledPeriods{} : since(*count, before->second);
    if (fresh.throttled > worst.throttled ||
        (fresh.throttled == worst.throttled && fresh.periods > worst.periods)) {
      worst = fresh;
    }
  }
  // A group that has gone: the process was moved, or its hierarchy was taken down.
  if (counts.size() < last_.size()) {
    foundAt_.reset();
  }
  last_ = std::move(counts);
  return worst;
}

}  // namespace hodor::signals
