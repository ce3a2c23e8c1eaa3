#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "admission/admission.h"
#include "admission/rest.h"

namespace hodor::admission {
namespace {

using std::chrono::seconds;

constexpr Instant kStart = seconds(1000);
constexpr Instant kNow = seconds(1001);

AdmissionSettings limited(Action action, std::uint32_t limit) {
  AdmissionSettings settings;
  settings.action = action;
  settings.rule = Rule::kLimit;
  settings.limit = limit;
  return settings;
}

void onThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    threads.emplace_back(body, i);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

// The permits that callers hold at one time, counted apart from the code under test.
TEST(AdmissionRaceTest, TheLimitIsNeverExceededAndNothingLeaks) {
  Admission admission(4, kStart);
  admission.publish(limited(Action::kEnforce, 3));
  std::atomic<int> held{0};
  std::atomic<int> most{0};
  std::atomic<std::uint64_t> admitted{0};
  std::atomic<std::uint64_t> rejected{0};
  // The limit is met once for sure, even if the threads below ran one after the other.
  std::vector<std::int64_t> permits;
  for (int i = 0; i < 3; ++i) {
    permits.push_back(admission.acquire(kNow));
    ASSERT_GT(permits.back(), 0);
  }
  ASSERT_LT(admission.acquire(kNow), 0);
  for (const std::int64_t permit : permits) {
    admission.release(permit, Outcome::kCompleted, kNow);
  }
  admitted = permits.size();
  rejected = 1;
  onThreads(8, [&](int) {
    for (int i = 0; i < 20000; ++i) {
      const std::int64_t permit = admission.acquire(kNow);
      if (permit < 0) {
        rejected.fetch_add(1);
        continue;
      }
      admitted.fetch_add(1);
      const int now = held.fetch_add(1) + 1;
      int seen = most.load();
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      held.fetch_sub(1);
      admission.release(permit, Outcome::kCompleted, kNow);
    }
  });
  EXPECT_LE(most.load(), 3);
  EXPECT_EQ(admission.inFlight(), 0);
  const AdmissionTotals totals = admission.totals();
  EXPECT_EQ(totals.admitted, admitted.load());
  EXPECT_EQ(totals.completed, admitted.load());
  EXPECT_EQ(totals.rejected, rejected.load());
}

TEST(AdmissionRaceTest, PermitsReleasedOnOtherThreadsWhileSettingsChange) {
  Admission admission(4, kStart);
  admission.publish({.action = Action::kEnforce});
  std::array<std::atomic<std::int64_t>, 64> slots{};
  std::atomic<bool> done{false};
  std::thread control([&] {
    for (int i = 0; !done.load(); ++i) {
      switch (i % 4) {
        case 0:
          admission.publish(limited(Action::kEnforce, 16));
          break;
        case 1:
          admission.publish(limited(Action::kCount, 4));
          break;
        case 2:
          admission.publish({.action = Action::kEnforce, .rule = Rule::kShare, .share = 0.5});
          break;
        default:
          admission.publish({});
          break;
      }
      const AdmissionTotals totals = admission.totals();
      EXPECT_GE(totals.admitted, totals.released());
      EXPECT_GE(admission.inFlight(), 0);
    }
  });
  onThreads(4, [&](int thread) {
    for (int i = 0; i < 20000; ++i) {
      const std::int64_t permit = admission.acquire(kNow);
      const std::int64_t other =
          slots[static_cast<std::size_t>(thread * 7 + i) % slots.size()].exchange(
              permit > 0 ? permit : Admission::kNotCounted);
      admission.release(other, static_cast<Outcome>(i % 3), kNow);
    }
  });
  done = true;
  control.join();
  for (auto& slot : slots) {
    admission.release(slot.load(), Outcome::kCompleted, kNow);
  }
  EXPECT_EQ(admission.inFlight(), 0);
  EXPECT_EQ(admission.totals().invalid, 0U);
}

// Whoever begins to rest looks at the totals once more, and whoever comes has been counted before:
// one of the two sees the other, in whatever order they run.
TEST(AdmissionRaceTest, TheFirstRequestIsNeverSleptThrough) {
  Admission admission(4, kStart);
  admission.publish(limited(Action::kCount, 3));
  Rest rest;
  std::atomic<int> woken{0};
  rest.onEnd([&] { woken.fetch_add(1); });
  for (int round = 0; round < 2000; ++round) {
    woken = 0;
    const std::uint64_t before = admission.totals().admitted;
    std::atomic<bool> seen{false};
    onThreads(2, [&](int thread) {
      if (thread == 0) {
        rest.begin();
        seen = admission.totals().admitted != before;
      } else {
        admission.acquire(kNow);
        rest.end();
      }
    });
    EXPECT_TRUE(seen || woken > 0);
    EXPECT_LE(woken.load(), 1);
    rest.end();  // if nothing has yet
  }
}

}  // namespace
}  // namespace hodor::admission
