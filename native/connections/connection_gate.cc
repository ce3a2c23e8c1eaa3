#include "connections/connection_gate.h"

#include <fcntl.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "connections/syn_filter.h"
#include "signals/socket_queries.h"

namespace hodor::connections {

namespace {

// A share that is nearly the one in force is not worth another program.
constexpr double kSame = 0.05;

// A descriptor of our own for the same socket, so that it stays that socket.
class Handle {
 public:
  explicit Handle(int descriptor) : own_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (own_ >= 0) {
      close(own_);
    }
  }

  // Nothing if it is no socket.
  [[nodiscard]] std::optional<std::uint64_t> cookie() const {
    std::uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    if (getsockopt(own_, SOL_SOCKET, SO_COOKIE, &cookie, &size) != 0) {
      return std::nullopt;
    }
    return cookie;
  }

  // Whether somebody has a filter on it, or forbids one.
  [[nodiscard]] bool hasFilter() const {
    socklen_t instructions = 0;
    return getsockopt(own_, SOL_SOCKET, SO_GET_FILTER, nullptr, &instructions) != 0 ||
           instructions != 0;
  }

  // Packets that the kernel has dropped at this socket.
  [[nodiscard]] std::uint32_t drops() const {
    std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
    socklen_t size = sizeof memory;
    return getsockopt(own_, SOL_SOCKET, SO_MEMINFO, memory.data(), &size) == 0
               ? memory[SK_MEMINFO_DROPS]
               : 0;
  }

  [[nodiscard]] bool attach(std::vector<sock_filter>& program) const {
    const sock_fprog whole{static_cast<std::uint16_t>(program.size()), program.data()};
    return setsockopt(own_, SOL_SOCKET, SO_ATTACH_FILTER, &whole, sizeof whole) == 0;
  }

  void detach() const {
    const int none = 0;
    setsockopt(own_, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
  }

 private:
  int own_;
};

}  // namespace

ConnectionGate::Held* ConnectionGate::find(std::uint64_t cookie) {
  const auto found = std::find_if(held_.begin(), held_.end(),
                                  [cookie](const Held& held) { return held.cookie == cookie; });
  return found == held_.end() ? nullptr : &*found;
}

double ConnectionGate::limit(double passing, std::span<const int> listeners,
                             std::span<const options::AddressRange> exempt) {
  if (passing >= 1) {
    open();
    return 1;
  }
  why_.clear();
  const bool sameExempt = std::equal(exempt.begin(), exempt.end(), exempt_.begin(), exempt_.end());
  exempt_.assign(exempt.begin(), exempt.end());
  for (Held& held : held_) {
    held.wanted = false;
    held.stale = !sameExempt;
  }
  for (const int descriptor : listeners) {
    attach(descriptor, passing);
  }
  std::erase_if(held_, [this](const Held& held) {
    if (!held.wanted) {
      detach(held);
    }
    return !held.wanted;
  });
  double least = 1;
  for (const Held& held : held_) {
    least = std::min(least, held.passing);
  }
  return least;
}

void ConnectionGate::attach(int descriptor, double passing) {
  const Handle socket(descriptor);
  const auto cookie = socket.cookie();
  if (!cookie || !signals::isListening(descriptor)) {
    return;
  }
  Held* held = find(*cookie);
  if (held != nullptr) {
    held->wanted = true;
    if (!held->stale && std::abs(held->passing - passing) <= kSame * held->passing) {
      return;
    }
  } else if (socket.hasFilter()) {
    why_ = "a listening socket has a filter of somebody else";
    return;
  }
  std::vector<sock_filter> program = synFilter(passing, exempt_);
  if (!socket.attach(program)) {
    why_ = std::string("the kernel refuses a filter on a listening socket: ") + strerror(errno);
    return;
  }
  if (held == nullptr) {
    held_.push_back({.descriptor = descriptor,
                     .cookie = *cookie,
                     .passing = passing,
                     .droppedBefore = socket.drops(),
                     .wanted = true});
  } else {
    held->passing = passing;
    held->stale = false;
  }
}

void ConnectionGate::detach(const Held& held) {
  const Handle socket(held.descriptor);
  if (socket.cookie() == held.cookie) {
    droppedByGone_ += socket.drops() - held.droppedBefore;
    socket.detach();
  }
}

void ConnectionGate::open() {
  for (const Held& held : held_) {
    detach(held);
  }
  held_.clear();
}

std::uint64_t ConnectionGate::dropped() const {
  std::uint64_t sum = droppedByGone_;
  for (const Held& held : held_) {
    const Handle socket(held.descriptor);
    if (socket.cookie() == held.cookie) {
      sum += socket.drops() - held.droppedBefore;
    }
  }
  return sum;
}

}  // namespace hodor::connections
