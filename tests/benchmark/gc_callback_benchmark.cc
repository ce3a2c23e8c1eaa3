// What a callback of the collector costs, with the world stopped: a clock and an atomic.
#include <benchmark/benchmark.h>

#include "agent/clock.h"
#include "signals/gc_pause_source.h"

namespace hodor::signals {
namespace {

// Both callbacks of a pause: the figure of one is half of it.
void gcPauseCallbacks(benchmark::State& state) {
  GcPauseSource source;
  for ([[maybe_unused]] auto _ : state) {
    source.pauseStarted(agent::monotonicNow());
    source.pauseFinished(agent::monotonicNow());
  }
  benchmark::DoNotOptimize(source.read(agent::monotonicNow()));
}
BENCHMARK(gcPauseCallbacks);

}  // namespace
}  // namespace hodor::signals
