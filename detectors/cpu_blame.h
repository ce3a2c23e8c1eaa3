#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "detectors/decaying_sum.h"
#include "detectors/samples.h"

namespace hodor::detectors {

// Who has the CPU time that the threads of this process wait for.
enum class CpuBlame : std::uint8_t { kUnknown, kSelf, kNeighbour, kQuota };

inline constexpr std::array<std::string_view, 4> kCpuBlameNames = {"unknown", "self", "neighbour",
                                                                   "quota"};

constexpr std::string_view nameOf(CpuBlame blame) {
  return kCpuBlameNames[static_cast<std::size_t>(blame)];
}

// Tells a load of the process's own from a quota that throttles it and from neighbours that take
// its CPUs, by what became of the CPU time of the last second or so:
//
//  quota      in half of the periods or more the quota was used up. One that is too small for the
//             load is used up in nearly every period; a burst now and then is not it.
//  neighbour  others, in this system or beside it on the host, have a third or more of what is used
//             of our CPUs, these are busy (a thread that waits beside an idle CPU does not wait for
//             others), and we do not have all that the quota allows.
//  self       neither.
//  unknown    what is needed to tell could not be read.
//
// Once named it stays until well below where it began.
class CpuBlameJudge {
 public:
  void observe(const CpuShares& shares);
  // Nothing is known any more.
  void clear() { *this = CpuBlameJudge(); }

  [[nodiscard]] CpuBlame blame() const { return blame_; }
  // Half a sentence: "no throttling; others use 4 % of the CPU time; no steal".
  [[nodiscard]] std::string explain() const;

 private:
  [[nodiscard]] CpuBlame judge() const;
  [[nodiscard]] bool takenByOthers() const;

  CpuBlame blame_ = CpuBlame::kUnknown;
  double effectiveCpus_ = 1;
  bool usesKnown_ = false;
  bool quotaKnown_ = false;
  // In seconds.
  DecayingSum own_;
  DecayingSum others_;
  DecayingSum stolen_;
  DecayingSum offered_;  // by all CPUs together
  DecayingSum elapsed_;
  // In periods.
  DecayingSum periods_;
  DecayingSum throttled_;
};

}  // namespace hodor::detectors
