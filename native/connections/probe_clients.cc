#include "connections/probe_clients.h"

#include <algorithm>

namespace hodor::connections {

namespace {
// Connections of a client that only asks for health, kept or about to close; and of those looked
// at, the share from which on there are many of one client.
constexpr std::size_t kFew = 4;
constexpr double kManyShare = 0.05;
}  // namespace

void ProbeClients::seen(const options::AddressRange& address, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(clients_.begin(), clients_.end(),
                                  [&](const Client& client) { return client.address == address; });
  if (known != clients_.end()) {
    known->lastSeen = now;
    return;
  }
  const Client client{.address = address, .lastSeen = now};
  if (clients_.size() < kMost) {
    clients_.push_back(client);
    return;
  }
  *std::min_element(clients_.begin(), clients_.end(), [](const Client& a, const Client& b) {
    return a.lastSeen < b.lastSeen;
  }) = client;
}

void ProbeClients::judge(std::span<const options::AddressRange> peers) {
  const std::lock_guard lock(mutex_);
  for (Client& client : clients_) {
    const auto of =
        static_cast<std::size_t>(std::count(peers.begin(), peers.end(), client.address));
    client.crowd =
        client.crowd ||
        (of > kFew && static_cast<double>(of) > kManyShare * static_cast<double>(peers.size()));
  }
}

void ProbeClients::stormIsOver() {
  const std::lock_guard lock(mutex_);
  for (Client& client : clients_) {
    client.crowd = false;
  }
}

std::vector<options::AddressRange> ProbeClients::passing(Instant now) const {
  const std::lock_guard lock(mutex_);
  std::vector<options::AddressRange> addresses;
  for (const Client& client : clients_) {
    if (!client.crowd && now - client.lastSeen < kForgotten) {
      addresses.push_back(client.address);
    }
  }
  return addresses;
}

}  // namespace hodor::connections
