// Option string and file, any bytes. The first line of the input is the option string, the rest is
// what the file holds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "options/option_table.h"
#include "options/options_parser.h"

namespace {

using hodor::options::FileContent;
using hodor::options::Options;
using hodor::options::ParseResult;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "not true: %s\n", what);
    std::abort();
  }
}

// What stands in force, written as a file and read again, is the same.
void checkRendered(const Options& options) {
  std::string file;
  for (const auto& [key, value] : hodor::options::render(options)) {
    file.append(key).append("=").append(value).append("\n");
  }
  const ParseResult again =
      hodor::options::parseAgentOptions("config=rendered", [&](const std::string&) {
        return FileContent{file, ""};
      });
  require(again.errors.empty(), "rendered options are accepted");
  require(again.options == options, "rendered options are the same");
}

// Entry by entry, setOption agrees with the parser.
void checkSetOption(std::string_view optionString) {
  const std::size_t equals = optionString.find('=');
  if (equals == std::string_view::npos || optionString.find(',') != std::string_view::npos) {
    return;
  }
  const std::string_view key = optionString.substr(0, equals);
  const auto* const spec = hodor::options::findOption(key);
  if (spec == nullptr || !spec->changeable) {
    return;
  }
  Options options;
  const bool refused =
      hodor::options::setOption(options, key, optionString.substr(equals + 1)).has_value();
  const ParseResult parsed = hodor::options::parseAgentOptions(
      optionString, [](const std::string&) { return FileContent{}; });
  require(refused == !parsed.errors.empty(), "setOption refuses what the parser refuses");
  require(options == parsed.options, "setOption sets what the parser sets");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  const std::string_view optionString = input.substr(0, line);
  const std::string file(line == std::string_view::npos ? "" : input.substr(line + 1));
  const ParseResult parsed =
      hodor::options::parseAgentOptions(optionString, [&](const std::string&) {
        return FileContent{file, ""};
      });
  for (const std::string& error : parsed.errors) {
    require(!error.empty(), "every error says something");
  }
  checkRendered(parsed.options);
  checkSetOption(optionString);
  return 0;
}
