#include "agent/logging.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace hodor::agent {

namespace {

spdlog::level::level_enum levelOf(options::LogLevel level) {
  switch (level) {
    case options::LogLevel::kError:
      return spdlog::level::err;
    case options::LogLevel::kWarn:
      return spdlog::level::warn;
    case options::LogLevel::kInfo:
      return spdlog::level::info;
    case options::LogLevel::kDebug:
      break;
  }
  return spdlog::level::debug;
}

spdlog::sink_ptr makeSink(const std::string& file, std::string& fileError) {
  if (!file.empty()) {
    try {
      return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
    } catch (const spdlog::spdlog_ex& error) {
      fileError = error.what();
    }
  }
  return std::make_shared<spdlog::sinks::stderr_sink_mt>();
}

}  // namespace

std::shared_ptr<spdlog::logger> makeLogger(const options::Options& options,
                                           std::string& fileError) {
  auto logger = std::make_shared<spdlog::logger>("hodor", makeSink(options.logFile, fileError));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z [hodor] %l: %v");
  logger->flush_on(spdlog::level::info);
  // A full disk or a closed standard error is not the application's business.
  logger->set_error_handler([](const std::string&) {});
  setLevel(*logger, options.logLevel);
  return logger;
}

void setLevel(spdlog::logger& logger, options::LogLevel level) { logger.set_level(levelOf(level)); }

}  // namespace hodor::agent
