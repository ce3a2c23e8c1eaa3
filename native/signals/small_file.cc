#include "signals/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

namespace hodor::signals {

std::optional<std::string> readSmallFile(const std::string& path, std::string& error) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 4096> text;
  const ssize_t length = descriptor < 0 ? -1 : read(descriptor, text.data(), text.size());
  const int failure = errno;
  if (descriptor >= 0) {
    close(descriptor);
  }
  if (length >= 0) {
    return std::string(text.data(), static_cast<std::size_t>(length));
  }
  // ENODEV: the group was removed while its file was open.
  if (failure != ENOENT && failure != ENOTDIR && failure != ENODEV) {
    error = path + " cannot be read: " + std::strerror(failure);
  }
  return std::nullopt;
}

std::optional<long> parseNumber(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

std::vector<std::string> splitWords(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> parts;
  for (std::string part; in >> part;) {
    parts.push_back(part);
  }
  return parts;
}

}  // namespace hodor::signals
