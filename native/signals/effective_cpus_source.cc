#include "signals/effective_cpus_source.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "signals/cgroup_quota.h"

namespace hodor::signals {

namespace {
constexpr double kFewestCpus = 0.01;
constexpr int kMostCpus = 1 << 16;
}  // namespace

std::optional<int> EffectiveCpusSource::readAffinity() {
  // The kernel refuses a set that is smaller than its own; how large that is, it does not say.
  for (int cpus = 1024; cpus <= kMostCpus; cpus *= 2) {
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
    std::vector<unsigned long> set(size / sizeof(unsigned long));
    auto* const mask = reinterpret_cast<cpu_set_t*>(set.data());
    if (sched_getaffinity(0, size, mask) == 0) {
      return CPU_COUNT_S(size, mask);
    }
    if (errno != EINVAL) {
      break;
    }
  }
  return std::nullopt;
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
