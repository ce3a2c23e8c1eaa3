#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

#include "tests/load/histogram.h"

namespace hodor::load {

// What became of one scheduled request. The values are part of the records file.
enum class Outcome : std::uint8_t {
  kServed = 0,    // 2xx before the deadline
  kRejected = 1,  // 503
  kOther = 2,     // any other status
  kLost = 3,      // nothing complete before the deadline
  kFailed = 4,    // refused, reset or closed connection, broken answer
  kUnsent = 5,    // the generator could not send it (connections, ports or descriptors used up)
};

inline constexpr std::array<std::string_view, 6> kOutcomeNames = {"served", "rejected", "other",
                                                                  "lost",   "failed",   "unsent"};

// The requests of one scheduled second, or of a whole run.
struct Tally {
  std::uint64_t offered = 0;
  std::array<std::uint64_t, kOutcomeNames.size()> outcomes{};
  Histogram served;    // latency from the scheduled time
  Histogram rejected;  // the same
  Histogram lag;       // of the generator itself

  std::uint64_t of(Outcome outcome) const { return outcomes[static_cast<std::size_t>(outcome)]; }

  std::uint64_t decided() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : outcomes) sum += count;
    return sum;
  }

  void add(const Tally& other) {
    offered += other.offered;
    for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
    served.add(other.served);
    rejected.add(other.rejected);
    lag.add(other.lag);
  }
};

// Counts requests by the second in which they were scheduled, whenever their fate is decided.
// Requests are offered in the order of their scheduled times. Not thread-safe.
class Ledger {
 public:
  explicit Ledger(Duration length) : length_(length) {}

  void offer(Duration scheduled, Duration lag) {
    Tally& tally = at(scheduled);
    ++tally.offered;
    tally.lag.add(lag);
  }

  void decide(Duration scheduled, Outcome outcome, Duration latency) {
    Tally& tally = at(scheduled);
    ++tally.outcomes[static_cast<std::size_t>(outcome)];
    if (outcome == Outcome::kServed) tally.served.add(latency);
    if (outcome == Outcome::kRejected) tally.rejected.add(latency);
  }

  // True if the oldest second not yet taken lies wholly before `now` and all its requests are
  // decided. Everything scheduled up to `now` must have been offered.
  bool settled(Duration now) {
    const Duration start = std::chrono::seconds(first_);
    if (start >= length_ || now < std::min(start + std::chrono::seconds(1), length_)) return false;
    const Tally& tally = at(start);
    return tally.decided() == tally.offered;
  }

  // All seconds have been taken.
  bool finished() const { return std::chrono::seconds(first_) >= length_; }

  // Which second `take()` returns next.
  std::int64_t second() const { return first_; }

  Tally take() {
    at(std::chrono::seconds(first_));
    const Tally tally = seconds_.front();
    seconds_.pop_front();
    ++first_;
    return tally;
  }

 private:
  Tally& at(Duration scheduled) {
    const auto second = std::chrono::duration_cast<std::chrono::seconds>(scheduled).count();
    const auto index = static_cast<std::size_t>(second - first_);
    while (seconds_.size() <= index) seconds_.emplace_back();
    return seconds_[index];
  }

  Duration length_;
  std::int64_t first_ = 0;
  std::deque<Tally> seconds_;
};

}  // namespace hodor::load
