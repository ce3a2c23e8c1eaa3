#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "metrics/fields.h"

namespace hodor::metrics {

// The page that Java reads as one direct buffer. One thread at a time writes a field; any number
// read at any time, without locks: numbers are single words, texts carry a sequence number that is
// odd while they are being written. Lives as long as the process once handed to Java.
class MetricsPage {
 public:
  MetricsPage();

  void set(Field field, std::int64_t value);
  void set(Field field, double value);
  // Cut to the field's capacity, never inside a UTF-8 sequence.
  void set(Field field, std::string_view text);

  [[nodiscard]] std::int64_t integer(Field field) const;
  [[nodiscard]] double real(Field field) const;
  [[nodiscard]] std::string text(Field field) const;

  // A line for each field: "field <name> <i64|f64|text> <offset> <capacity>".
  [[nodiscard]] static std::string layout();

  [[nodiscard]] void* address() { return bytes_.get(); }
  [[nodiscard]] static std::size_t size();

 private:
  [[nodiscard]] std::byte* at(Field field) const;

  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace hodor::metrics
