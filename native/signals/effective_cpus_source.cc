#include "signals/effective_cpus_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "signals/affinity.h"
#include "signals/cgroup_quota.h"

namespace hodor::signals {

namespace {
constexpr double kFewestCpus = 0.01;
}  // namespace

std::optional<int> EffectiveCpusSource::countAffine() {
  const auto cpus = readAffinity();
  return cpus ? std::optional(static_cast<int>(cpus->size())) : std::nullopt;
}

std::optional<double> EffectiveCpusSource::read() {
  const auto affine = affinity_();
  if (!affine || *affine <= 0) {
    lastError_ = std::string("the CPU affinity cannot be read: ") + std::strerror(errno);
    return std::nullopt;
  }
  const CgroupQuota quota = readCgroupQuota(processRoot_, fileRoot_);
  if (!quota.error.empty()) {
    lastError_ = quota.error;
    return std::nullopt;
  }
  const auto cpus = static_cast<double>(*affine);
  return std::max(std::min(cpus, quota.cpus.value_or(cpus)), kFewestCpus);
}

}  // namespace hodor::signals
