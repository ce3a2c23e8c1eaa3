#pragma once

#include <string>
#include <vector>

namespace hodor::signals {

// A control group with the cpu controller that the process belongs to.
struct CpuGroup {
  std::string folder;
  bool unified = false;  // cgroup v2
};

// Where they lie.
struct CpuGroups {
  std::vector<CpuGroup> groups;
  // Not empty: they cannot be found.
  std::string error;
};

// The own group and its visible parents, of both hierarchies, found through <processRoot>/cgroup
// and <processRoot>/mountinfo; none where the controller is not mounted. A folder need not be
// there: in a container the paths of the host may show. `fileRoot` stands before the mount points
// (tests).
CpuGroups findCpuGroups(const std::string& processRoot, const std::string& fileRoot);

}  // namespace hodor::signals
