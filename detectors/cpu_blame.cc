#include "detectors/cpu_blame.h"

#include <algorithm>
#include <cstdio>

namespace hodor::detectors {

namespace {

// Where a name begins, and where it ends. The lower ones leave room for a load that comes in waves
// and for the kernel's clock tick of 10 ms, which one second sees to 1 % of a CPU.
struct Threshold {
  double begins;
  double ends;
  [[nodiscard]] double now(bool named) const { return named ? ends : begins; }
};
constexpr Threshold kThrottledPeriods{.begins = 0.5, .ends = 0.25};
constexpr Threshold kOthersShare{.begins = 1.0 / 3, .ends = 0.25};
// Where more is idle, the scheduler would have given it to a thread that waits: it looks for an
// idle CPU at each wake-up.
constexpr Threshold kBusyCpus{.begins = 0.8, .ends = 0.7};
// Of the effective CPUs: with that we have what we may have. Less than all of it, as a quota is
// handed out to the CPUs in slices of 5 ms that not every one uses up.
constexpr double kQuotaUsed = 0.9;
// What is called none in a sentence.
constexpr double kNone = 0.005;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", share * 100);
  return text;
}

}  // namespace

void CpuBlameJudge::observe(const CpuShares& shares) {
  if (shares.elapsed <= Duration::zero()) {
    return;
  }
  effectiveCpus_ = shares.effectiveCpus;
  usesKnown_ = shares.own && shares.machine && shares.machine->cpus > 0;
  quotaKnown_ = shares.quota.has_value();
  const auto add = [&](DecayingSum& sum, bool known, double amount) {
    if (known) {
      sum.add(shares.elapsed, std::max(amount, 0.0));
    } else {
      sum.clear();
    }
  };
  const MachineCpu machine = shares.machine.value_or(MachineCpu{});
  const double own = toSeconds(shares.own.value_or(Duration::zero()));
  add(own_, usesKnown_, own);
  add(others_, usesKnown_, toSeconds(machine.busy) - own);
  add(stolen_, usesKnown_, toSeconds(machine.stolen));
  add(offered_, usesKnown_, toSeconds(shares.elapsed) * machine.cpus);
  add(elapsed_, usesKnown_, toSeconds(shares.elapsed));
  const ThrottledPeriods quota = shares.quota.value_or(ThrottledPeriods{});
  add(periods_, quotaKnown_, static_cast<double>(quota.periods));
  add(throttled_, quotaKnown_, static_cast<double>(quota.throttled));
  blame_ = judge();
}

CpuBlame CpuBlameJudge::judge() const {
  if (quotaKnown_ && ratio(throttled_.value(), periods_.value()) >=
                         kThrottledPeriods.now(blame_ == CpuBlame::kQuota)) {
    return CpuBlame::kQuota;
  }
  if (usesKnown_ && takenByOthers()) {
    return CpuBlame::kNeighbour;
  }
  return usesKnown_ && quotaKnown_ ? CpuBlame::kSelf : CpuBlame::kUnknown;
}

bool CpuBlameJudge::takenByOthers() const {
  const bool named = blame_ == CpuBlame::kNeighbour;
  const double taken = others_.value() + stolen_.value();
  const double used = own_.value() + taken;
  return ratio(taken, used) >= kOthersShare.now(named) &&
         ratio(used, offered_.value()) >= kBusyCpus.now(named) &&
         own_.value() < kQuotaUsed * effectiveCpus_ * elapsed_.value();
}

std::string CpuBlameJudge::explain() const {
  const double used = own_.value() + others_.value() + stolen_.value();
  std::string sentence;
  if (!quotaKnown_) {
    sentence = "throttling unknown";
  } else if (const double share = ratio(throttled_.value(), periods_.value()); share < kNone) {
    sentence = "no throttling";
  } else {
    sentence = "throttled in " + percent(share) + " of the periods";
  }
  if (!usesKnown_) {
    return sentence + "; other processes and steal unknown";
  }
  const double others = ratio(others_.value(), used);
  const double stolen = ratio(stolen_.value(), used);
  sentence += others < kNone ? "; no other processes"
                             : "; other processes have " + percent(others) + " of the used CPU";
  return sentence + (stolen < kNone ? "; no steal" : "; steal has " + percent(stolen));
}

}  // namespace hodor::detectors
