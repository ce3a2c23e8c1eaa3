#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hodor::signals {

// Builds a block of performance counters as HotSpot lays it out.
class PerfBlock {
 public:
  PerfBlock() {
    const unsigned char head[] = {0xca, 0xfe, 0xc0, 0xc0, 1, 2, 0, 1};
    std::memcpy(bytes(), head, sizeof head);
    put<std::int32_t>(24, kHead);
  }

  // Each returns where its value is.
  std::size_t addNumber(std::string_view name, std::int64_t value) {
    const std::size_t at = add(name, 'J', 0, sizeof value);
    put(at, value);
    return at;
  }
  std::size_t addText(std::string_view name, std::string_view value, std::size_t room = 80) {
    const std::size_t at = add(name, 'B', room, room);
    putText(at, value);
    return at;
  }

  template <typename T>
  void put(std::size_t at, T value) {
    std::memcpy(bytes() + at, &value, sizeof value);
  }
  void putText(std::size_t at, std::string_view value) {
    std::memcpy(bytes() + at, value.data(), value.size());
    bytes()[at + value.size()] = 0;
  }

  [[nodiscard]] std::span<const std::byte> block() const {
    return {reinterpret_cast<const std::byte*>(words_.data()), sizeof words_};
  }
  // Where the next entry will begin.
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  static constexpr std::size_t kHead = 32;

  std::size_t add(std::string_view name, char type, std::size_t vectorLength, std::size_t size) {
    const std::size_t entry = end_;
    const std::size_t data = (20 + name.size() + 1 + 7) / 8 * 8;
    const std::size_t length = (data + size + 7) / 8 * 8;
    put<std::int32_t>(entry, static_cast<std::int32_t>(length));
    put<std::int32_t>(entry + 4, 20);
    put<std::int32_t>(entry + 8, static_cast<std::int32_t>(vectorLength));
    bytes()[entry + 12] = type;
    put<std::int32_t>(entry + 16, static_cast<std::int32_t>(data));
    putText(entry + 20, name);
    end_ += length;
    put<std::int32_t>(28, ++count_);
    return entry + data;
  }

  [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(words_.data()); }

  std::array<std::int64_t, 128> words_{};
  std::size_t end_ = kHead;
  std::int32_t count_ = 0;
};

}  // namespace hodor::signals
