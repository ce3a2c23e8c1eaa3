#include "signals/descriptor_range.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

namespace hodor::signals {

namespace {

// A listing finds what the tries miss: descriptors behind a gap, and a range that has shrunk.
constexpr Duration kListPeriod = std::chrono::seconds(10);
// More descriptors, rarer listings: their cost stays below 0.02 % of a CPU.
constexpr Duration kListPeriodPerDescriptor = std::chrono::milliseconds(5);
// So many closed numbers in a row are taken for the end.
constexpr int kGap = 64;
// New descriptors taken in by one call; the next call goes on.
constexpr int kMostNew = 2048;

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

bool isOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

}  // namespace

DescriptorRange::DescriptorRange(std::string processRoot)
    : folder_(std::move(processRoot) + "/fd") {}

std::optional<int> DescriptorRange::end(Instant now) {
  const bool due =
      !lastList_ || now - *lastList_ >= kListPeriod + listed_ * kListPeriodPerDescriptor;
  if (due && list()) {
    lastList_ = now;
    return end_;
  }
  // A process that has run out of descriptors cannot list them, but has something to watch.
  if (!lastList_) {
    return std::nullopt;
  }
  extend();
  return end_;
}

bool DescriptorRange::list() {
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(folder_.c_str()));
  if (!folder) {
    lastError_ = folder_ + " cannot be read: " + std::strerror(errno);
    return false;
  }
  end_ = 0;
  listed_ = 0;
  while (const dirent* const entry = readdir(folder.get())) {
    int descriptor = 0;
    const char* const name = entry->d_name;
    if (std::from_chars(name, name + std::strlen(name), descriptor).ec == std::errc{}) {
      ++listed_;
      end_ = std::max(end_, descriptor + 1);
    }
  }
  return true;
}

void DescriptorRange::extend() {
  const int most = end_ + kMostNew;
  for (int descriptor = end_; descriptor < std::min(end_ + kGap, most); ++descriptor) {
    if (isOpen(descriptor)) {
      end_ = descriptor + 1;
    }
  }
}

}  // namespace hodor::signals
