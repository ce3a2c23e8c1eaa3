#include "options/option_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace hodor::options {

namespace {

std::string describe(int error) { return std::generic_category().message(error); }

FileContent readOpen(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) {
    return {"", describe(errno)};
  }
  if (!S_ISREG(status.st_mode)) {
    return {"", S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file"};
  }
  // One byte more than allowed, so that the parser sees that there is more.
  std::string text(kLargestFile + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return {"", describe(errno)};
    }
    if (count == 0) {
      break;
    }
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return {text, ""};
}

}  // namespace

FileContent readOptionFile(const std::string& path) {
  // Not blocking: opening a named pipe must not keep the JVM from starting.
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return {"", describe(errno)};
  }
  FileContent content = readOpen(file);
  close(file);
  return content;
}

}  // namespace hodor::options
