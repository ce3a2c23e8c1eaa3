#include "agent/connection_keeper.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "connections/peer_address.h"
#include "signals/socket_queries.h"

namespace hodor::agent {

namespace {

constexpr Duration kCountPeriod = std::chrono::seconds(1);
// Limits may come and go within an overload.
constexpr Duration kLogPeriod = std::chrono::seconds(10);
// Enough to see who has a twentieth of them; 0.3 us each.
constexpr int kMostPeers = 500;

}  // namespace

ConnectionKeeper::ConnectionKeeper(Runtime& runtime, SourceJudge judge)
    : runtime_(runtime), judge_(std::move(judge)), accept_(runtime.servedPorts) {}

void ConnectionKeeper::observe(control::TickInput& input, bool often) {
  input.connectionsPassed = inForce_;
  if (!often && lastRead_ && input.now - *lastRead_ < kCountPeriod) {
    return;
  }
  lastRead_ = input.now;
  const auto opened = opened_.read();
  judge_(openedHealth_, opened.has_value(), opened_.lastError());
  if (!opened) {
    return;
  }
  const std::uint64_t first = first_.value_or(*opened);
  first_ = first;
  before_ = totals_.accepted;
  // One that is reset was established before, perhaps in an earlier tick.
  const std::uint64_t sinceFirst = *opened - first;
  const std::uint64_t reset = std::min(connections::AcceptGate::dropped(), sinceFirst);
  totals_.accepted = std::max(before_, sinceFirst - reset);
  if (often) {
    input.connectionsOpened = totals_.accepted;
  }
}

void ConnectionKeeper::apply(const control::Controller& controller, const options::Options& options,
                             const signals::ListeningSockets& listeners, Instant now) {
  const control::ConnectionLaw& law = controller.connections();
  if (!controller.state().overloaded() && std::exchange(stormy_, false)) {
    way_ = Way::kFilter;
    runtime_.probeClients.stormIsOver();
  }
  if (options.mode == options::Mode::kEnforce) {
    enforce(law, options, listeners, now);
  } else {
    open();
    totals_.passing = law.passing();
    wouldDrop_ += static_cast<double>(totals_.accepted - before_) * (1 - law.passing());
    totals_.wouldDrop = static_cast<std::uint64_t>(wouldDrop_);
  }
  before_ = totals_.accepted;
  log(law, options, now);
}

void ConnectionKeeper::enforce(const control::ConnectionLaw& law, const options::Options& options,
                               const signals::ListeningSockets& listeners, Instant now) {
  if (law.passing() >= 1) {
    open();
    return;
  }
  stormy_ = true;
  inForce_ = 1;
  const std::vector<options::AddressRange> passing = exempt(options, now);
  if (way_ == Way::kFilter) {
    filter(law.passing(), listeners, passing);
  }
  if (way_ == Way::kAccept) {
    resetSome(law.passing(), passing);
  }
  totals_.passing = inForce_;
  // A connection that is reset costs as much as a rejection: nothing is won by closing another.
  totals_.closing = way_ == Way::kFilter ? law.closing() : 0;
  count();
}

void ConnectionKeeper::filter(double passing, const signals::ListeningSockets& listeners,
                              const std::vector<options::AddressRange>& exempt) {
  std::vector<int> served;
  for (const int descriptor : listeners.descriptors()) {
    const auto port = signals::localPort(descriptor);
    if (port && runtime_.servedPorts.contains(*port)) {
      served.push_back(descriptor);
    }
  }
  inForce_ = filter_.limit(passing, served, exempt);
  if (inForce_ < 1 || filter_.why().empty()) {
    return;
  }
  way_ = Way::kAccept;
  if (!std::exchange(filterRefusalLogged_, true)) {
    runtime_.log().warn(
        "new connections are limited by resetting them when they are accepted, which costs more "
        "than dropping them in the kernel: {}",
        filter_.why());
  }
}

void ConnectionKeeper::resetSome(double passing, const std::vector<options::AddressRange>& exempt) {
  inForce_ = accept_.limit(passing, exempt);
  if (inForce_ < 1 || accept_.why().empty()) {
    return;
  }
  way_ = Way::kNone;
  if (!std::exchange(refusalLogged_, true)) {
    runtime_.log().warn("new connections are not limited: {}; only requests are rejected",
                        accept_.why());
  }
}

std::vector<options::AddressRange> ConnectionKeeper::exempt(const options::Options& options,
                                                            Instant now) {
  std::vector<options::AddressRange> all = options.connectionsExempt;
  if (!runtime_.probeClients.passing(now).empty()) {
    runtime_.probeClients.judge(somePeers(now));
    const auto probes = runtime_.probeClients.passing(now);
    all.insert(all.end(), probes.begin(), probes.end());
  }
  return all;
}

std::vector<options::AddressRange> ConnectionKeeper::somePeers(Instant now) {
  std::vector<options::AddressRange> peers;
  const int end = descriptors_.end(now).value_or(0);
  const int step = std::max(1, end / kMostPeers);
  for (int descriptor = sweep_++ % step; descriptor < end; descriptor += step) {
    if (const auto peer = connections::peerAddress(descriptor)) {
      peers.push_back(*peer);
    }
  }
  return peers;
}

void ConnectionKeeper::count() {
  totals_.dropped = filter_.dropped() + connections::AcceptGate::dropped();
}

void ConnectionKeeper::open() {
  if (inForce_ < 1) {
    count();
  }
  filter_.open();
  accept_.open();
  inForce_ = 1;
  totals_.passing = 1;
  totals_.closing = 0;
}

void ConnectionKeeper::log(const control::ConnectionLaw& law, const options::Options& options,
                           Instant now) {
  if (!limits()) {
    if (std::exchange(logged_, false)) {
      runtime_.log().warn("new connections pass again; dropped so far: {}, would have dropped: {}",
                          totals_.dropped, totals_.wouldDrop);
    }
    return;
  }
  if (!logged_ && law.budget() && (!lastLog_ || now - *lastLog_ >= kLogPeriod)) {
    logged_ = true;
    lastLog_ = now;
    runtime_.log().warn(
        "new connections {} limited to about {:.0f}/s of {:.0f}/s: requests wait in the kernel, or "
        "rejecting them takes too much of the CPU",
        options.mode == options::Mode::kEnforce ? "are" : "would be", *law.budget(), law.offered());
  }
}

}  // namespace hodor::agent
