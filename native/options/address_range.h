#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hodor::options {

// The addresses of IPv4 or of IPv6 that begin with the same bits.
struct AddressRange {
  static constexpr std::size_t kVersion4Bytes = 4;
  static constexpr std::size_t kVersion6Bytes = 16;

  bool version6 = false;
  // In network byte order; of version 4 the first four. Bits behind the prefix are zero.
  std::array<std::uint8_t, kVersion6Bytes> bytes{};
  // Bits, 0..32 or 0..128.
  int prefix = 0;

  // "127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8". Nothing if it is none of these; bits behind the
  // prefix do not matter.
  static std::optional<AddressRange> parse(std::string_view text);
  // 127.0.0.1 and ::1.
  static std::vector<AddressRange> loopback();

  // As parse() takes it, without the prefix where it is all of the address.
  [[nodiscard]] std::string text() const;
  // Whether all addresses of the other one are of this one, too.
  [[nodiscard]] bool contains(const AddressRange& other) const;
  [[nodiscard]] std::size_t length() const { return version6 ? kVersion6Bytes : kVersion4Bytes; }

  bool operator==(const AddressRange&) const = default;
};

}  // namespace hodor::options
