#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "attach/class_file.h"

namespace hodor::attach {

// Appends big-endian numbers and pieces of another class file.
class ByteWriter {
 public:
  void u1(unsigned value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void u2(unsigned value) {
    u1(value >> 8U & 0xFFU);
    u1(value & 0xFFU);
  }
  void u4(std::uint32_t value) {
    u2(value >> 16U);
    u2(value & 0xFFFFU);
  }
  void copy(Bytes from, std::size_t begin, std::size_t end) {
    const auto part = from.subspan(begin, end - begin);
    bytes_.insert(bytes_.end(), part.begin(), part.end());
  }
  void append(const std::vector<std::uint8_t>& more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Constants added behind those that a class has. None is looked for: a few doubles do no harm.
class AddedConstants {
 public:
  explicit AddedConstants(std::uint16_t first) : next_(first) {}

  std::uint16_t utf8(std::string_view text) {
    writer_.u1(kConstantUtf8);
    writer_.u2(static_cast<unsigned>(text.size()));
    for (const char c : text) {
      writer_.u1(static_cast<unsigned char>(c));
    }
    return next_++;
  }
  std::uint16_t type(std::string_view name) {
    const std::uint16_t text = utf8(name);
    writer_.u1(kConstantClass);
    writer_.u2(text);
    return next_++;
  }
  std::uint16_t method(std::uint16_t owner, std::uint16_t name, std::uint16_t descriptor) {
    writer_.u1(kConstantNameAndType);
    writer_.u2(name);
    writer_.u2(descriptor);
    const std::uint16_t pair = next_++;
    writer_.u1(kConstantMethodref);
    writer_.u2(owner);
    writer_.u2(pair);
    return next_++;
  }

  // The number of constants with the added ones.
  [[nodiscard]] std::uint16_t count() const { return next_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return writer_.bytes(); }

 private:
  std::uint16_t next_;
  ByteWriter writer_;
};

}  // namespace hodor::attach
