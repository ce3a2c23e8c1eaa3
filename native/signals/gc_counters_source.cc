#include "signals/gc_counters_source.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "signals/perf_data.h"

namespace hodor::signals {

namespace {

constexpr std::string_view kStall = "Allocation Stall";
// A gap in the samples is not a stall.
constexpr Duration kLongestSample = std::chrono::milliseconds(200);

// The JVM writes while we read, in code that no tool instruments; a number is one load.
std::int64_t load(const std::int64_t* number) { return __atomic_load_n(number, __ATOMIC_RELAXED); }

// A row of gHotSpotVMStructs, through the offsets that the JVM exports with it.
class FieldTable {
 public:
  // False: this JVM has no such table.
  bool open() {
    row_ = pointer("gHotSpotVMStructs");
    return row_ != nullptr && number("gHotSpotVMStructEntryTypeNameOffset", typeName_) &&
           number("gHotSpotVMStructEntryFieldNameOffset", fieldName_) &&
           number("gHotSpotVMStructEntryAddressOffset", address_) &&
           number("gHotSpotVMStructEntryArrayStride", stride_) && stride_ > 0;
  }

  // The address of a static field; null: it has none of this name.
  [[nodiscard]] const void* staticField(std::string_view type, std::string_view field) const {
    for (const char* row = row_; textAt(row + typeName_) != nullptr; row += stride_) {
      const char* const name = textAt(row + fieldName_);
      if (type == textAt(row + typeName_) && name != nullptr && field == name) {
        return read<const void*>(row + address_);
      }
    }
    return nullptr;
  }

 private:
  template <typename T>
  static T read(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  static const char* textAt(const char* at) { return read<const char*>(at); }

  static const char* pointer(const char* symbol) {
    const void* const at = dlsym(RTLD_DEFAULT, symbol);
    return at == nullptr ? nullptr : textAt(static_cast<const char*>(at));
  }
  static bool number(const char* symbol, std::uint64_t& value) {
    const void* const at = dlsym(RTLD_DEFAULT, symbol);
    value = at == nullptr ? 0 : read<std::uint64_t>(static_cast<const char*>(at));
    return at != nullptr;
  }

  const char* row_ = nullptr;
  std::uint64_t typeName_ = 0;
  std::uint64_t fieldName_ = 0;
  std::uint64_t address_ = 0;
  std::uint64_t stride_ = 0;
};

}  // namespace

std::span<const std::byte> GcCountersSource::findHotSpotBlock(std::string& error) {
  FieldTable fields;
  if (!fields.open()) {
    error = "this JVM has no table of its fields (gHotSpotVMStructs)";
    return {};
  }
  const auto* const start =
      static_cast<const std::byte* const*>(fields.staticField("PerfMemory", "_start"));
  const auto* const end =
      static_cast<const std::byte* const*>(fields.staticField("PerfMemory", "_end"));
  if (start == nullptr || end == nullptr || *start == nullptr || *end <= *start) {
    error = "this JVM keeps no performance counters (-XX:-UsePerfData)";
    return {};
  }
  return {*start, *end};
}

bool GcCountersSource::open() {
  const std::span<const std::byte> block = findBlock_(lastError_);
  if (block.empty()) {
    return false;
  }
  const PerfData counters(block);
  cause_ = counters.text("sun.gc.cause");
  if (cause_.size() <= kStall.size()) {
    cause_ = {};
    lastError_ = "the JVM's performance counters have no sun.gc.cause";
    return false;
  }
  // Collectors without generations call the heap generation 1, and 0 is missing or has no room.
  used_ = counters.number("sun.gc.generation.1.space.0.used");
  most_ = counters.number("sun.gc.generation.1.maxCapacity");
  const std::int64_t* const young = counters.number("sun.gc.generation.0.maxCapacity");
  oldGeneration_ = young != nullptr && load(young) > 0;
  return true;
}

bool GcCountersSource::inStallCycle() const {
  return !cause_.empty() && std::memcmp(cause_.data(), kStall.data(), kStall.size()) == 0;
}

void GcCountersSource::sampleCause(Duration elapsed) {
  if (inStallCycle()) {
    stallNanos_.fetch_add(std::clamp(elapsed, Duration::zero(), kLongestSample).count(),
                          std::memory_order_relaxed);
  }
}

std::optional<detectors::HeapOccupancy> GcCountersSource::heap() const {
  if (used_ == nullptr || most_ == nullptr || load(most_) <= 0) {
    return std::nullopt;
  }
  const double share = static_cast<double>(load(used_)) / static_cast<double>(load(most_));
  return detectors::HeapOccupancy{oldGeneration_, std::clamp(share, 0.0, 1.0)};
}

}  // namespace hodor::signals
