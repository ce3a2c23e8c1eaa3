#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

namespace hodor::signals {

// The counters that HotSpot keeps for jstat and jcmd PerfCounter.print, in a block of memory with a
// table of contents ("PerfData", version 2; perfMemory.hpp of HotSpot). Reading one is a load: the
// JVM writes it in place, at any time.
class PerfData {
 public:
  // Looks through the table once; a block that is not understood has no counters. The block must
  // outlive this object.
  explicit PerfData(std::span<const std::byte> block);

  // Null: there is no such counter, or it is of another type.
  [[nodiscard]] const std::int64_t* number(std::string_view name) const;
  // Empty: there is none. The text may be changed while it is read: it ends at the first zero, or
  // with the span.
  [[nodiscard]] std::span<const char> text(std::string_view name) const;

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    char type = 0;
    std::size_t offset = 0;
    std::size_t length = 0;  // of a text
  };

  template <typename Integer>
  [[nodiscard]] Integer at(std::size_t offset) const;
  // False: it is not one.
  bool addEntry(std::size_t offset, std::size_t length);

  const std::span<const std::byte> block_;
  std::unordered_map<std::string_view, Entry> entries_;
};

}  // namespace hodor::signals
