#include "signals/socket_queries.h"

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace hodor::signals {

namespace {

std::optional<tcp_info> tcpInfo(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < sizeof info) {
    return std::nullopt;
  }
  return info;
}

}  // namespace

ReceiveMemory receiveMemory(int descriptor) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t size = sizeof memory;
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, memory.data(), &size) != 0) {
    return {errno == EBADF      ? SocketAnswer::kClosed
            : errno == ENOTSOCK ? SocketAnswer::kNoSocket
                                : SocketAnswer::kRefused,
            0};
  }
  return {SocketAnswer::kKnown, memory[SK_MEMINFO_RMEM_ALLOC]};
}

std::optional<std::uint16_t> localPort(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how the socket API is called.
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      (address.ss_family != AF_INET && address.ss_family != AF_INET6)) {
    return std::nullopt;
  }
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the port is in the same place.
  const in_port_t port = ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
  if (port == 0) {
    return std::nullopt;
  }
  return port;
}

bool isListening(int descriptor) {
  int listening = 0;
  socklen_t size = sizeof listening;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 &&
         listening != 0;
}

std::optional<std::uint32_t> unreadBytes(int descriptor) {
  int bytes = 0;
  if (ioctl(descriptor, FIONREAD, &bytes) != 0 || bytes < 0) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(bytes);
}

Peer peerOf(int descriptor) {
  const auto info = tcpInfo(descriptor);
  if (!info) {
    return Peer::kUnknown;
  }
  switch (info->tcpi_state) {
    case TCP_ESTABLISHED:
      return Peer::kThere;
    case TCP_CLOSE_WAIT:
      return Peer::kClosed;
    case TCP_CLOSE:
      return Peer::kReset;
    default:
      return Peer::kUnknown;
  }
}

std::optional<Duration> sinceLastData(int descriptor) {
  const auto info = tcpInfo(descriptor);
  if (!info || (info->tcpi_state != TCP_ESTABLISHED && info->tcpi_state != TCP_CLOSE_WAIT)) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(info->tcpi_last_data_recv);
}

std::optional<std::uint32_t> acceptQueueLength(int descriptor) {
  const auto info = tcpInfo(descriptor);
  if (!info || info->tcpi_state != TCP_LISTEN) {
    return std::nullopt;
  }
  // The kernel puts the length of the accept queue there, and its limit into tcpi_sacked.
  return info->tcpi_unacked;
}

}  // namespace hodor::signals
