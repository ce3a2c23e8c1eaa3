#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "signals/gc_pause_source.h"
#include "signals/heartbeat_source.h"
#include "signals/pool_wait_source.h"

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Pauses of 1 ms, one each 2 ms. The reader's time never lies behind the running pause's first
// millisecond, so that whatever it sees in whichever order, the total lies between the pauses that
// had ended before and those that have begun since.
TEST(GcPauseSourceRaceTest, APauseNeverCountsTwice) {
  constexpr std::int64_t kPauses = 3'000;
  GcPauseSource source;
  std::atomic<std::int64_t> begun{0};
  std::atomic<std::int64_t> ended{0};
  std::atomic<std::int64_t> reads{0};
  std::thread collector([&] {
    for (std::int64_t i = 0; i < kPauses; ++i) {
      begun = i + 1;
      source.pauseStarted(milliseconds(2 * i));
      source.pauseFinished(milliseconds(2 * i + 1));
      ended = i + 1;
      // No new pause hides what a reader that was under way has made of this one.
      for (const std::int64_t seen = reads; reads == seen;) {
        std::this_thread::yield();
      }
    }
  });
  Duration last{};
  int tooFew = 0;
  int tooMany = 0;
  int back = 0;
  for (std::int64_t least = 0; least < kPauses;) {
    least = ended;
    const Duration total = source.read(milliseconds(2 * least + 1)).pausedTotal;
    tooFew += total < milliseconds(least) ? 1 : 0;
    tooMany += total > milliseconds(begun) ? 1 : 0;
    back += total < last ? 1 : 0;
    last = total;
    ++reads;
  }
  collector.join();
  EXPECT_EQ(tooFew, 0);
  EXPECT_EQ(tooMany, 0);
  EXPECT_EQ(back, 0);
  const auto sample = source.read(seconds(3600));
  EXPECT_EQ(sample.pausedTotal, milliseconds(kPauses));
  EXPECT_EQ(sample.pausesStarted, static_cast<std::uint64_t>(kPauses));
}

TEST(HeartbeatSourceRaceTest, TheWorstBeatIsTakenOnce) {
  constexpr std::int64_t kBeats = 30'000;
  constexpr std::int64_t kLateBeat = 17'000;
  HeartbeatSource source;
  std::atomic<bool> done{false};
  std::thread beater([&] {
    for (std::int64_t i = 1; i <= kBeats; ++i) {
      source.beatBegins(milliseconds(10 * i));
      source.beatEnded(milliseconds(10 * i + (i == kLateBeat ? 5000 : 1)));
    }
    source.beatBegins(milliseconds(10 * kBeats + 10));
    done = true;
  });
  int late = 0;
  for (bool last = false; !last;) {
    last = done;
    // Before the first beat is due: only beats that ended count.
    const auto sample = source.take(Instant::zero());
    if (sample && sample->worstOvershoot > milliseconds(1)) {
      EXPECT_EQ(sample->worstOvershoot, milliseconds(5000));
      ++late;
    }
  }
  beater.join();
  EXPECT_EQ(late, 1);
}

// Pools come and go while probes of the dead ones still run, with ids that are nobody's.
TEST(PoolWaitSourceRaceTest, PoolsComeAndGoUnderProbes) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 8'000;
  PoolWaitSource source;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> servers;
  servers.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    servers.emplace_back([&, i] {
      for (int n = 0; n < kRounds; ++n) {
        const int id = source.watch("pool");
        source.probeSubmitted(id, n % 2 == 0, seconds(10));
        source.probeStarted((id + i) % PoolWaitSource::kMostPools, seconds(10), seconds(12));
        source.nobodyWaits(id, seconds(11));
        source.unwatch(id);
        source.probeStarted(id, seconds(10), seconds(13));
      }
      --running;
    });
  }
  while (running > 0) {
    if (const auto sample = source.take(seconds(14))) {
      EXPECT_GE(sample->wait, Duration::zero());
      EXPECT_LE(sample->wait, seconds(4));
    }
  }
  for (std::thread& server : servers) {
    server.join();
  }
  EXPECT_EQ(source.watched(), 0);
  EXPECT_EQ(source.invalid(), 0U);
  EXPECT_FALSE(source.take(seconds(15)));
}

}  // namespace
}  // namespace hodor::signals
