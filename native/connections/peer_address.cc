#include "connections/peer_address.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace hodor::connections {

namespace {
constexpr int kByteBits = 8;
// ::ffff:0:0/96
constexpr std::size_t kMappedPrefix = 12;
}  // namespace

std::optional<options::AddressRange> peerAddress(int descriptor) {
  using options::AddressRange;
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    return std::nullopt;
  }
  AddressRange address;
  const auto* bytes = static_cast<const unsigned char*>(nullptr);
  if (storage.ss_family == AF_INET) {
    bytes = reinterpret_cast<const unsigned char*>(
        &reinterpret_cast<const sockaddr_in&>(storage).sin_addr);
  } else if (storage.ss_family == AF_INET6) {
    const in6_addr& six = reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr;
    address.version6 = !IN6_IS_ADDR_V4MAPPED(&six);
    bytes = reinterpret_cast<const unsigned char*>(&six) + (address.version6 ? 0 : kMappedPrefix);
  } else {
    return std::nullopt;
  }
  std::memcpy(address.bytes.data(), bytes, address.length());
  address.prefix = static_cast<int>(address.length()) * kByteBits;
  return address;
}

}  // namespace hodor::connections
