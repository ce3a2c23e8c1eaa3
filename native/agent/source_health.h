#pragma once

#include <functional>
#include <string_view>

namespace hodor::agent {

// A source that failed is logged once and counted each time that it fails anew.
struct SourceHealth {
  std::string_view name;
  // What does not work without it.
  std::string_view loss = "the detector that needs it is stale, the others work";
  bool failed = false;
  bool logged = false;
};

// Told after each reading whether the source could be read, and if not, why.
using SourceJudge = std::function<void(SourceHealth&, bool readable, std::string_view why)>;

}  // namespace hodor::agent
