#include "signals/cpu_groups.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "signals/small_file.h"

namespace hodor::signals {

namespace {

struct Mount {
  std::string root;   // the part of the hierarchy that is mounted
  std::string point;  // where
  bool unified = false;
};

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

// mountinfo writes a space as \040.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 3, code, 8).ptr == &text[i + 1] + 3) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// "id parent dev root point options [optional…] - type source superoptions"
std::optional<std::vector<Mount>> cpuMounts(const std::string& processRoot) {
  std::ifstream in(processRoot + "/mountinfo");
  if (!in) {
    return std::nullopt;
  }
  std::vector<Mount> mounts;
  for (std::string line; std::getline(in, line);) {
    if (line.find(" - cgroup") == std::string::npos) {
      continue;  // a host of containers has thousands of lines
    }
    const std::vector<std::string> parts = splitWords(line);
    const auto dash = std::find(parts.begin(), parts.end(), "-");
    if (dash - parts.begin() < 6 || parts.end() - dash < 4) {
      continue;
    }
    const std::string& type = dash[1];
    const bool unified = type == "cgroup2";
    if (unified || (type == "cgroup" && hasWord(dash[3], "cpu"))) {
      mounts.push_back({unescaped(parts[3]), unescaped(parts[4]), unified});
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

// The own group as the mount shows it; "" (the mount point itself) if it lies elsewhere.
std::string belowRoot(const std::string& group, const std::string& root) {
  if (root == "/") {
    return group == "/" ? "" : group;
  }
  const bool below = group.compare(0, root.size(), root) == 0 &&
                     (group.size() == root.size() || group[root.size()] == '/');
  return below ? group.substr(root.size()) : "";
}

}  // namespace

CpuGroups findCpuGroups(const std::string& processRoot, const std::string& fileRoot) {
  CpuGroups found;
  const auto mounts = cpuMounts(processRoot);
  if (!mounts) {
    found.error = processRoot + "/mountinfo cannot be read: " + std::strerror(errno);
    return found;
  }
  for (const Mount& mount : *mounts) {
    const auto own = ownGroup(processRoot, mount.unified);
    if (!own) {
      continue;
    }
    // Seen from inside a container the mount shows only the part below its root.
    std::string group = belowRoot(*own, mount.root);
    for (;;) {
      found.groups.push_back(
          {std::string(fileRoot).append(mount.point).append(group), mount.unified});
      const std::size_t slash = group.rfind('/');
      if (slash == std::string::npos) {
        break;
      }
      group.erase(slash);
    }
  }
  return found;
}

}  // namespace hodor::signals
