#include "signals/run_queue_source.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace hodor::signals {

namespace {

// The number of threads may stay while its members change.
constexpr int kSweepsBetweenScans = 10;
constexpr std::size_t kMostDescriptors = 1024;

std::size_t descriptorBudget() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kMostDescriptors;
  }
  return std::min<std::size_t>(kMostDescriptors, limit.rlim_cur / 8);
}

bool isNumber(const char* name) {
  return *name != '\0' && std::strspn(name, "0123456789") == std::strlen(name);
}

// "<run> <wait> <slices>": the second number.
std::optional<std::uint64_t> secondNumber(const char* text, std::size_t length) {
  const char* const end = text + length;
  const char* at = std::find(text, end, ' ');
  if (at == end) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(at + 1, end, value);
  return error == std::errc{} && stop != end ? std::optional(value) : std::nullopt;
}

}  // namespace

RunQueueSource::RunQueueSource(std::string processRoot)
    : taskRoot_(std::move(processRoot) + "/task"), mostOpen_(descriptorBudget()) {}

RunQueueSource::~RunQueueSource() {
  for (auto& [name, thread] : threads_) {
    close(thread);
  }
}

void RunQueueSource::close(Thread& thread) {
  if (thread.descriptor >= 0) {
    ::close(thread.descriptor);
    thread.descriptor = -1;
    --open_;
  }
}

bool RunQueueSource::scanDue() {
  // A task folder has one link for each thread, and two more.
  struct stat status {};
  const bool counted = stat(taskRoot_.c_str(), &status) == 0;
  const bool due = !counted || status.st_nlink != linksAtScan_ ||
                   ++sweepsSinceScan_ >= kSweepsBetweenScans;
  if (due) {
    linksAtScan_ = counted ? status.st_nlink : 0;
    sweepsSinceScan_ = 0;
  }
  return due;
}

bool RunQueueSource::scan() {
  DIR* const folder = opendir(taskRoot_.c_str());
  if (folder == nullptr) {
    lastError_ = taskRoot_ + " cannot be read: " + std::strerror(errno);
    return false;
  }
  ++scans_;
  while (const dirent* entry = readdir(folder)) {
    if (isNumber(entry->d_name)) {
      threads_[entry->d_name].seenInScan = scans_;
    }
  }
  closedir(folder);
  for (auto it = threads_.begin(); it != threads_.end();) {
    if (it->second.seenInScan == scans_) {
      ++it;
    } else {
      close(it->second);
      it = threads_.erase(it);
    }
  }
  return true;
}

std::optional<std::uint64_t> RunQueueSource::read(const std::string& name, Thread& thread) {
  int descriptor = thread.descriptor;
  if (descriptor < 0) {
    const std::string path = taskRoot_ + "/" + name + "/schedstat";
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      lastError_ = path + " cannot be read: " + std::strerror(errno);
      return std::nullopt;
    }
    if (open_ < mostOpen_) {
      thread.descriptor = descriptor;
      ++open_;
    }
  }
  std::array<char, 96> text;
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  const int error = errno;
  if (descriptor != thread.descriptor) {
    ::close(descriptor);
  }
  // A descriptor of a thread that has ended reads as ESRCH, for ever, whoever gets its number next.
  const auto waited = length > 0 ? secondNumber(text.data(), static_cast<std::size_t>(length))
                                 : std::nullopt;
  if (!waited) {
    lastError_ = taskRoot_ + "/" + name + "/schedstat " +
                 (length < 0 ? std::string("cannot be read: ") + std::strerror(error)
                             : std::string("is not three numbers"));
  }
  return waited;
}

std::optional<Duration> RunQueueSource::totalWait() {
  if (scanDue() && !scan()) {
    return std::nullopt;
  }
  std::size_t readable = 0;
  for (auto it = threads_.begin(); it != threads_.end();) {
    Thread& thread = it->second;
    const auto waited = read(it->first, thread);
    if (!waited) {
      close(thread);
      it = threads_.erase(it);
      sweepsSinceScan_ = kSweepsBetweenScans;  // its number may be somebody else's by now
      continue;
    }
    ++readable;
    if (based_ && *waited > thread.waited) {
      total_ += *waited - thread.waited;
    }
    thread.waited = *waited;
    ++it;
  }
  if (readable == 0) {
    return std::nullopt;
  }
  based_ = true;
  return Duration(static_cast<Duration::rep>(total_));
}

}  // namespace hodor::signals
