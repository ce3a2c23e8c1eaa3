#include "signals/pool_wait_source.h"

#include <algorithm>

namespace hodor::signals {

PoolWaitSource::Pool* PoolWaitSource::find(int id) {
  if (id < 0 || id >= kMostPools) {
    invalid_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  return &pools_[static_cast<std::size_t>(id)];
}

bool PoolWaitSource::plausible(std::int64_t nanos) {
  if (nanos >= 0 && nanos <= kLongestWait.count()) {
    return true;
  }
  invalid_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

int PoolWaitSource::watch() {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    bool free = false;
    if (pools_[i].used.compare_exchange_strong(free, true)) {
      pools_[i].submittedAt.store(kNone);
      pools_[i].endedWait.store(kNone);
      watched_.fetch_add(1);
      return static_cast<int>(i);
    }
  }
  return -1;
}

void PoolWaitSource::unwatch(int id) {
  Pool* const pool = find(id);
  if (pool != nullptr && pool->used.exchange(false)) {
    watched_.fetch_sub(1);
  }
}

void PoolWaitSource::probeSubmitted(int id, Instant now) {
  if (Pool* const pool = find(id)) {
    pool->submittedAt.store(now.count());
  }
}

void PoolWaitSource::probeStarted(int id, Instant now) {
  Pool* const pool = find(id);
  if (pool == nullptr) {
    return;
  }
  const std::int64_t submittedAt = pool->submittedAt.exchange(kNone);
  if (submittedAt != kNone && plausible(now.count() - submittedAt)) {
    pool->endedWait.store(now.count() - submittedAt);
  }
}

void PoolWaitSource::recordWait(Duration wait) {
  if (!plausible(wait.count())) {
    return;
  }
  const auto micros = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(wait).count());
  waits_.fetch_add((micros << kCountBits) + 1, std::memory_order_relaxed);
}

std::int64_t PoolWaitSource::takeMeanWait() {
  const std::uint64_t waits = waits_.load(std::memory_order_relaxed);
  const std::uint64_t fresh = waits - takenWaits_;
  takenWaits_ = waits;
  const std::uint64_t count = fresh & ((std::uint64_t{1} << kCountBits) - 1);
  if (count == 0) {
    return 0;
  }
  everWaited_ = true;
  return static_cast<std::int64_t>((fresh >> kCountBits) * 1000 / count);
}

std::optional<detectors::QueueSample> PoolWaitSource::take(Instant now) {
  std::int64_t longest = takeMeanWait();
  bool known = everWaited_;
  for (Pool& pool : pools_) {
    if (!pool.used.load()) {
      continue;
    }
    known = true;
    std::int64_t submittedAt = pool.submittedAt.load();
    const std::int64_t age = now.count() - submittedAt;
    if (submittedAt != kNone && age > kLongestWait.count()) {
      // A probe that nobody will ever run; a new one may have taken its place just now.
      pool.submittedAt.compare_exchange_strong(submittedAt, kNone);
      invalid_.fetch_add(1, std::memory_order_relaxed);
    } else if (submittedAt != kNone) {
      longest = std::max(longest, age);
    }
    longest = std::max(longest, pool.endedWait.exchange(kNone));
  }
  if (!known) {
    return std::nullopt;
  }
  return detectors::QueueSample{Duration(longest)};
}

}  // namespace hodor::signals
