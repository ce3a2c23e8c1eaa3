#include "control/page_writer.h"

#include <gtest/gtest.h>

namespace hodor::control {
namespace {

using metrics::Field;
using std::chrono::milliseconds;
using std::chrono::seconds;

class PageWriterTest : public testing::Test {
 protected:
  void tick() {
    TickInput in;
    in.now = now_ += milliseconds(100);
    in.elapsed = milliseconds(100);
    in.totals = totals_;
    controller_.tick(in);
    writer_.write(controller_, totals_, connections_, in.elapsed, 0);
  }

  static options::Options withInjection() {
    options::Options options;
    options.inject = {"cpu"};
    return options;
  }

  metrics::MetricsPage page_;
  PageWriter writer_{page_};
  Controller controller_{withInjection()};
  admission::AdmissionTotals totals_;
  ConnectionTotals connections_;
  Instant now_ = seconds(10);
};

TEST_F(PageWriterTest, WritesStateDetectorsAndCounters) {
  totals_.admitted = 10;
  totals_.completed = 6;
  totals_.dropped = 1;
  totals_.rejected = 4;
  totals_.exempt = 9;
  totals_.exemptBeyondLimit = 2;
  tick();
  EXPECT_EQ(page_.integer(Field::kAdmissionExempt), 9);
  EXPECT_EQ(page_.integer(Field::kAdmissionExemptBeyondLimit), 2);
  EXPECT_EQ(page_.integer(Field::kStateOverloaded), 1);
  EXPECT_EQ(page_.integer(Field::kStateCause), static_cast<std::int64_t>(Cause::kCpu));
  EXPECT_EQ(page_.integer(Field::kCpuFiring), 1);
  EXPECT_EQ(page_.integer(Field::kCpuFirings), 1);
  EXPECT_EQ(page_.integer(Field::kGcStale), 1);
  EXPECT_EQ(page_.integer(Field::kAdmissionAdmitted), 10);
  EXPECT_EQ(page_.integer(Field::kAdmissionInFlight), 3);
  EXPECT_EQ(page_.integer(Field::kAdmissionReleased), 7);
  EXPECT_EQ(page_.integer(Field::kAdmissionDropped), 1);
  // Every answer of ours, at the door or at dequeue.
  EXPECT_EQ(page_.integer(Field::kAdmissionRejected), 5);
  EXPECT_GE(page_.integer(Field::kAdmissionLimit), 2);
  EXPECT_NE(page_.text(Field::kStateReason).find("cpu"), std::string::npos);
  EXPECT_NE(page_.text(Field::kCpuUnit), "");
}

TEST_F(PageWriterTest, ResetStartsTheCountersAgainAndKeepsWhatIsInFlight) {
  totals_.admitted = 10;
  totals_.completed = 6;
  totals_.rejected = 3;
  totals_.exempt = 5;
  totals_.exemptBeyondLimit = 2;
  tick();
  writer_.resetCounters(&controller_, totals_, connections_);
  totals_.admitted = 12;
  totals_.rejected = 4;
  totals_.exempt = 8;
  totals_.exemptBeyondLimit = 3;
  tick();
  EXPECT_EQ(page_.integer(Field::kAdmissionExempt), 3);
  EXPECT_EQ(page_.integer(Field::kAdmissionExemptBeyondLimit), 1);
  EXPECT_EQ(page_.integer(Field::kAdmissionAdmitted), 2);
  EXPECT_EQ(page_.integer(Field::kAdmissionRejected), 1);
  EXPECT_EQ(page_.integer(Field::kAdmissionInFlight), 6);
  EXPECT_EQ(page_.integer(Field::kCpuFirings), 0);
}

TEST_F(PageWriterTest, RatesArePerSecond) {
  for (int i = 0; i < 100; ++i) {
    totals_.admitted += 44;
    totals_.completed += 44;
    totals_.rejected += 100;
    tick();
  }
  EXPECT_NEAR(page_.real(Field::kAdmissionAdmittedRate), 440, 1);
  EXPECT_NEAR(page_.real(Field::kAdmissionRejectedRate), 1000, 1);
}

TEST_F(PageWriterTest, TheLawShowsWhatItKnows) {
  for (int i = 0; i < 100; ++i) {
    totals_.admitted += 44;
    totals_.completed += 44;
    totals_.latency += 44 * milliseconds(5);
    totals_.rejected += 100;
    tick();
  }
  EXPECT_NEAR(page_.real(Field::kLawThroughput), 440, 5);
  EXPECT_NEAR(page_.real(Field::kLawBestThroughput), 440, 5);
  EXPECT_NEAR(page_.real(Field::kLawCapacity), 440, 5);
  EXPECT_EQ(page_.integer(Field::kLawLearned), 0);  // overloaded from the first tick on
  EXPECT_EQ(page_.real(Field::kLawHealthyLatencyMillis), 0);
  EXPECT_NE(page_.integer(Field::kLawStep), static_cast<std::int64_t>(LawStep::kIdle));
  writer_.writeOff("off: because");
  EXPECT_EQ(page_.integer(Field::kLawStep), static_cast<std::int64_t>(LawStep::kIdle));
}

TEST_F(PageWriterTest, OffSaysWhyAndShowsNoDetectorAsAlive) {
  tick();
  writer_.writeOff("off: because");
  EXPECT_EQ(page_.text(Field::kStateReason), "off: because");
  EXPECT_EQ(page_.integer(Field::kStateOverloaded), 0);
  EXPECT_EQ(page_.integer(Field::kCpuStale), 1);
  EXPECT_EQ(page_.integer(Field::kCpuFiring), 0);
  EXPECT_EQ(page_.integer(Field::kAdmissionLimit), -1);
}

TEST_F(PageWriterTest, OptionsShowModeStatusAndRetryAfter) {
  options::Options options;
  options.mode = options::Mode::kEnforce;
  options.rejectStatus = 429;
  options.rejectRetryAfter = seconds(7);
  writer_.writeOptions(options);
  EXPECT_EQ(page_.integer(Field::kStateMode), 2);
  EXPECT_EQ(page_.integer(Field::kSettingsRejectStatus), 429);
  EXPECT_EQ(page_.integer(Field::kSettingsRetryAfterSeconds), 7);
  options.rejectRetryAfter.reset();
  writer_.writeOptions(options);
  EXPECT_EQ(page_.integer(Field::kSettingsRetryAfterSeconds), 0);
}

}  // namespace
}  // namespace hodor::control
