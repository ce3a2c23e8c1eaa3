#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "detectors/time.h"
#include "options/address_range.h"

namespace hodor::connections {

// The addresses that ask for health: requests of exempt paths have come from them. In a storm their
// new connections pass, as an orchestrator opens one for each check and kills what does not answer
// three times. An address that has many connections besides is one like any other: it may stand for
// many clients, and the storm may come from it. Any thread.
class ProbeClients {
 public:
  static constexpr std::size_t kMost = 16;
  // Longer than between two checks.
  static constexpr Duration kForgotten = std::chrono::minutes(10);

  // A request of an exempt path has come. The one not seen for the longest gives way.
  void seen(const options::AddressRange& address, Instant now);

  // In a storm: the peers of some connections, drawn at random. Who has more than a few of them
  // does not pass any more, until the storm is over.
  void judge(std::span<const options::AddressRange> peers);
  void stormIsOver();

  // Those whose connections pass.
  [[nodiscard]] std::vector<options::AddressRange> passing(Instant now) const;

 private:
  struct Client {
    options::AddressRange address;
    Instant lastSeen{};
    bool crowd = false;
  };

  mutable std::mutex mutex_;
  std::vector<Client> clients_;
};

}  // namespace hodor::connections
