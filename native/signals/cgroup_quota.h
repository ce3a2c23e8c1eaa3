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

// The tightest quota of the own group and its visible parents, cgroup v1 (cpu.cfs_quota_us) and v2
// (cpu.max), found through <processRoot>/cgroup and <processRoot>/mountinfo. A controller that is
// not mounted sets no quota. `fileRoot` stands before the mount points (tests).
CgroupQuota readCgroupQuota(const std::string& processRoot, const std::string& fileRoot);

}  // namespace hodor::signals
