#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace hodor::admission {

// Long sleeps of the agent's threads while nothing goes on. The first request ends them. Any
// thread.
class Rest {
 public:
  // What ends the sleeps, on the thread of that request: it must neither block nor throw. Once,
  // before the first begin().
  void onEnd(std::function<void()> wake) { wake_ = std::move(wake); }

  // Whether the process does next to nothing, as far as the control thread knows.
  void allow(bool idle) { allowed_.store(idle, std::memory_order_relaxed); }
  [[nodiscard]] bool allowed() const { return allowed_.load(std::memory_order_relaxed); }

  // Whoever calls it looks at the totals once more before it sleeps: a request that was counted
  // before may not have seen it. For nothing, it wakes once for nothing.
  void begin() { armed_.store(true, std::memory_order_seq_cst); }

  // To be called after each request that was counted. While nobody rests this is one load of what
  // nobody writes.
  void end() {
    if (armed_.load(std::memory_order_seq_cst) && armed_.exchange(false)) {
      wake_();
    }
  }

 private:
  std::atomic<bool> armed_{false};
  std::atomic<bool> allowed_{false};
  std::function<void()> wake_;
};

}  // namespace hodor::admission
