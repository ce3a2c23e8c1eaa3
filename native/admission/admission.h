#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "admission/exempt_budget.h"
#include "admission/settings.h"
#include "admission/wait_sum.h"
#include "detectors/time.h"

namespace hodor::admission {

// How a request ended. Values are part of the JNI boundary.
enum class Outcome : std::uint8_t {
  kCompleted = 0,     // answered by the application
  kFailed = 1,        // exception, client abort, timeout
  kDropped = 2,       // rejected at dequeue: the application has not seen it
  kNeverStarted = 3,  // it was queued and never got its thread; counts as failed
};

// Sums over all stripes since the start; each counter only grows.
struct AdmissionTotals {
  std::uint64_t admitted = 0;     // permits given, the dropped ones included
  std::uint64_t rejected = 0;     // rejected at the door
  std::uint64_t wouldReject = 0;  // monitor: admitted, though the law said no
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t dropped = 0;
  Duration latency{};              // of the completed ones, summed up
  std::uint64_t queued = 0;        // admitted before a queue
  WaitSum queueWaits;              // of those that got their thread
  std::uint64_t neverStarted = 0;  // left the queue without
  std::uint64_t abandoned = 0;     // of the dropped: their clients had left
  std::uint64_t invalid = 0;       // releases with a permit that was never given
  // Requests of exempt paths: not counted elsewhere, and those that were too many to be exempt,
  // which are.
  std::uint64_t exempt = 0;
  std::uint64_t exemptBeyondLimit = 0;

  [[nodiscard]] std::uint64_t released() const { return completed + failed + dropped; }
  [[nodiscard]] std::int64_t inFlight() const {
    return static_cast<std::int64_t>(admitted - released());
  }
  [[nodiscard]] std::uint64_t arrivals() const { return admitted + rejected; }
  // At the door, or when they got their thread.
  [[nodiscard]] std::uint64_t refused() const { return rejected + dropped; }
};

// Notices times without requests. One thread.
class QuietWatch {
 public:
  // Whether no request has come since the call before, and none is in flight.
  bool isQuiet(const AdmissionTotals& totals) {
    const bool quiet = totals.arrivals() == lastArrivals_ && totals.inFlight() == 0;
    lastArrivals_ = totals.arrivals();
    return quiet;
  }

 private:
  std::uint64_t lastArrivals_ = 0;
};

// Answers one request. Every method may be called from any thread at any time; none blocks,
// allocates or reads a clock.
//
// A permit is the time of its acquire in nanoseconds but for the lowest bit, which says whether a
// limit was enforced, so nothing is looked up at release. Permits that cannot be (negative, in the
// future, older than this object) are counted and change nothing.
class Admission {
 public:
  // Longest time between acquire and start that is accepted while a limit is enforced: older
  // requests are dropped at dequeue. control-law.md 5.6.
  static constexpr Duration kMaxQueueWait = std::chrono::milliseconds(250);
  static constexpr std::int64_t kNotCounted = 0;

  // `stripes` is rounded up to a power of two, 1..kMaxStripes; one for each CPU is right.
  Admission(unsigned stripes, Instant startedAt);

  // > 0: admitted, the permit. kNotCounted: admitted, nothing to release. < 0: rejected, the cause
  // is -(value + 1). `queued`: what is admitted waits for a thread, and then start() is called.
  std::int64_t acquire(Instant now, bool queued = false);

  // The request got its thread. False: it waited too long, drop it (release with kDropped).
  [[nodiscard]] bool start(std::int64_t permit, Instant now);

  void release(std::int64_t permit, Outcome outcome, Instant now);

  // Whether a request of an exempt path needs no permit: as long as there are not too many of them.
  [[nodiscard]] bool passExempt(Instant now) { return exempt_.take(now); }

  // One of the dropped ones will be so because its client has left.
  void countAbandoned() { abandoned_.fetch_add(1, std::memory_order_relaxed); }
  // Whether requests may be rejected now.
  [[nodiscard]] bool rejects() const;

  // One more sign of a caller that hands over nonsense.
  void countInvalid() { invalid_.fetch_add(1, std::memory_order_relaxed); }

  // For the control thread.
  void limitExempt(std::uint32_t perSecond) { exempt_.setLimit(perSecond); }
  void publish(const AdmissionSettings& settings);
  [[nodiscard]] AdmissionTotals totals() const;
  // Never less than the true number at the time of the call, save for permits released twice.
  [[nodiscard]] std::int64_t inFlight() const;

 private:
  static constexpr unsigned kMaxStripes = 16;

  // Two cache lines of counters, as the hardware prefetches lines in pairs. The first has what each
  // request counts, the second what only those do that pass a queue.
  struct alignas(128) Stripe {
    std::atomic<std::uint64_t> admitted{0};
    std::atomic<std::uint64_t> completed{0};
    std::atomic<std::uint64_t> failed{0};
    std::atomic<std::uint64_t> dropped{0};
    std::atomic<std::uint64_t> rejected{0};
    std::atomic<std::uint64_t> wouldReject{0};
    std::atomic<std::int64_t> latencyNanos{0};
    std::atomic<std::uint64_t> queued{0};
    std::atomic<std::uint64_t> queueWaits{0};  // a WaitSum
    std::atomic<std::uint64_t> neverStarted{0};

    [[nodiscard]] std::uint64_t ended() const {
      return completed.load(std::memory_order_seq_cst) + failed.load(std::memory_order_seq_cst) +
             dropped.load(std::memory_order_seq_cst);
    }
  };

  Stripe& stripe();
  [[nodiscard]] bool valid(std::int64_t permit, Instant now) const;
  std::int64_t admit(Stripe& own, Instant now);
  static std::int64_t reject(Stripe& own, std::uint8_t cause);
  std::int64_t decide(Stripe& own, const AdmissionSettings& settings, Instant now);
  std::int64_t acquireUnderLimit(Stripe& own, const AdmissionSettings& settings, Instant now);
  bool takeShadow(std::int64_t limit);
  void releaseShadow();

  const unsigned mask_;
  const std::int64_t startedAt_;  // as a permit's stamp
  alignas(128) std::atomic<std::uint64_t> settings_;
  // Monitor only: the requests that would be in flight had the limit been enforced. A completion of
  // any request frees one, so the share that would be rejected stays honest although nothing is.
  alignas(128) std::atomic<std::int64_t> shadow_{0};
  // Enforced limit only: the requests in flight that were admitted under it, and those from before
  // it, which their ends count down (below zero if one was admitted while the limit came). Both are
  // in one line, as each request needs both, and apart from the stripes, as to ask all of them
  // twice a request makes the threads wait for each other.
  alignas(128) std::atomic<std::int64_t> held_{0};
  std::atomic<std::int64_t> earlier_{0};
  alignas(128) std::atomic<std::uint64_t> invalid_{0};
  std::atomic<std::uint64_t> abandoned_{0};
  ExemptBudget exempt_;
  std::array<Stripe, kMaxStripes> stripes_;
};

}  // namespace hodor::admission
