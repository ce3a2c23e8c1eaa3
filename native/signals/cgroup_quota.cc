#include "signals/cgroup_quota.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace hodor::signals {

namespace {

struct Mount {
  std::string root;   // the part of the hierarchy that is mounted
  std::string point;  // where
  bool unified = false;
};

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> parts;
  for (std::string part; in >> part;) {
    parts.push_back(part);
  }
  return parts;
}

bool hasWord(std::string_view list, std::string_view word) {
  std::size_t from = 0;
  while (from <= list.size()) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    if (list.substr(from, to - from) == word) {
      return true;
    }
    from = to + 1;
  }
  return false;
}

// "id parent dev root point options [optional…] - type source superoptions"
std::vector<Mount> cpuMounts(const std::string& processRoot) {
  std::ifstream in(processRoot + "/mountinfo");
  std::vector<Mount> mounts;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> parts = words(line);
    const auto dash = std::find(parts.begin(), parts.end(), "-");
    if (dash - parts.begin() < 6 || parts.end() - dash < 4) {
      continue;
    }
    const std::string& type = dash[1];
    const bool unified = type == "cgroup2";
    if (unified || (type == "cgroup" && hasWord(dash[3], "cpu"))) {
      mounts.push_back({parts[3], parts[4], unified});
    }
  }
  return mounts;
}

// "0::/path" in the unified hierarchy, "3:cpu,cpuacct:/path" in the old one.
std::optional<std::string> ownGroup(const std::string& processRoot, bool unified) {
  std::ifstream in(processRoot + "/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : hasWord(controllers, "cpu")) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

std::optional<std::string> firstLine(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line)) {
    return std::nullopt;
  }
  return line;
}

std::optional<long> number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

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

void readGroup(CgroupQuota& quota, const std::string& folder, bool unified) {
  if (unified) {
    const auto line = firstLine(folder + "/cpu.max");
    if (!line) {
      return;  // the root group, or the controller is not switched on here
    }
    const std::vector<std::string> parts = words(*line);
    if (!parts.empty() && parts[0] == "max") {
      return;
    }
    tighten(quota, folder + "/cpu.max", parts.size() == 2 ? number(parts[0]) : std::nullopt,
            parts.size() == 2 ? number(parts[1]) : std::nullopt);
    return;
  }
  const auto time = firstLine(folder + "/cpu.cfs_quota_us");
  const auto period = firstLine(folder + "/cpu.cfs_period_us");
  if (time && period) {
    tighten(quota, folder + "/cpu.cfs_quota_us", number(*time), number(*period));
  }
}

}  // namespace

CgroupQuota readCgroupQuota(const std::string& processRoot, const std::string& fileRoot) {
  CgroupQuota quota;
  for (const Mount& mount : cpuMounts(processRoot)) {
    const auto own = ownGroup(processRoot, mount.unified);
    if (!own) {
      continue;
    }
    // Seen from inside a container the mount shows only the part below its root.
    std::string group = *own;
    if (mount.root != "/" && group.compare(0, mount.root.size(), mount.root) == 0) {
      group.erase(0, mount.root.size());
    } else if (mount.root != "/") {
      group.clear();
    }
    for (;;) {
      readGroup(quota, std::string(fileRoot).append(mount.point).append(group), mount.unified);
      const std::size_t slash = group.rfind('/');
      if (slash == std::string::npos) {
        break;
      }
      group.erase(slash);
    }
  }
  return quota;
}

}  // namespace hodor::signals
