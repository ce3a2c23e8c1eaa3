#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace hodor::signals::testing {

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number < 0) {
      throw std::runtime_error("no descriptor");
    }
  }
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) {
      ::close(std::exchange(number_, -1));
    }
  }

 private:
  int number_;
};

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

inline std::uint16_t portOf(const Descriptor& socket) {
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin6_port);
}

inline Descriptor bound(int type, std::uint16_t port = 0) {
  Descriptor socket(::socket(AF_INET, type, 0));
  const sockaddr_in address = loopback(port);
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot bind");
  }
  return socket;
}

inline Descriptor listening(int backlog = 512) {
  Descriptor socket = bound(SOCK_STREAM);
  if (listen(socket.number(), backlog) != 0) {
    throw std::runtime_error("cannot listen");
  }
  return socket;
}

// Listens on IPv6, and on IPv4 by mapped addresses, as Java does.
inline Descriptor listeningDualStack() {
  Descriptor socket(::socket(AF_INET6, SOCK_STREAM, 0));
  const int off = 0;
  setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.number(), 512) != 0) {
    throw std::runtime_error("cannot listen on IPv6");
  }
  return socket;
}

inline Descriptor connectedTo(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  const sockaddr_in address = loopback(port);
  if (connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect");
  }
  return socket;
}

// Both ends of a connection.
struct Connection {
  explicit Connection(const Descriptor& listener)
      : client(connectedTo(portOf(listener))),
        server(accept(listener.number(), nullptr, nullptr)) {}

  void send(std::size_t bytes) const {
    const std::string data(bytes, 'x');
    if (write(client.number(), data.data(), bytes) != static_cast<ssize_t>(bytes)) {
      throw std::runtime_error("cannot send");
    }
  }
  void read(std::size_t bytes) const {
    std::string data(bytes, ' ');
    if (::read(server.number(), data.data(), bytes) != static_cast<ssize_t>(bytes)) {
      throw std::runtime_error("cannot read");
    }
  }

  Descriptor client;
  Descriptor server;
};

}  // namespace hodor::signals::testing
