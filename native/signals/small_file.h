#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hodor::signals {

// The beginning (4 KiB) of a small file of /proc or /sys. Nothing if there is no such file, or,
// with `error` set, if it cannot be read.
std::optional<std::string> readSmallFile(const std::string& path, std::string& error);

// A whole number and nothing else.
std::optional<long> parseNumber(std::string_view text);

// What stands between blanks.
std::vector<std::string> splitWords(const std::string& line);

}  // namespace hodor::signals
