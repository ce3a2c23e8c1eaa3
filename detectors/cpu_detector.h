#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detectors/bands.h"
#include "detectors/cpu_blame.h"
#include "detectors/decaying_sum.h"
#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// How many threads of the application wait for a CPU, for each CPU that it may use. A full CPU with
// a short queue is a well-used machine: a depth of 2 is normal at 0.9 load.
//
// Of what they wait only the part counts that the application is the reason of: while a CPU runs
// the JIT compiler or the collector, who waits for it waits for them. So the wait of its threads is
// multiplied with the share of the process's CPU time that was not theirs. The scheduler is fair:
// two compiler threads on the CPU of 3 threads of the application have 2/5 of it, and a warm-up
// looks no deeper than without them; of 200 threads' CPU they have 1/100, and a storm counts in
// full, warm-up or not. What collection takes away is the GC detector's concern.
class CpuDetector {
 public:
  explicit CpuDetector(std::vector<Band> bands) : window_(std::move(bands)) {}

  Verdict observe(Instant now, const std::optional<CpuSample>& sample);

  // Why the threads wait.
  [[nodiscard]] CpuBlame blame() const { return judge_.blame(); }
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "threads/CPU"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  struct KindSums {
    DecayingSum ran;
    DecayingSum waited;
  };

  void remember(const CpuSample& sample);
  [[nodiscard]] std::string explainKinds() const;

  BandWindow window_;
  Verdict verdict_;
  CpuBlameJudge judge_;
  double effectiveCpus_ = 0;
  // Since when it has not been quiet; absent: it is.
  std::optional<Instant> deepSince_;
  Instant now_{};
  std::array<KindSums, kThreadKindCount> kinds_{};
};

}  // namespace hodor::detectors
