#include "admission/admission.h"

#include <algorithm>
#include <bit>

namespace hodor::admission {

namespace {

std::atomic<unsigned> nextThread{0};

// Initial-exec: one load instead of a call to __tls_get_addr on each request.
__attribute__((tls_model("initial-exec"))) thread_local unsigned ownThread = 0;

// 1/phi in 32 bits: multiples of it are spread evenly over the range (a Weyl sequence), so that a
// share of one in ten is every tenth request and not ten in a row.
constexpr std::uint64_t kGoldenRatio32 = 0x9E3779B9U;

// The lowest bit of a permit: it was given under an enforced limit.
constexpr std::int64_t kUnderLimit = 1;

std::int64_t stampOf(std::int64_t permit) { return permit & ~kUnderLimit; }

bool enforcesLimit(const AdmissionSettings& settings) {
  return settings.action == Action::kEnforce && settings.rule == Rule::kLimit;
}

}  // namespace

Admission::Admission(unsigned stripes, Instant startedAt)
    : mask_(std::bit_ceil(std::clamp(stripes, 1U, kMaxStripes)) - 1),
      startedAt_(stampOf(startedAt.count())),
      settings_(AdmissionSettings{}.pack()) {}

Admission::Stripe& Admission::stripe() {
  if (ownThread == 0) {
    ownThread = nextThread.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  return stripes_[ownThread & mask_];
}

std::int64_t Admission::acquire(Instant now, bool queued) {
  const AdmissionSettings settings =
      AdmissionSettings::unpack(settings_.load(std::memory_order_acquire));
  if (settings.action == Action::kOff) {
    return kNotCounted;
  }
  Stripe& own = stripe();
  const std::int64_t answer = decide(own, settings, now);
  if (queued && answer > 0) {
    own.queued.fetch_add(1, std::memory_order_relaxed);
  }
  return answer;
}

std::int64_t Admission::decide(Stripe& own, const AdmissionSettings& settings, Instant now) {
  switch (settings.rule) {
    case Rule::kAdmitAll:
      return admit(own, now);
    case Rule::kLimit:
      return acquireUnderLimit(own, settings, now);
    case Rule::kShare: {
      const std::uint64_t sequence = own.admitted.load(std::memory_order_relaxed) +
                                     own.rejected.load(std::memory_order_relaxed);
      const auto point = static_cast<double>(static_cast<std::uint32_t>(sequence * kGoldenRatio32));
      if (point >= settings.share * 4294967296.0) {
        return admit(own, now);
      }
      if (settings.action == Action::kEnforce) {
        return reject(own, settings.cause);
      }
      own.wouldReject.fetch_add(1, std::memory_order_relaxed);
      return admit(own, now);
    }
  }
  return admit(own, now);
}

std::int64_t Admission::acquireUnderLimit(Stripe& own, const AdmissionSettings& settings,
                                          Instant now) {
  const auto limit = static_cast<std::int64_t>(settings.limit);
  if (settings.action != Action::kEnforce) {
    if (!takeShadow(limit)) {
      own.wouldReject.fetch_add(1, std::memory_order_relaxed);
    }
    return admit(own, now);
  }
  const std::int64_t room =
      limit - std::max<std::int64_t>(earlier_.load(std::memory_order_relaxed), 0);
  // Who is rejected writes nothing that another thread counts.
  std::int64_t held = held_.load(std::memory_order_relaxed);
  do {
    if (held >= room) {
      return reject(own, settings.cause);
    }
  } while (!held_.compare_exchange_weak(held, held + 1, std::memory_order_relaxed));
  return admit(own, now) | kUnderLimit;
}

std::int64_t Admission::admit(Stripe& own, Instant now) {
  own.admitted.fetch_add(1, std::memory_order_seq_cst);
  return std::max<std::int64_t>(stampOf(now.count()), kUnderLimit + 1);
}

std::int64_t Admission::reject(Stripe& own, std::uint8_t cause) {
  own.rejected.fetch_add(1, std::memory_order_relaxed);
  return -static_cast<std::int64_t>(cause) - 1;
}

bool Admission::takeShadow(std::int64_t limit) {
  std::int64_t current = shadow_.load(std::memory_order_relaxed);
  while (current < limit) {
    if (shadow_.compare_exchange_weak(current, current + 1, std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void Admission::releaseShadow() {
  std::int64_t current = shadow_.load(std::memory_order_relaxed);
  while (current > 0 &&
         !shadow_.compare_exchange_weak(current, current - 1, std::memory_order_relaxed)) {
  }
}

bool Admission::valid(std::int64_t permit, Instant now) const {
  const std::int64_t stamp = stampOf(permit);
  return stamp >= startedAt_ && stamp <= now.count() && stamp > 0;
}

bool Admission::start(std::int64_t permit, Instant now) {
  if (!valid(permit, now)) {
    return true;
  }
  const Duration wait = now - Instant(stampOf(permit));
  stripe().queueWaits.fetch_add(WaitSum::of(wait).word, std::memory_order_relaxed);
  return wait <= kMaxQueueWait || !rejects();
}

bool Admission::rejects() const {
  const AdmissionSettings settings =
      AdmissionSettings::unpack(settings_.load(std::memory_order_acquire));
  return settings.action == Action::kEnforce && settings.rule != Rule::kAdmitAll;
}

void Admission::release(std::int64_t permit, Outcome outcome, Instant now) {
  if (permit == kNotCounted) {
    return;
  }
  if (!valid(permit, now)) {
    countInvalid();
    return;
  }
  Stripe& own = stripe();
  switch (outcome) {
    case Outcome::kCompleted:
      own.latencyNanos.fetch_add(now.count() - stampOf(permit), std::memory_order_relaxed);
      own.completed.fetch_add(1, std::memory_order_seq_cst);
      break;
    case Outcome::kFailed:
      own.failed.fetch_add(1, std::memory_order_seq_cst);
      break;
    case Outcome::kDropped:
      own.dropped.fetch_add(1, std::memory_order_seq_cst);
      break;
    case Outcome::kNeverStarted:
      own.neverStarted.fetch_add(1, std::memory_order_relaxed);
      own.failed.fetch_add(1, std::memory_order_seq_cst);
      break;
  }
  if ((permit & kUnderLimit) != 0) {
    held_.fetch_sub(1, std::memory_order_relaxed);
  }
  const AdmissionSettings settings =
      AdmissionSettings::unpack(settings_.load(std::memory_order_relaxed));
  if (settings.rule != Rule::kLimit) {
    return;
  }
  if (settings.action == Action::kCount) {
    releaseShadow();
  } else if ((permit & kUnderLimit) == 0) {
    earlier_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void Admission::publish(const AdmissionSettings& settings) {
  const AdmissionSettings before =
      AdmissionSettings::unpack(settings_.load(std::memory_order_relaxed));
  if (settings.rule == Rule::kLimit && before.rule != Rule::kLimit) {
    shadow_.store(std::max<std::int64_t>(inFlight(), 0), std::memory_order_relaxed);
  }
  if (enforcesLimit(settings) && !enforcesLimit(before)) {
    earlier_.store(inFlight() - held_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  settings_.store(settings.pack(), std::memory_order_release);
}

AdmissionTotals Admission::totals() const {
  AdmissionTotals sum;
  std::int64_t latencyNanos = 0;
  // What ends is read before what begins: a total never shows more ended than begun.
  for (const Stripe& stripe : stripes_) {
    sum.completed += stripe.completed.load(std::memory_order_seq_cst);
    sum.failed += stripe.failed.load(std::memory_order_seq_cst);
    sum.dropped += stripe.dropped.load(std::memory_order_seq_cst);
    latencyNanos += stripe.latencyNanos.load(std::memory_order_relaxed);
    sum.queueWaits.word += stripe.queueWaits.load(std::memory_order_relaxed);
    sum.neverStarted += stripe.neverStarted.load(std::memory_order_relaxed);
  }
  for (const Stripe& stripe : stripes_) {
    sum.rejected += stripe.rejected.load(std::memory_order_relaxed);
    sum.wouldReject += stripe.wouldReject.load(std::memory_order_relaxed);
    sum.admitted += stripe.admitted.load(std::memory_order_seq_cst);
    sum.queued += stripe.queued.load(std::memory_order_relaxed);
  }
  sum.latency = Duration(latencyNanos);
  sum.abandoned = abandoned_.load(std::memory_order_relaxed);
  sum.invalid = invalid_.load(std::memory_order_relaxed);
  sum.exempt = exempt_.passed();
  sum.exemptBeyondLimit = exempt_.beyond();
  return sum;
}

std::int64_t Admission::inFlight() const {
  std::uint64_t ended = 0;
  for (unsigned i = 0; i <= mask_; ++i) {
    ended += stripes_[i].ended();
  }
  std::uint64_t admitted = 0;
  for (unsigned i = 0; i <= mask_; ++i) {
    admitted += stripes_[i].admitted.load(std::memory_order_seq_cst);
  }
  return static_cast<std::int64_t>(admitted - ended);
}

}  // namespace hodor::admission
