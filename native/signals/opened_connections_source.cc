#include "signals/opened_connections_source.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "signals/small_file.h"

namespace hodor::signals {

std::optional<std::uint64_t> OpenedConnectionsSource::read() {
  const auto text = readSmallFile(path_, lastError_);
  if (!text) {
    lastError_ = lastError_.empty() ? path_ + " is missing" : lastError_;
    return std::nullopt;
  }
  // A line of names and then one of numbers, for each protocol.
  std::istringstream lines(*text);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("Tcp:", 0) != 0) {
      continue;
    }
    const std::vector<std::string> words = splitWords(line);
    if (names.empty()) {
      names = words;
      continue;
    }
    const auto at = std::find(names.begin(), names.end(), "PassiveOpens") - names.begin();
    if (static_cast<std::size_t>(at) < words.size()) {
      if (const auto opened = parseNumber(words[static_cast<std::size_t>(at)])) {
        return static_cast<std::uint64_t>(*opened);
      }
    }
    break;
  }
  lastError_ = path_ + " has no PassiveOpens";
  return std::nullopt;
}

}  // namespace hodor::signals
