#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace hodor::signals {

// How many CPUs this process may use: affinity and quota, fractions kept (1.25 is not 2). Both may
// change at run time; cheap enough to be read once a second. Not thread-safe.
class EffectiveCpusSource {
 public:
  using AffinityReader = std::function<std::optional<int>()>;

  EffectiveCpusSource() : EffectiveCpusSource("/proc/self", "", countAffine) {}
  EffectiveCpusSource(std::string processRoot, std::string fileRoot, AffinityReader affinity)
      : processRoot_(std::move(processRoot)),
        fileRoot_(std::move(fileRoot)),
        affinity_(std::move(affinity)) {}

  // > 0, or nothing if it cannot be told.
  std::optional<double> read();
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  static std::optional<int> countAffine();

  std::string processRoot_;
  std::string fileRoot_;
  AffinityReader affinity_;
  std::string lastError_;
};

}  // namespace hodor::signals
