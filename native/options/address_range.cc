#include "options/address_range.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "options/value_text.h"

namespace hodor::options {

namespace {

constexpr int kByteBits = 8;

void clearBehind(AddressRange& range, int prefix) {
  for (int bit = prefix; bit < static_cast<int>(range.length()) * kByteBits; ++bit) {
    auto& byte = range.bytes[static_cast<std::size_t>(bit / kByteBits)];
    byte = static_cast<std::uint8_t>(byte & ~(0x80U >> static_cast<unsigned>(bit % kByteBits)));
  }
}

}  // namespace

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '/');
  AddressRange range;
  range.version6 = parts.front().find(':') != std::string_view::npos;
  const std::string address(parts.front());
  if (parts.size() > 2 || address.find('\0') != std::string::npos ||
      inet_pton(range.version6 ? AF_INET6 : AF_INET, address.c_str(), range.bytes.data()) != 1) {
    return std::nullopt;
  }
  const int longest = static_cast<int>(range.length()) * kByteBits;
  const auto prefix = parts.size() == 2 ? parseInteger(parts[1]) : std::optional<long>(longest);
  if (!prefix || *prefix > longest) {
    return std::nullopt;
  }
  range.prefix = static_cast<int>(*prefix);
  clearBehind(range, range.prefix);
  return range;
}

std::vector<AddressRange> AddressRange::loopback() { return {*parse("127.0.0.1"), *parse("::1")}; }

bool AddressRange::contains(const AddressRange& other) const {
  if (version6 != other.version6 || prefix > other.prefix) {
    return false;
  }
  AddressRange inside = other;
  clearBehind(inside, prefix);
  return inside.bytes == bytes;
}

std::string AddressRange::text() const {
  std::array<char, INET6_ADDRSTRLEN> address{};
  inet_ntop(version6 ? AF_INET6 : AF_INET, bytes.data(), address.data(), address.size());
  std::string text = address.data();
  if (prefix != static_cast<int>(length()) * kByteBits) {
    text.append("/").append(std::to_string(prefix));
  }
  return text;
}

}  // namespace hodor::options
