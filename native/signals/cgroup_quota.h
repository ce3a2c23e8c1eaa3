#pragma once

#include <optional>
#include <string>

namespace hodor::signals {

// How many CPUs the control groups of this process leave it.
struct CgroupQuota {
  // CPUs, fractions kept; absent: no quota.
  std::optional<double> cpus;
  // Not empty: a quota file that is there could not be understood.
  std::string error;
};

// The tightest quota of the own group and its visible parents (see findCpuGroups), cgroup v1
// (cpu.cfs_quota_us) and v2 (cpu.max). A controller that is not mounted sets no quota.
CgroupQuota readCgroupQuota(const std::string& processRoot, const std::string& fileRoot);

}  // namespace hodor::signals
