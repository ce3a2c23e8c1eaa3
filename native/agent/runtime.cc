#include "agent/runtime.h"

#include <spdlog/logger.h>
#include <unistd.h>

#include <algorithm>

#include "agent/clock.h"
#include "options/option_table.h"

namespace hodor::agent {

namespace {

std::atomic<Runtime*> theRuntime{nullptr};

unsigned configuredCpus() {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 1U;
}

}  // namespace

Runtime::Runtime(const options::Options& options, std::string wrongOptions,
                 std::shared_ptr<spdlog::logger> logger)
    : admission(configuredCpus(), monotonicNow()),
      settings(options),
      wrongOptions_(std::move(wrongOptions)),
      logger_(std::move(logger)) {}

std::optional<std::string> Runtime::setOption(std::string_view key, std::string_view value) {
  if (offForGood()) {
    return "hodor is off because it was started with wrong options (" + wrongOptions_ +
           "); correct them and restart the JVM";
  }
  auto error = settings.change(key, value);
  if (error) {
    logger_->warn("option not changed: {}", *error);
  } else {
    logger_->info("option changed at run time: {}={}", key, value);
  }
  return error;
}

void Runtime::attached(std::string_view what) {
  {
    const std::lock_guard lock(mutex_);
    countGates(1);
    if (attached_.size() >= kMostAttached ||
        std::find(attached_.begin(), attached_.end(), what) != attached_.end()) {
      return;
    }
    attached_.emplace_back(what);
  }
  logger_->info("watching {}, mode={}", what, options::valueOf(settings.current(), "mode"));
}

void Runtime::detached(std::string_view what) {
  const std::lock_guard lock(mutex_);
  countGates(-1);
  attached_.erase(std::remove(attached_.begin(), attached_.end(), what), attached_.end());
}

// At once, not with the next tick: the first request may come before it.
void Runtime::countGates(std::int64_t more) {
  gates_ = std::max<std::int64_t>(gates_ + more, 0);
  page.set(metrics::Field::kHodorGates, gates_);
}

void Runtime::notAttached(std::string_view why) {
  errors.remember(why);
  {
    const std::lock_guard lock(mutex_);
    if (notAttached_.size() >= kMostAttached ||
        std::find(notAttached_.begin(), notAttached_.end(), why) != notAttached_.end()) {
      return;
    }
    notAttached_.emplace_back(why);
  }
  logger_->warn("not attached: {}; it runs as without Hodor", why);
}

void Runtime::poolNotWatched(std::string_view name) {
  if (!tooManyPools_.exchange(true)) {
    logger_->warn(
        "pool {} is not probed until another one ends: {} are watched at most (not said again)",
        name, signals::PoolWaitSource::kMostPools);
  }
}

std::string Runtime::attachedLines() const {
  const std::lock_guard lock(mutex_);
  std::string lines;
  for (const std::string& what : attached_) {
    lines.append(lines.empty() ? "" : "\n").append(what);
  }
  return lines;
}

void Runtime::failedOpen(std::string_view what) {
  if (errors.failedOpen(what)) {
    logger_->warn("{}; requests are admitted (counted from now on, not logged again)", what);
  }
}

Runtime* runtime() { return theRuntime.load(std::memory_order_acquire); }

bool installRuntime(std::unique_ptr<Runtime> runtime) {
  Runtime* expected = nullptr;
  if (!theRuntime.compare_exchange_strong(expected, runtime.get())) {
    return false;
  }
  static_cast<void>(runtime.release());  // lives as long as the process
  return true;
}

}  // namespace hodor::agent
