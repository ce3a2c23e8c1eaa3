#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "connections/served_ports.h"
#include "options/address_range.h"

namespace hodor::connections {

// Resets a share of the new connections right after they were accepted, before any object is made
// for them: what is left where the kernel takes no filter (connection_gate.h). It costs a quarter
// of what a connection does that is served, needs no privilege, and clients see a reset.
//
// For that the call of accept() in the JDK's libnio.so is redirected, as long as there is a limit;
// whoever waits in it accepts on as if nothing had come. There is one in a process. limit() and
// open() are for one thread.
class AcceptGate {
 public:
  // `ports`: at others everything passes; it must outlive all that accept.
  explicit AcceptGate(const ServedPorts& ports);
  AcceptGate(const AcceptGate&) = delete;
  AcceptGate& operator=(const AcceptGate&) = delete;
  ~AcceptGate() { open(); }

  // `passing`: the share of the new connections that pass, 0..1; those of `exempt` all do. Returns
  // the share that is in force now: 1 if it cannot be done here, and then why() says why.
  double limit(double passing, std::span<const options::AddressRange> exempt);
  // All connections pass. Costs nothing if they do already.
  void open();

  // Connections reset since the start of the process. Any thread.
  [[nodiscard]] static std::uint64_t dropped();
  // Why the last call of limit() had no effect.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  [[nodiscard]] bool redirect();

  bool limits_ = false;
  std::string why_;
};

}  // namespace hodor::connections
