#include "detectors/queue_detector.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hodor::detectors {

namespace {
// A pool that lets work wait for longer has no thread to spare.
constexpr Duration kPoolWaits = std::chrono::milliseconds(10);
// Two measures of one wait differ by no more than this factor.
constexpr int kAgree = 2;
}  // namespace

std::vector<Band> QueueDetector::defaultBands() {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  return {{50, seconds(10)}, {200, seconds(2)}, {1000, milliseconds(500)}};
}

std::optional<QueueSample> longer(std::optional<QueueSample> one,
                                  std::optional<QueueSample> other) {
  if (!one || !other) {
    return one ? one : other;
  }
  if (other->wait > one->wait) {
    std::swap(one, other);
  }
  if (one->pool.empty() && 2 * other->wait >= one->wait) {
    one->pool = std::move(other->pool);
  }
  return one;
}

Verdict QueueDetector::observe(Instant now, Duration elapsed,
                               const std::optional<QueueSample>& pool,
                               const std::optional<UnreadSample>& unread, std::int64_t inFlight) {
  const bool poolKnown = pool && pool->wait >= Duration::zero();
  const bool unreadKnown = unread && unread->scale >= 1;
  unread_ = {};
  acceptQueue_ = 0;
  if (unreadKnown) {
    unread_ = unreadWait(*unread, inFlight, poolKnown && pool->wait > kPoolWaits);
    acceptQueue_ = static_cast<double>(unread->acceptQueue);
    connections_ = std::max(unread->connections, unread_.requests);
  }
  if (elapsed <= Duration::zero() || (!poolKnown && unread_.wait <= Duration::zero())) {
    window_.clear();
    wait_.clear();
    verdict_ = {.value = verdict_.value};
    return verdict_;
  }
  const Duration poolWait = poolKnown ? pool->wait : Duration::zero();
  pool_ = poolKnown ? pool->pool : "";
  // What waits for a thread lies unread meanwhile; the pool, if it accounts for the wait, tells
  // more.
  unreadLonger_ = !poolKnown || unread_.wait > kAgree * poolWait;
  const double wait = toSeconds(std::max(poolWait, unread_.wait)) * 1e3;
  window_.record(now, elapsed, wait_.over(elapsed, wait));
  const int band = window_.firingBand();
  verdict_ = {.value = wait,
              .band = band,
              .firing = band > 0,
              .stale = false,
              .quiet = window_.quiet(wait)};
  return verdict_;
}

std::string QueueDetector::describeUnread() const {
  char text[160] = "";
  if (unread_.requests > 0) {
    std::snprintf(text, sizeof text,
                  "; %.0f of %.0f connections have an unread request, the oldest for %.0f ms",
                  unread_.requests, connections_, toSeconds(unread_.oldest) * 1e3);
  }
  std::string sentence = text;
  if (acceptQueue_ > 0) {
    std::snprintf(text, sizeof text, "; %.0f connections wait to be accepted", acceptQueue_);
    sentence.append(text);
  }
  return sentence;
}

std::string QueueDetector::explain() const {
  if (verdict_.stale) {
    return "no data on the wait for a thread of the server's pool";
  }
  char text[64];
  std::snprintf(text, sizeof text,
                unreadLonger_ ? "requests wait %.0f ms to be read" : "work waits %.0f ms",
                verdict_.value);
  std::string sentence = text;
  if (!unreadLonger_) {
    sentence.append(" for a thread of ")
        .append(pool_.empty() ? "the server's pool" : "pool " + pool_);
  }
  return sentence + describeUnread() + "; " +
         describeBand(window_.bands(), verdict_.band, 1, " ms");
}

}  // namespace hodor::detectors
