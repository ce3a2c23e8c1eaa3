#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace hodor::admission {

// Wakes somebody when the first request comes after a time without. One thread arms it; any may
// call came().
class FirstRequest {
 public:
  // What to call, on the thread of that request: it must neither block nor throw. Before the first
  // arm().
  void onCome(std::function<void()> wake) { wake_ = std::move(wake); }

  // The totals have to be looked at once more after it: a request that was counted before may not
  // have seen it.
  void arm() { armed_.store(true, std::memory_order_seq_cst); }
  void disarm() { armed_.store(false, std::memory_order_relaxed); }

  // To be called after each request that was counted. While not armed this is one load of what
  // nobody writes.
  void came() {
    if (armed_.load(std::memory_order_seq_cst) && armed_.exchange(false)) {
      wake_();
    }
  }

 private:
  std::atomic<bool> armed_{false};
  std::function<void()> wake_;
};

}  // namespace hodor::admission
