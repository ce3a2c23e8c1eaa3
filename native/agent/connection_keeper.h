#pragma once

#include <optional>
#include <vector>

#include "agent/runtime.h"
#include "agent/source_health.h"
#include "connections/accept_gate.h"
#include "connections/connection_gate.h"
#include "control/connection_totals.h"
#include "control/controller.h"
#include "signals/descriptor_range.h"
#include "signals/listening_sockets.h"
#include "signals/opened_connections_source.h"

namespace hodor::agent {

// Counts new connections for the control loop, and has as many of them pass as it wants. Owned by
// `hodor-tick`.
class ConnectionKeeper {
 public:
  ConnectionKeeper(Runtime& runtime, SourceJudge judge);

  // `often`: in this tick; else now and then, which says nothing to the controller.
  void observe(control::TickInput& input, bool often);
  // What the controller wants, in the last tick and with these options.
  void apply(const control::Controller& controller, const options::Options& options,
             const signals::ListeningSockets& listeners, Instant now);
  // All connections pass, at once.
  void open();

  // Whether connections are limited, or would be.
  [[nodiscard]] bool limits() const { return totals_.passing < 1; }
  [[nodiscard]] const control::ConnectionTotals& totals() const { return totals_; }

 private:
  // The kernel drops packets; where it does not let us, connections are reset once accepted.
  enum class Way { kFilter, kAccept, kNone };

  void enforce(const control::ConnectionLaw& law, const options::Options& options,
               const signals::ListeningSockets& listeners, Instant now);
  void filter(double passing, const signals::ListeningSockets& listeners,
              const std::vector<options::AddressRange>& exempt);
  void resetSome(double passing, const std::vector<options::AddressRange>& exempt);
  // Whose connections pass whatever the law says.
  std::vector<options::AddressRange> exempt(const options::Options& options, Instant now);
  [[nodiscard]] std::vector<options::AddressRange> somePeers(Instant now);
  void count();
  void log(const control::ConnectionLaw& law, const options::Options& options, Instant now);

  Runtime& runtime_;
  SourceJudge judge_;
  signals::OpenedConnectionsSource opened_;
  SourceHealth openedHealth_{"connections that were opened",
                             "only requests are rejected in an overload, connections are not"};
  connections::ConnectionGate filter_;
  connections::AcceptGate accept_;
  signals::DescriptorRange descriptors_;
  control::ConnectionTotals totals_;
  std::optional<std::uint64_t> first_;
  std::uint64_t before_ = 0;
  std::optional<Instant> lastRead_;
  std::optional<Instant> lastLog_;
  double wouldDrop_ = 0;
  // In force, not only wanted.
  double inForce_ = 1;
  Way way_ = Way::kFilter;
  // Connections were limited in this overload.
  bool stormy_ = false;
  int sweep_ = 0;
  bool filterRefusalLogged_ = false;
  bool refusalLogged_ = false;
  bool logged_ = false;
};

}  // namespace hodor::agent
