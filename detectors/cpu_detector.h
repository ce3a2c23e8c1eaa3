#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/samples.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// How many threads of this process wait for a CPU, for each CPU that it may use. A full CPU with a
// short queue is a well-used machine: a depth of 2 is normal at 0.9 load.
class CpuDetector {
 public:
  explicit CpuDetector(std::vector<Band> bands) : window_(std::move(bands)) {}

  Verdict observe(Instant now, const std::optional<CpuSample>& sample);

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "threads/CPU"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  BandWindow window_;
  Verdict verdict_;
  double effectiveCpus_ = 0;
};

}  // namespace hodor::detectors
