// How late a sleeper wakes up beside threads of its own process that want the same CPU: what the
// heartbeat can see, and what it cannot.
// usage: hodor_sleeper_benchmark SPINNING-THREADS SECONDS
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "agent/pacer.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kInterval = std::chrono::milliseconds(10);  // the agent's default
constexpr auto kSettle = std::chrono::milliseconds(500);

std::optional<int> parseWhole(const char* text, int least, int most) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stopped != end || value < least || value > most) return std::nullopt;
  return value;
}

// Nanoseconds that all threads of this process together have waited for a CPU.
std::uint64_t runQueueWait() {
  std::uint64_t sum = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "schedstat");
    std::uint64_t ran = 0;
    std::uint64_t waited = 0;
    if (file >> ran >> waited) sum += waited;
  }
  return sum;
}

void spin(const std::atomic<bool>& stop) {
  while (!stop.load(std::memory_order_relaxed)) {
  }
}

// Sleeps for so long as the agent's heartbeat does; how late each beat was.
std::vector<Clock::duration> beat(std::chrono::seconds length) {
  hodor::agent::Pacer pacer;
  std::vector<Clock::duration> late;
  const auto end = Clock::now() + length;
  while (Clock::now() < end) {
    const auto due = Clock::now() + kInterval;
    pacer.sleepUntil(due.time_since_epoch());
    late.push_back(Clock::now() - due);
  }
  return late;
}

}  // namespace

int main(int argc, char** argv) {
  const auto threads = argc == 3 ? parseWhole(argv[1], 0, 1000) : std::nullopt;
  const auto seconds = argc == 3 ? parseWhole(argv[2], 1, 600) : std::nullopt;
  if (!threads || !seconds) {
    std::fputs("usage: hodor_sleeper_benchmark SPINNING-THREADS SECONDS\n", stderr);
    return 2;
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> spinning;
  spinning.reserve(static_cast<std::size_t>(*threads));
  for (int i = 0; i < *threads; ++i) spinning.emplace_back(spin, std::cref(stop));
  std::this_thread::sleep_for(kSettle);

  const std::uint64_t waitedBefore = runQueueWait();
  const auto begin = Clock::now();
  const std::vector<Clock::duration> late = beat(std::chrono::seconds(*seconds));
  const double length = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::uint64_t waited = runQueueWait() - waitedBefore;

  stop = true;
  for (std::thread& thread : spinning) thread.join();
  std::printf("{\"waited_per_second\":%.3f,\"late_ms\":[",
              static_cast<double>(waited) / 1e9 / length);
  const char* separator = "";
  for (const Clock::duration lateness : late) {
    std::printf("%s%.3f", separator, std::chrono::duration<double, std::milli>(lateness).count());
    separator = ",";
  }
  std::puts("]}");
  return 0;
}
