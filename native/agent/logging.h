#pragma once

#include <memory>
#include <string>

#include "options/options.h"

namespace spdlog {
class logger;
}

namespace hodor::agent {

// A logger outside spdlog's registry, so that nothing of it is destroyed at exit while a thread may
// still use it. `fileError` says why the file could not be opened; standard error is used then.
std::shared_ptr<spdlog::logger> makeLogger(const options::Options& options, std::string& fileError);

void setLevel(spdlog::logger& logger, options::LogLevel level);

}  // namespace hodor::agent
