#include "signals/affinity.h"

#include <sched.h>

#include <cerrno>

namespace hodor::signals {

namespace {
constexpr int kMostCpus = 1 << 16;
}  // namespace

std::optional<std::vector<int>> readAffinity() {
  // The kernel refuses a set that is smaller than its own; how large that is, it does not say.
  for (int cpus = 1024; cpus <= kMostCpus; cpus *= 2) {
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
    std::vector<unsigned long> set(size / sizeof(unsigned long));
    auto* const mask = reinterpret_cast<cpu_set_t*>(set.data());
    if (sched_getaffinity(0, size, mask) == 0) {
      std::vector<int> numbers;
      for (int cpu = 0; cpu < cpus; ++cpu) {
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask)) {
          numbers.push_back(cpu);
        }
      }
      return numbers;
    }
    if (errno != EINVAL) {
      break;
    }
  }
  return std::nullopt;
}

}  // namespace hodor::signals
