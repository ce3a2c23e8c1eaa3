#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "detectors/samples.h"
#include "detectors/time.h"

namespace hodor::signals {

// What HotSpot's own counters say about collection: whether the running cycle was begun by a thread
// that found no memory ("Allocation Stall", ZGC of JDK 11 to 25), and how full the old generation
// was after the last collection. They are loads from memory of the JVM's, which it never unmaps; it
// finds them in its table of fields for the serviceability agent (vmStructs). A JVM without them
// (-XX:-UsePerfData, or not HotSpot) says nothing.
//
// sampleCause() is for one thread, all else for one other.
class GcCountersSource {
 public:
  // Empty: there are none, and why is in the string.
  using FindBlock = std::function<std::span<const std::byte>(std::string&)>;

  GcCountersSource() : GcCountersSource(findHotSpotBlock) {}
  explicit GcCountersSource(FindBlock findBlock) : findBlock_(std::move(findBlock)) {}

  // Once, when the JVM is up and before the first of the others. False: see lastError().
  bool open();
  [[nodiscard]] const std::string& lastError() const { return lastError_; }

  // To be called every few milliseconds: cycles that last longer are seen in full. `elapsed` is the
  // time since the last call, for which the present cause stands.
  void sampleCause(Duration elapsed);

  // Time of cycles begun by an allocation stall, as sampled.
  [[nodiscard]] Duration stallCyclesTotal() const {
    return Duration(stallNanos_.load(std::memory_order_relaxed));
  }
  [[nodiscard]] std::optional<detectors::HeapOccupancy> heap() const;

 private:
  static std::span<const std::byte> findHotSpotBlock(std::string& error);
  [[nodiscard]] bool inStallCycle() const;

  const FindBlock findBlock_;
  std::string lastError_;
  std::span<const char> cause_;
  const std::int64_t* used_ = nullptr;
  const std::int64_t* most_ = nullptr;
  bool oldGeneration_ = false;
  std::atomic<std::int64_t> stallNanos_{0};
};

}  // namespace hodor::signals
