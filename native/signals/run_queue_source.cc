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
#include <string_view>
#include <utility>

#include "signals/thread_kind.h"

namespace hodor::signals {

namespace {

// The number of threads may stay while its members change.
constexpr int kSweepsBetweenScans = 10;
constexpr std::size_t kMostDescriptors = 1024;
// A thread begins with the name of the one that made it, and names itself among the first things it
// does. Idle threads are not asked again: their time does not move.
constexpr std::uint64_t kNamesItselfWithinNanos = 5'000'000;

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

// A number and the space behind it; `at` moves on. False: it is something else.
bool takeNumber(const char*& at, const char* end, std::uint64_t& value) {
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error != std::errc{} || stop == end || *stop != ' ') {
    return false;
  }
  at = stop + 1;
  return true;
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
  const bool due =
      !counted || status.st_nlink != linksAtScan_ || ++sweepsSinceScan_ >= kSweepsBetweenScans;
  if (due) {
    linksAtScan_ = counted ? status.st_nlink : 0;
    sweepsSinceScan_ = 0;
  }
  return due;
}

bool RunQueueSource::scan() {
  if (!scanning_ && scanDue() && !beginScan()) {
    sweepsSinceScan_ = kSweepsBetweenScans;
    return false;
  }
  if (scanning_) {
    scanSome();
  }
  return true;
}

bool RunQueueSource::beginScan() {
  if (folder_) {
    rewinddir(folder_.get());
  } else {
    folder_.reset(opendir(taskRoot_.c_str()));
  }
  if (!folder_) {
    lastError_ = taskRoot_ + " cannot be read: " + std::strerror(errno);
    return false;
  }
  ++scans_;
  scanning_ = true;
  return true;
}

void RunQueueSource::scanSome() {
  for (std::size_t entries = 0; entries < kMostPerSweep; ++entries) {
    const dirent* const entry = readdir(folder_.get());
    if (entry == nullptr) {
      endScan();
      return;
    }
    if (isNumber(entry->d_name)) {
      const auto [it, isNew] = threads_.try_emplace(entry->d_name);
      it->second.seenInScan = scans_;
      if (isNew) {
        it->second.turn = turns_++;
        if (based_) {
          it->second.last = Reading{};
        }
      }
    }
  }
}

void RunQueueSource::endScan() {
  scanning_ = false;
  for (auto it = threads_.begin(); it != threads_.end();) {
    if (it->second.seenInScan == scans_) {
      ++it;
    } else {
      close(it->second);
      it = threads_.erase(it);
    }
  }
}

std::optional<RunQueueSource::Reading> RunQueueSource::readThread(const std::string& id,
                                                                  Thread& thread, int& error) {
  int descriptor = thread.descriptor;
  if (descriptor < 0) {
    const std::string path = taskRoot_ + "/" + id + "/schedstat";
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      error = errno;
      return std::nullopt;
    }
    if (open_ < mostOpen_) {
      thread.descriptor = descriptor;
      ++open_;
    }
  }
  std::array<char, 96> text;
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  // A descriptor of a thread that has ended reads as ESRCH, for ever, whoever gets its number next.
  error = length < 0 ? errno : length == 0 ? ESRCH : 0;
  if (descriptor != thread.descriptor) {
    ::close(descriptor);
  }
  if (length <= 0) {
    return std::nullopt;
  }
  // "<time run> <time waited> <time slices>"
  Reading reading;
  const char* at = text.data();
  const char* const end = at + length;
  if (!takeNumber(at, end, reading.ran) || !takeNumber(at, end, reading.waited)) {
    return std::nullopt;
  }
  return reading;
}

bool RunQueueSource::hasEnded(int error) { return error == ESRCH || error == ENOENT; }

void RunQueueSource::name(const std::string& id, Thread& thread, std::uint64_t ran) {
  const bool settled = thread.ranWhenNamed && (*thread.ranWhenNamed >= kNamesItselfWithinNanos ||
                                               *thread.ranWhenNamed == ran);
  if (settled || namedInSweep_ >= kMostNamedPerSweep) {
    return;
  }
  ++namedInSweep_;
  const std::string path = taskRoot_ + "/" + id + "/comm";
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  std::array<char, 32> text;
  const ssize_t length = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  if (length > 0) {
    const std::string_view line(text.data(), static_cast<std::size_t>(length));
    thread.kind = kindOf(line.substr(0, line.find('\n')));
    thread.ranWhenNamed = ran;
  }
}

void RunQueueSource::add(Thread& thread, Reading reading) {
  if (thread.last) {
    detectors::ThreadTimes& times = total_[thread.kind];
    const auto grown = [](std::uint64_t now, std::uint64_t before) {
      return Duration(static_cast<Duration::rep>(now > before ? now - before : 0));
    };
    times.ran += grown(reading.ran, thread.last->ran);
    times.waited += grown(reading.waited, thread.last->waited);
  }
  thread.last = reading;
}

std::optional<detectors::ThreadTimesByKind> RunQueueSource::read() {
  if (!scan()) {
    return std::nullopt;
  }
  ++sweeps_;
  namedInSweep_ = 0;
  // Each thread is read in one sweep of so many.
  const std::uint64_t parts = threads_.size() / kMostPerSweep + 1;
  bool anyRead = false;
  bool anyRan = false;
  int lastFailure = ENOENT;
  for (auto it = threads_.begin(); it != threads_.end();) {
    Thread& thread = it->second;
    if (thread.turn % parts != sweeps_ % parts) {
      ++it;
      continue;
    }
    int error = 0;
    if (const auto reading = readThread(it->first, thread, error)) {
      anyRead = true;
      // All zeros: a thread that is still to run, or statistics that are switched off for now.
      if (reading->ran > 0) {
        anyRan = true;
        if (thread.last && reading->ran < thread.last->ran) {
          thread.ranWhenNamed.reset();  // somebody else by the same number
        }
        name(it->first, thread, reading->ran);
        add(thread, *reading);
      }
      ++it;
      continue;
    }
    lastFailure = error;
    close(thread);
    if (hasEnded(error)) {
      it = threads_.erase(it);
      sweepsSinceScan_ = kSweepsBetweenScans;  // its number may be somebody else's by now
    } else {
      ++it;
    }
  }
  const bool allEnded = parts > 1 && hasEnded(lastFailure);
  if (!anyRead && !allEnded) {
    lastError_ = taskRoot_ + "/*/schedstat " +
                 (lastFailure == 0 ? std::string("is not three numbers")
                                   : std::string("cannot be read: ") + std::strerror(lastFailure));
    return std::nullopt;
  }
  // The thread that reads this has run. A kernel that keeps no such statistics writes "0 0 0".
  if (!anyRan && parts == 1) {
    lastError_ = taskRoot_ + "/*/schedstat is all zeros: the kernel keeps no scheduling statistics";
    return std::nullopt;
  }
  based_ = based_ || !scanning_;
  return total_;
}

}  // namespace hodor::signals
