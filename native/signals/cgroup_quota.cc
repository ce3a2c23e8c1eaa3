#include "signals/cgroup_quota.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "signals/cpu_groups.h"
#include "signals/small_file.h"

namespace hodor::signals {

namespace {

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

void tighten(CgroupQuota& quota, const std::string& where, std::optional<long> time,
             std::optional<long> period) {
  if (!time || !period || *period <= 0) {
    quota.error = where + " is not understood";
    return;
  }
  if (*time > 0) {  // -1: none
    const double cpus = static_cast<double>(*time) / static_cast<double>(*period);
    quota.cpus = std::min(quota.cpus.value_or(cpus), cpus);
  }
}

void readGroup(CgroupQuota& quota, const CpuGroup& group) {
  if (group.unified) {
    const std::string path = group.folder + "/cpu.max";
    const auto text = readSmallFile(path, quota.error);
    if (!text) {
      return;  // the root group, or the controller is not switched on here
    }
    const std::vector<std::string> parts = splitWords(firstLine(*text));
    if (!parts.empty() && parts[0] == "max") {
      return;
    }
    tighten(quota, path, parts.size() == 2 ? parseNumber(parts[0]) : std::nullopt,
            parts.size() == 2 ? parseNumber(parts[1]) : std::nullopt);
    return;
  }
  const std::string path = group.folder + "/cpu.cfs_quota_us";
  const auto time = readSmallFile(path, quota.error);
  if (!time) {
    return;  // the root group
  }
  const auto period = readSmallFile(group.folder + "/cpu.cfs_period_us", quota.error);
  tighten(quota, path, parseNumber(firstLine(*time)),
          period ? parseNumber(firstLine(*period)) : std::nullopt);
}

}  // namespace

CgroupQuota readCgroupQuota(const std::string& processRoot, const std::string& fileRoot) {
  CgroupQuota quota;
  const CpuGroups found = findCpuGroups(processRoot, fileRoot);
  quota.error = found.error;
  for (const CpuGroup& group : found.groups) {
    readGroup(quota, group);
  }
  return quota;
}

}  // namespace hodor::signals
