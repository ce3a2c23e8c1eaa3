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

bool PoolWaitSource::plausible(Instant submitted, Instant now) {
  if (submitted <= now && submitted >= now - kLongestWait) {
    return true;
  }
  invalid_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

int PoolWaitSource::watch(std::string_view name) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    Pool& pool = pools_[i];
    if (!pool.used.load()) {
      pool.waitingSince.store(kNone);
      pool.endedWait.store(kNone);
      pool.idleUntil.store(kNone);
      pool.name = name.substr(0, kLongestName);
      pool.used.store(true);
      watched_.fetch_add(1);
      everWatched_.store(true);
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

void PoolWaitSource::probeSubmitted(int id, bool further, Instant now) {
  Pool* const pool = find(id);
  if (pool == nullptr) {
    return;
  }
  if (!further) {
    pool->waitingSince.store(now.count());
    return;
  }
  std::int64_t none = kNone;
  pool->waitingSince.compare_exchange_strong(none, now.count());
}

void PoolWaitSource::probeStarted(int id, Instant submitted, Instant now) {
  Pool* const pool = find(id);
  if (pool == nullptr || !plausible(submitted, now)) {
    return;
  }
  // A probe of an earlier wait ends no later one.
  std::int64_t since = pool->waitingSince.load();
  if (since == kNone || since > submitted.count() ||
      !pool->waitingSince.compare_exchange_strong(since, kNone)) {
    return;
  }
  const std::int64_t begin = std::max(submitted.count(), pool->idleUntil.load());
  pool->endedWait.store(std::max<std::int64_t>(now.count() - begin, 0));
}

void PoolWaitSource::nobodyWaits(int id, Instant now) {
  if (Pool* const pool = find(id)) {
    pool->idleUntil.store(now.count());
  }
}

Duration PoolWaitSource::takeWait(Pool& pool, Instant now) {
  std::int64_t since = pool.waitingSince.load();
  std::int64_t age = 0;
  if (since != kNone) {
    age = now.count() - std::max(since, pool.idleUntil.load());
    if (now.count() - since > kLongestWait.count()) {
      // Nobody will ever run it; a new wait may have taken its place just now.
      pool.waitingSince.compare_exchange_strong(since, kNone);
      invalid_.fetch_add(1, std::memory_order_relaxed);
      age = 0;
    }
  }
  return Duration(std::max({age, pool.endedWait.exchange(kNone), std::int64_t{0}}));
}

std::optional<detectors::QueueSample> PoolWaitSource::take(Instant now) {
  Pool* worst = nullptr;
  Duration longest{};
  for (Pool& pool : pools_) {
    if (!pool.used.load()) {
      continue;
    }
    const Duration wait = takeWait(pool, now);
    if (worst == nullptr || wait > longest) {
      worst = &pool;
      longest = wait;
    }
  }
  if (worst == nullptr) {
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  return detectors::QueueSample{longest, worst->name};
}

}  // namespace hodor::signals
