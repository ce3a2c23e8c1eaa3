// What one decision costs without JNI and without clock reads, at 1 and 2 threads.
#include <benchmark/benchmark.h>

#include <atomic>

#include "admission/admission.h"

namespace hodor::admission {
namespace {

constexpr Instant kStart = std::chrono::seconds(1000);
constexpr Instant kNow = std::chrono::seconds(1001);

Admission& sharedAdmission() {
  static Admission admission(2, kStart);
  return admission;
}

void publish(Rule rule, std::uint32_t limit) {
  AdmissionSettings settings;
  settings.action = Action::kEnforce;
  settings.rule = rule;
  settings.limit = limit;
  sharedAdmission().publish(settings);
}

void acquireAndRelease(benchmark::State& state) {
  Admission& admission = sharedAdmission();
  for ([[maybe_unused]] auto _ : state) {
    const std::int64_t permit = admission.acquire(kNow);
    if (permit > 0) {
      admission.release(permit, Outcome::kCompleted, kNow);
    }
    benchmark::DoNotOptimize(permit);
  }
}

void notEngaged(benchmark::State& state) {
  if (state.thread_index() == 0) {
    publish(Rule::kAdmitAll, 0);
  }
  acquireAndRelease(state);
}
BENCHMARK(notEngaged)->Threads(1)->Threads(2);

void engagedAdmit(benchmark::State& state) {
  if (state.thread_index() == 0) {
    publish(Rule::kLimit, 1000);
  }
  acquireAndRelease(state);
}
BENCHMARK(engagedAdmit)->Threads(1)->Threads(2);

void engagedReject(benchmark::State& state) {
  if (state.thread_index() == 0) {
    publish(Rule::kLimit, 0);
  }
  acquireAndRelease(state);
}
BENCHMARK(engagedReject)->Threads(1)->Threads(2);

void bareAtomicPair(benchmark::State& state) {
  static std::atomic<std::int64_t> inFlight{0};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(inFlight.fetch_add(1));
    benchmark::DoNotOptimize(inFlight.fetch_sub(1));
  }
}
BENCHMARK(bareAtomicPair)->Threads(1)->Threads(2);

}  // namespace
}  // namespace hodor::admission
