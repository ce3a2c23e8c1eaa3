#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "detectors/time.h"

namespace hodor::load {

// Durations in logarithmic buckets of whole microseconds: exact below 256 µs, within 0.8 % above;
// more than 16.7 s counts as 16.7 s. Memory is fixed and adding is a few instructions, so that
// the generator's own cost does not depend on how badly the server does. Not thread-safe.
class Histogram {
 public:
  void add(Duration duration) {
    const auto micros =
        std::clamp<std::int64_t>(duration.count() / 1000, 0, (std::int64_t{1} << kMaxBits) - 1);
    ++counts_[bucketOf(static_cast<std::uint32_t>(micros))];
    ++total_;
    max_ = std::max(max_, duration);
  }

  void add(const Histogram& other) {
    for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    max_ = std::max(max_, other.max_);
  }

  std::uint64_t count() const { return total_; }
  Duration max() const { return max_; }

  // The smallest value (a bucket's upper end) that at least `share` (0 to 1) of the values do not
  // exceed; 0 if there are none.
  Duration quantile(double share) const {
    if (total_ == 0) return Duration{0};
    const auto wanted = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total_))));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += counts_[i];
      if (seen >= wanted) return std::min(max_, Duration(upperMicros(i) * 1000));
    }
    return max_;
  }

 private:
  static constexpr unsigned kSubBits = 7;  // 128 buckets to each doubling
  static constexpr unsigned kMaxBits = 24;
  static constexpr std::size_t kBuckets = (std::size_t{kMaxBits - kSubBits} + 1) << kSubBits;

  // Below 2^(kSubBits+1) the shift is 0 and the index is the value itself.
  static std::size_t bucketOf(std::uint32_t micros) {
    const auto bits = static_cast<unsigned>(std::bit_width(micros));
    const unsigned shift = bits > kSubBits + 1 ? bits - kSubBits - 1 : 0;
    return (std::size_t{shift} << kSubBits) + (micros >> shift);
  }

  static std::int64_t upperMicros(std::size_t bucket) {
    const std::size_t octave = bucket >> kSubBits;
    const std::size_t shift = octave > 1 ? octave - 1 : 0;
    const std::size_t mantissa = bucket - (shift << kSubBits);
    return static_cast<std::int64_t>(((mantissa + 1) << shift) - 1);
  }

  std::array<std::uint32_t, kBuckets> counts_{};
  std::uint64_t total_ = 0;
  Duration max_{0};
};

}  // namespace hodor::load
