#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace hodor::simulation {

// Processor sharing: n jobs on C CPUs, each at the speed of min(1, C / n) CPUs. Times and work in
// seconds, times never go back.
class Processor {
 public:
  using Job = std::uint64_t;

  explicit Processor(double cpus) : cpus_(cpus) {}

  // Fewer CPUs are left: the jobs share them, and wait for them.
  void setCpus(double now, double cpus);
  // Something stops all jobs for a share of the time, 0..1; they do not wait for a CPU then.
  void setStopped(double now, double share);

  void add(double now, double work, Job job);
  // When the next job is done if nothing changes; infinity: never.
  [[nodiscard]] double nextDone() const;
  // The job that is done at `now`, which is nextDone().
  Job takeDone(double now);

  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }
  // Since the start: CPU time used, time that jobs waited for a CPU, time stopped.
  [[nodiscard]] double ran(double now);
  [[nodiscard]] double waited(double now);
  [[nodiscard]] double stopped(double now);

 private:
  struct Entry {
    double finish;  // in the time of a job that is always there
    std::uint64_t order;
    Job job;
    bool operator>(const Entry& other) const {
      return finish != other.finish ? finish > other.finish : order > other.order;
    }
  };

  [[nodiscard]] double speed() const;
  void advance(double now);

  double cpus_;
  double stoppedShare_ = 0;
  double now_ = 0;
  double virtual_ = 0;
  double ran_ = 0;
  double waited_ = 0;
  double stopped_ = 0;
  std::uint64_t order_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> jobs_;
};

}  // namespace hodor::simulation
