#include "agent/connection_keeper.h"

#include <spdlog/logger.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "signals/socket_queries.h"

namespace hodor::agent {

namespace {

constexpr Duration kCountPeriod = std::chrono::seconds(1);
// Limits may come and go within an overload.
constexpr Duration kLogPeriod = std::chrono::seconds(10);

}  // namespace

ConnectionKeeper::ConnectionKeeper(Runtime& runtime, SourceJudge judge)
    : runtime_(runtime), judge_(std::move(judge)) {}

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
  totals_.accepted = *opened - first;
  if (often) {
    input.connectionsOpened = opened;
  }
}

void ConnectionKeeper::apply(const control::Controller& controller, const options::Options& options,
                             const signals::ListeningSockets& listeners, Instant now) {
  const control::ConnectionLaw& law = controller.connections();
  if (!controller.state().overloaded()) {
    refused_ = false;
  }
  totals_.passing = law.passing();
  if (options.mode == options::Mode::kEnforce) {
    enforce(law, options, listeners);
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
                               const signals::ListeningSockets& listeners) {
  if (law.passing() >= 1 || refused_) {
    open();
    return;
  }
  std::vector<int> served;
  for (const int descriptor : listeners.descriptors()) {
    const auto port = signals::localPort(descriptor);
    if (port && runtime_.servedPorts.contains(*port)) {
      served.push_back(descriptor);
    }
  }
  inForce_ = gate_.limit(law.passing(), served, options.connectionsExempt);
  totals_.passing = inForce_;
  totals_.dropped = gate_.dropped();
  if (inForce_ >= 1 && !gate_.why().empty()) {
    refused_ = true;
    if (!std::exchange(refusalLogged_, true)) {
      runtime_.log().warn("new connections are not limited: {}; only requests are rejected",
                          gate_.why());
    }
  }
}

void ConnectionKeeper::open() {
  if (inForce_ < 1) {
    totals_.dropped = gate_.dropped();
  }
  gate_.open();
  inForce_ = 1;
  totals_.passing = 1;
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
