#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "detectors/time.h"

namespace hodor::signals {

// Time that the threads of this process have waited for a CPU: the second field of
// task/*/schedstat, summed over all threads. A process has no such counter of its own
// (/proc/self/schedstat is that of the leader thread). Descriptors are kept open, which makes a
// sweep about 1 us a thread.
//
// A sweep is bounded, as the thread that sweeps needs the very CPU that is short: behind thousands
// of threads that want to run, a slice more may mean seconds more. Of more threads than
// kMostPerSweep each is read every second, third, … sweep; what it waited in between counts then.
//
// Not thread-safe.
class RunQueueSource {
 public:
  // Threads read, and entries of the task folder looked at, in one sweep.
  static constexpr std::size_t kMostPerSweep = 512;

  explicit RunQueueSource(std::string processRoot = "/proc/self");
  ~RunQueueSource();
  RunQueueSource(const RunQueueSource&) = delete;
  RunQueueSource& operator=(const RunQueueSource&) = delete;

  // Since the first call; never goes backwards. What a thread waited before the first call does not
  // count, what a thread that came later waited counts in full. Nothing if it cannot be read.
  std::optional<Duration> totalWait();

  // Threads seen by the last call.
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

  // Descriptors are the application's: no more than this are kept open (see the constructor),
  // further threads are opened anew in each sweep.
  void setMostOpen(std::size_t most) { mostOpen_ = most; }

 private:
  struct Thread {
    int descriptor = -1;
    // Absent: it was there before the first good sweep, so that its next value is only a base.
    std::optional<std::uint64_t> waited;
    std::uint64_t seenInScan = 0;
    // Decides in which sweep it is read.
    std::uint64_t turn = 0;
  };
  struct Reading {
    std::uint64_t ran = 0;
    std::uint64_t waited = 0;
  };

  struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
  };

  // Goes on with a look at the task folder, or begins one if that is due. False: no task folder.
  bool scan();
  bool beginScan();
  // Puts new threads into the table.
  void scanSome();
  // Takes those out that have gone.
  void endScan();
  [[nodiscard]] bool scanDue();
  // Nothing, and what went wrong in `error`: an errno, 0 for a text that is not understood.
  std::optional<Reading> read(const std::string& name, Thread& thread, int& error);
  // Whether a thread failed for good; if not, it keeps its base until it can be read again.
  static bool hasEnded(int error);
  void add(Thread& thread, std::uint64_t waited);
  void close(Thread& thread);

  const std::string taskRoot_;
  std::unordered_map<std::string, Thread> threads_;
  std::size_t mostOpen_;
  std::size_t open_ = 0;
  std::uint64_t total_ = 0;
  bool based_ = false;
  std::uint64_t scans_ = 0;
  std::uint64_t sweeps_ = 0;
  std::uint64_t turns_ = 0;
  int sweepsSinceScan_ = 0;
  std::uint64_t linksAtScan_ = 0;
  // Kept open, or nobody would see the threads of a process that has run out of descriptors.
  std::unique_ptr<DIR, CloseFolder> folder_;
  bool scanning_ = false;
  std::string lastError_;
};

}  // namespace hodor::signals
