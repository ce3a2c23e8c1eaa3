#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "options/address_range.h"

namespace hodor::connections {

// Drops a share of the new connections of listening sockets in the kernel, before they cost the
// process anything: see syn_filter.h. The client's kernel asks again after a second, as for a
// packet that was lost.
//
// The sockets are somebody else's and may be closed, and their numbers used again, at any time: a
// socket is known by its cookie, and held by a descriptor of our own while it is changed. One that
// has a filter already is left alone. Not thread-safe.
class ConnectionGate {
 public:
  ConnectionGate() = default;
  ConnectionGate(const ConnectionGate&) = delete;
  ConnectionGate& operator=(const ConnectionGate&) = delete;
  ~ConnectionGate() { open(); }

  // `passing`: the share of the new connections that pass, 0..1. `listeners`: descriptors of the
  // sockets it is for; those of before that are not among them are freed. Returns the share that is
  // in force now: 1 if the kernel refuses, and then why() says why.
  double limit(double passing, std::span<const int> listeners,
               std::span<const options::AddressRange> exempt);
  // All connections pass. Costs nothing if they do already.
  void open();

  // Connections dropped since the start, the attempts of one client each counted.
  [[nodiscard]] std::uint64_t dropped() const;
  // Why the last call of limit() had no effect on a socket; empty: it had on all.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  struct Held {
    int descriptor = -1;
    std::uint64_t cookie = 0;
    double passing = 1;
    std::uint32_t droppedBefore = 0;
    bool wanted = false;
    // Its program has other exempt addresses.
    bool stale = false;
  };

  Held* find(std::uint64_t cookie);
  void attach(int descriptor, double passing);
  void detach(const Held& held);

  std::vector<Held> held_;
  // Of the programs in force.
  std::vector<options::AddressRange> exempt_;
  std::uint64_t droppedByGone_ = 0;
  std::string why_;
};

}  // namespace hodor::connections
