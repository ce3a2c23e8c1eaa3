#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

// From text to options. Pure: files come through the reader. Everything that is wrong is reported,
// at once; a report names the key, where it stands, what is wrong and what is accepted.
namespace hodor::options {

inline constexpr std::size_t kLargestFile = 64UL * 1024;

struct FileContent {
  std::string text;
  // Why the file could not be read; empty: it was.
  std::string problem;
};
using FileReader = std::function<FileContent(const std::string& path)>;

struct ParseResult {
  // What was right, also beside errors, so that they can be logged where the log was asked for.
  // Whoever finds errors must not act on the rest.
  Options options;
  std::vector<std::string> errors;
};

// `key=value,key=value`, as it follows `-agentpath:libhodor.so=`. Empty: the defaults.
ParseResult parseAgentOptions(std::string_view optionString, const FileReader& reader);

// A change while the JVM runs. Nothing on success; else what is wrong, and the options are as
// before.
std::optional<std::string> setOption(Options& options, std::string_view key,
                                     std::string_view value);

}  // namespace hodor::options
