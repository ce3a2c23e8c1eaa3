#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "tests/load/generator.h"
#include "tests/load/options.h"
#include "tests/load/report.h"

namespace {

// Raises the limit on open files, as root beyond the hard one, and lowers the bound on connections
// to what is left after the few files of our own.
void fitConnections(int& maxConnections) {
  constexpr rlim_t kOwn = 64;
  const rlim_t wanted = static_cast<rlim_t>(maxConnections) + kOwn;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit raised = {wanted, std::max(wanted, limit.rlim_max)};
  if (limit.rlim_cur >= wanted || setrlimit(RLIMIT_NOFILE, &raised) == 0) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t usable = limit.rlim_cur > 2 * kOwn ? limit.rlim_cur - kOwn : kOwn;
  maxConnections = std::min(maxConnections, static_cast<int>(usable));
}

int run(const std::vector<std::string>& arguments) {
  std::string error;
  hodor::load::Options options = hodor::load::parseOptions(arguments, error);
  if (options.help) {
    std::fputs(hodor::load::kUsage, stdout);
    return 0;
  }
  if (!error.empty()) {
    std::fprintf(stderr, "hodor-load: %s\n", error.c_str());
    return 2;
  }
  fitConnections(options.maxConnections);
  hodor::load::Report report(options);
  if (!report.openRecords()) {
    std::fprintf(stderr, "hodor-load: cannot write %s: %s\n", options.recordsFile.c_str(),
                 std::strerror(errno));
    return 1;
  }
  const bool valid = hodor::load::Generator(options, report).run();
  if (!report.closeRecords()) {
    std::fprintf(stderr, "hodor-load: cannot write %s: %s\n", options.recordsFile.c_str(),
                 std::strerror(errno));
    return 1;
  }
  return valid ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "hodor-load: %s\n", exception.what());
    return 1;
  }
}
