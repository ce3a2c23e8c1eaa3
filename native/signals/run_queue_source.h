#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "detectors/thread_times.h"
#include "detectors/time.h"

namespace hodor::signals {

// How long the threads of this process have run on a CPU and waited for one: the first two fields
// of task/*/schedstat, summed by kind of thread. A process has no such counter of its own
// (/proc/self/schedstat is that of the leader thread). Descriptors are kept open, which makes a
// sweep about 1 us a thread.
//
// What a thread did after it was last read is lost when it ends, and a thread that comes and goes
// between two sweeps is never seen. What was run so can be had from the process's CPU clock; what
// was waited cannot. Of threads that live a tenth of the time between sweeps that is most of it: a
// tenth is met, half way through its life on average. Where many wait they live longer for it, and
// only about half a sweep of each is lost: a deep queue is seen, a shallow one of short threads is
// seen too shallow.
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
  // Names read in one sweep. Three calls each, so few; a thread without a name counts as one of the
  // application.
  static constexpr std::size_t kMostNamedPerSweep = 128;

  explicit RunQueueSource(std::string processRoot = "/proc/self");
  ~RunQueueSource();
  RunQueueSource(const RunQueueSource&) = delete;
  RunQueueSource& operator=(const RunQueueSource&) = delete;

  // Since the first call; no part of it ever goes backwards. What a thread did before the first
  // call does not count, what a thread that came later did counts in full. Nothing if it cannot be
  // read.
  std::optional<detectors::ThreadTimesByKind> read();

  // Threads seen by the last call.
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

  // Descriptors are the application's: no more than this are kept open (see the constructor),
  // further threads are opened anew in each sweep.
  void setMostOpen(std::size_t most) { mostOpen_ = most; }

 private:
  struct Reading {
    std::uint64_t ran = 0;
    std::uint64_t waited = 0;
  };
  struct Thread {
    int descriptor = -1;
    // Absent: it was there before the first good sweep, so that its next value is only a base.
    std::optional<Reading> last;
    detectors::ThreadKind kind = detectors::ThreadKind::kApplication;
    // How long it had run when its name was read; absent: it never was.
    std::optional<std::uint64_t> ranWhenNamed;
    std::uint64_t seenInScan = 0;
    // Decides in which sweep it is read.
    std::uint64_t turn = 0;
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
  std::optional<Reading> readThread(const std::string& id, Thread& thread, int& error);
  // Whether a thread failed for good; if not, it keeps its base until it can be read again.
  static bool hasEnded(int error);
  // Reads the name of a thread that has none yet or may still get another one.
  void name(const std::string& id, Thread& thread, std::uint64_t ran);
  void add(Thread& thread, Reading reading);
  void close(Thread& thread);

  const std::string taskRoot_;
  std::unordered_map<std::string, Thread> threads_;
  std::size_t mostOpen_;
  std::size_t open_ = 0;
  detectors::ThreadTimesByKind total_;
  std::size_t namedInSweep_ = 0;
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
