#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace hodor::signals {

// Connections that clients have opened to servers of this network namespace since it began
// (PassiveOpens of RFC 4022): the kernel keeps no count for one socket or process. In a container
// that is its own servers; on a host that several share, all of them. Not thread-safe.
class OpenedConnectionsSource {
 public:
  explicit OpenedConnectionsSource(std::string processRoot = "/proc/self")
      : path_(std::move(processRoot) + "/net/snmp") {}

  std::optional<std::uint64_t> read();

  [[nodiscard]] const std::string& lastError() const { return lastError_; }

 private:
  const std::string path_;
  std::string lastError_;
};

}  // namespace hodor::signals
