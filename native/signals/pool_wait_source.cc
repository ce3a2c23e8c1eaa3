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
  waitNanos_.fetch_add(wait.count(), std::memory_order_relaxed);
  waits_.fetch_add(1, std::memory_order_release);
}

std::optional<detectors::QueueSample> PoolWaitSource::take(Instant now) {
  const std::int64_t waits = waits_.load(std::memory_order_acquire);
  const std::int64_t nanos = waitNanos_.load(std::memory_order_relaxed);
  std::int64_t longest = 0;
  // The time of a wait is there before its count; without the count it stays for the next call.
  if (waits > taken_) {
    longest = (nanos - takenNanos_) / (waits - taken_);
    taken_ = waits;
    takenNanos_ = nanos;
  }
  bool known = waits > 0;
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
