#include "signals/cgroup_quota.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
    const std::vector<std::string> parts = words(line);
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

// The first line of a file; nothing if there is no such file, or, with `error` set, if it cannot be
// read.
std::optional<std::string> firstLine(const std::string& path, std::string& error) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 128> text;
  const ssize_t length = descriptor < 0 ? -1 : read(descriptor, text.data(), text.size());
  const int failure = errno;
  if (descriptor >= 0) {
    close(descriptor);
  }
  if (length >= 0) {
    const std::string_view all(text.data(), static_cast<std::size_t>(length));
    return std::string(all.substr(0, all.find('\n')));
  }
  // ENODEV: the group was removed while its file was open.
  if (failure != ENOENT && failure != ENOTDIR && failure != ENODEV) {
    error = path + " cannot be read: " + std::strerror(failure);
  }
  return std::nullopt;
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
    const auto line = firstLine(folder + "/cpu.max", quota.error);
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
  const auto time = firstLine(folder + "/cpu.cfs_quota_us", quota.error);
  if (!time) {
    return;  // the root group
  }
  const auto period = firstLine(folder + "/cpu.cfs_period_us", quota.error);
  tighten(quota, folder + "/cpu.cfs_quota_us", number(*time),
          period ? number(*period) : std::nullopt);
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

CgroupQuota readCgroupQuota(const std::string& processRoot, const std::string& fileRoot) {
  CgroupQuota quota;
  const auto mounts = cpuMounts(processRoot);
  if (!mounts) {
    quota.error = processRoot + "/mountinfo cannot be read: " + std::strerror(errno);
    return quota;
  }
  for (const Mount& mount : *mounts) {
    const auto own = ownGroup(processRoot, mount.unified);
    if (!own) {
      continue;
    }
    // Seen from inside a container the mount shows only the part below its root.
    std::string group = belowRoot(*own, mount.root);
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
