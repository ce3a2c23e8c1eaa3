#include "admission/exempt_budget.h"

#include <algorithm>
#include <chrono>

namespace hodor::admission {

namespace {

constexpr unsigned kSecondShift = 32;
constexpr std::uint64_t kCountMask = 0xFFFFFFFFU;

}  // namespace

bool ExemptBudget::take(Instant now) {
  const auto second =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  const std::uint32_t limit = limit_.load(std::memory_order_relaxed);
  std::uint64_t current = window_.load(std::memory_order_relaxed);
  std::uint64_t next = 0;
  do {
    // A thread that read its clock before another began the next second counts into that.
    const std::uint64_t counted = std::max(current >> kSecondShift, second);
    const std::uint64_t before = counted == current >> kSecondShift ? current & kCountMask : 0;
    if (before >= limit) {
      beyond_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    next = (counted << kSecondShift) | (before + 1);
  } while (!window_.compare_exchange_weak(current, next, std::memory_order_relaxed));
  passed_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

}  // namespace hodor::admission
