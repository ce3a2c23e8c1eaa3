#include "connections/accept_gate.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "connections/imported_function.h"
#include "connections/peer_address.h"
#include "signals/socket_queries.h"

namespace hodor::connections {

namespace {

using Accept = int (*)(int, sockaddr*, socklen_t*);
using Ranges = std::vector<options::AddressRange>;

constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
// Multiples of the golden ratio, modulo 2^32, are spread as evenly as can be (Weyl's sequence), so
// the share that passes is exact over few connections already.
constexpr std::uint32_t kGolden = 0x9E3779B1;

// What the threads that accept need. They may be in here at any time, so it is never destroyed.
class Door {
 public:
  void set(double passing, std::span<const options::AddressRange> exempt) {
    {
      const std::lock_guard lock(mutex_);
      exempt_ = std::make_shared<const Ranges>(exempt.begin(), exempt.end());
    }
    passing_.store(static_cast<std::uint32_t>(std::clamp(passing, 0.0, 1.0) * kAll),
                   std::memory_order_relaxed);
  }

  void open() { passing_.store(kAll, std::memory_order_relaxed); }

  int accept(int descriptor, sockaddr* address, socklen_t* length) {
    const socklen_t room = length == nullptr ? 0 : *length;
    while (true) {
      if (length != nullptr) {
        *length = room;
      }
      const int accepted = real.load(std::memory_order_acquire)(descriptor, address, length);
      if (accepted < 0 || passes(accepted)) {
        return accepted;
      }
      reset(accepted);
    }
  }

  std::atomic<Accept> real{&::accept};
  std::atomic<const ServedPorts*> ports{nullptr};
  std::atomic<std::uint64_t> dropped{0};

 private:
  bool passes(int accepted) {
    const std::uint32_t passing = passing_.load(std::memory_order_relaxed);
    if (passing == kAll) {
      return true;
    }
    const auto port = signals::localPort(accepted);
    if (!port || !ports.load(std::memory_order_acquire)->contains(*port)) {
      return true;
    }
    return drawn_.fetch_add(kGolden, std::memory_order_relaxed) < passing || isExempt(accepted);
  }

  bool isExempt(int accepted) {
    const auto peer = peerAddress(accepted);
    std::shared_ptr<const Ranges> ranges;
    {
      const std::lock_guard lock(mutex_);
      ranges = exempt_;
    }
    return peer && ranges &&
           std::any_of(ranges->begin(), ranges->end(),
                       [&](const options::AddressRange& range) { return range.contains(*peer); });
  }

  void reset(int accepted) {
    const linger now{.l_onoff = 1, .l_linger = 0};
    setsockopt(accepted, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(accepted);
    dropped.fetch_add(1, std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> passing_{kAll};
  std::atomic<std::uint32_t> drawn_{0};
  std::mutex mutex_;
  std::shared_ptr<const Ranges> exempt_;
};

Door& door() {
  static Door* const kDoor = new Door;
  return *kDoor;
}

int acceptSome(int descriptor, sockaddr* address, socklen_t* length) {
  return door().accept(descriptor, address, length);
}

std::optional<ImportedFunction> acceptOfNio() {
  return ImportedFunction::find("/libnio.so", "accept");
}

}  // namespace

AcceptGate::AcceptGate(const ServedPorts& ports) {
  door().ports.store(&ports, std::memory_order_release);
}

bool AcceptGate::redirect() {
  const auto entry = acceptOfNio();
  if (!entry) {
    why_ = "libnio.so is not loaded, or does not call accept() through its table";
    return false;
  }
  void* const ours = reinterpret_cast<void*>(&acceptSome);
  if (entry->target() == ours) {
    return true;
  }
  if (!entry->unresolved()) {
    door().real.store(reinterpret_cast<Accept>(entry->target()), std::memory_order_release);
  }
  if (!entry->redirect(ours)) {
    why_ = std::string("the JDK's call of accept() cannot be redirected: ") + strerror(errno);
    return false;
  }
  return true;
}

double AcceptGate::limit(double passing, std::span<const options::AddressRange> exempt) {
  if (passing >= 1) {
    open();
    return 1;
  }
  why_.clear();
  if (!redirect()) {
    open();
    return 1;
  }
  door().set(passing, exempt);
  limits_ = true;
  return passing;
}

void AcceptGate::open() {
  if (!limits_) {
    return;
  }
  limits_ = false;
  door().open();
  const auto entry = acceptOfNio();
  // Should somebody have come after us, he calls us, and we hand on.
  if (entry && entry->target() == reinterpret_cast<void*>(&acceptSome)) {
    (void)entry->redirect(reinterpret_cast<void*>(door().real.load(std::memory_order_acquire)));
  }
}

std::uint64_t AcceptGate::dropped() { return door().dropped.load(std::memory_order_relaxed); }

}  // namespace hodor::connections
