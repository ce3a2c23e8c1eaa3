#pragma once

#include <cstdint>
#include <optional>

#include "detectors/time.h"

// Questions to the kernel about a descriptor of somebody else. Its number may be closed and given
// to anything else between two of them, so each one only reads, and what is not a socket (or not
// open) simply has no answer. Nothing is ever read from the descriptor itself.
namespace hodor::signals {

// kRefused: this kernel does not answer the question.
enum class SocketAnswer { kClosed, kNoSocket, kRefused, kKnown };

struct ReceiveMemory {
  SocketAnswer answer = SocketAnswer::kClosed;
  // Memory that what has arrived takes; 0: nothing to read. Never less than the bytes themselves.
  std::uint32_t bytes = 0;
};

// SO_MEMINFO: takes no lock, and only sockets know it. Linux 4.12.
ReceiveMemory receiveMemory(int descriptor);

// Of an IPv4 or IPv6 socket that has one.
std::optional<std::uint16_t> localPort(int descriptor);

// Whether it is a listening socket.
bool isListening(int descriptor);

// Bytes that have arrived and were not read; a FIN is none. To be asked of sockets alone: other
// descriptors hand the ioctl to their driver.
std::optional<std::uint32_t> unreadBytes(int descriptor);

// What the other end of a TCP connection has said of itself.
enum class Peer {
  kUnknown,  // the socket is none, or was never connected
  kThere,
  kClosed,  // it will send no more: it has closed the connection, or its half of it
  kReset
};
Peer peerOf(int descriptor);

// Time since data last arrived on an established TCP connection, or on one whose client has closed
// its side; since the handshake if there was none. Reading does not change it. In steps of the
// kernel's timer: 4 ms with HZ=250. Waits for as long as another thread is inside a call on it.
std::optional<Duration> sinceLastData(int descriptor);

// Connections that wait to be accepted at a listening TCP socket.
std::optional<std::uint32_t> acceptQueueLength(int descriptor);

}  // namespace hodor::signals
