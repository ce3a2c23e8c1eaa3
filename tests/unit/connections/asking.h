#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <cstdint>

#include "signals/loopback.h"

namespace hodor::connections {

using signals::testing::Descriptor;

// From an address of the loopback range, without waiting.
inline Descriptor asking(std::uint16_t port, const char* source) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  sockaddr_in own{};
  own.sin_family = AF_INET;
  inet_pton(AF_INET, source, &own.sin_addr);
  EXPECT_EQ(bind(socket.number(), reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
  const sockaddr_in address = signals::testing::loopback(port);
  connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return socket;
}

// On loopback an answer is there when connect() returns; a SYN that was dropped comes again after a
// second.
inline bool isConnected(const Descriptor& socket) {
  pollfd entry{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  return poll(&entry, 1, 0) == 1 && (entry.revents & (POLLERR | POLLHUP)) == 0;
}

}  // namespace hodor::connections
