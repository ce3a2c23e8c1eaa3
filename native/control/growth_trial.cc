#include "control/growth_trial.h"

#include <algorithm>

namespace hodor::control {

namespace {

constexpr Duration kLongestBackOff = std::chrono::seconds(60);
// A count of so many is right within 8 %; where they are rare, fewer have to do.
constexpr double kCompletions = 150;
constexpr double kFewCompletions = 12;
constexpr double kShortest = 0.5;  // seconds
constexpr double kPatience = 6;    // seconds
constexpr double kRoundTrips = 2;
constexpr double kShortestSettling = 0.2;  // seconds
constexpr double kLongestSettling = 2;     // seconds
// More in flight by less than this has not been tried.
constexpr double kLeastRise = 0.08;
// What is completed rises by at least this share of that.
constexpr double kLeastGain = 0.5;

}  // namespace

void GrowthTrial::Epoch::add(const Input& input) {
  elapsed += input.elapsed;
  inFlight += input.inFlight * toSeconds(input.elapsed);
  completions += input.completions;
}

bool GrowthTrial::Epoch::isLongEnough(double sojourn) const {
  const double seconds = toSeconds(elapsed);
  return (seconds >= std::max(kShortest, kRoundTrips * sojourn) && completions >= kCompletions) ||
         (seconds >= std::max(kPatience, kRoundTrips * sojourn) && completions >= kFewCompletions);
}

bool GrowthTrial::gained() const {
  if (before_.inFlight <= 0 || before_.completions <= 0) {
    return false;
  }
  const double rise = after_.meanInFlight() / before_.meanInFlight() - 1;
  const double gain = after_.rate() / before_.rate() - 1;
  return rise > kLeastRise && gain > kLeastGain * rise;
}

void GrowthTrial::abandon() {
  phase_ = Phase::kBefore;
  before_ = {};
}

void GrowthTrial::fail(Instant now) {
  abandon();
  backOff_ = std::min(2 * backOff_, kLongestBackOff);
  notBefore_ = now + backOff_;
}

GrowthTrial::Verdict GrowthTrial::tick(const Input& input) {
  if (!notBefore_) {
    notBefore_ = input.now + backOff_;
  }
  switch (phase_) {
    case Phase::kBefore:
      before_.add(input);
      if (input.now < *notBefore_ || !before_.isLongEnough(input.sojourn)) {
        return Verdict::kWait;
      }
      phase_ = Phase::kSettling;
      settled_ = {};
      return Verdict::kRaise;
    case Phase::kSettling:
      settled_ += input.elapsed;
      if (toSeconds(settled_) >= std::clamp(input.sojourn, kShortestSettling, kLongestSettling)) {
        phase_ = Phase::kAfter;
        after_ = {};
      }
      return Verdict::kWait;
    case Phase::kAfter:
      break;
  }
  after_.add(input);
  if (!after_.isLongEnough(input.sojourn)) {
    return Verdict::kWait;
  }
  if (!gained()) {
    fail(input.now);
    return Verdict::kRestore;
  }
  abandon();
  backOff_ = kFirstBackOff;
  notBefore_ = input.now + backOff_;
  return Verdict::kKeep;
}

}  // namespace hodor::control
