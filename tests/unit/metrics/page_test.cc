#include "metrics/page.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace hodor::metrics {
namespace {

TEST(MetricsPageTest, KeepsNumbersAndTexts) {
  MetricsPage page;
  page.set(Field::kStateMode, std::int64_t{2});
  page.set(Field::kCpuValue, 14.25);
  page.set(Field::kStateReason, std::string_view("run queue 14 deep"));
  EXPECT_EQ(page.integer(Field::kStateMode), 2);
  EXPECT_EQ(page.real(Field::kCpuValue), 14.25);
  EXPECT_EQ(page.text(Field::kStateReason), "run queue 14 deep");
  page.set(Field::kStateReason, std::string_view(""));
  EXPECT_EQ(page.text(Field::kStateReason), "");
}

TEST(MetricsPageTest, CutsLongTextsBetweenCharacters) {
  MetricsPage page;
  const std::size_t capacity = kFields[static_cast<std::size_t>(Field::kCpuUnit)].capacity;
  std::string text(capacity - 1, 'x');
  text += "\xC3\xA9";  // two bytes, the second does not fit
  page.set(Field::kCpuUnit, std::string_view(text));
  EXPECT_EQ(page.text(Field::kCpuUnit), std::string(capacity - 1, 'x'));
  // The neighbour is untouched.
  EXPECT_EQ(page.text(Field::kCpuExplanation), "");
}

TEST(MetricsPageTest, LayoutNamesEachFieldOnceWithoutOverlap) {
  std::istringstream lines(MetricsPage::layout());
  std::string word;
  std::string name;
  std::string type;
  std::size_t offset = 0;
  std::size_t capacity = 0;
  std::set<std::string> names;
  std::size_t end = 0;
  while (lines >> word >> name >> type >> offset >> capacity) {
    EXPECT_EQ(word, "field");
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(offset % 8, 0U) << name;
    EXPECT_GE(offset, end) << name;
    end = offset + (type == "text" ? 8 + capacity : 8);
  }
  EXPECT_EQ(names.size(), kFieldCount);
  EXPECT_LE(end, MetricsPage::size());
  EXPECT_EQ(names.count("detector.gc.explanation"), 1U);
}

TEST(MetricsPageTest, DetectorFieldsStandTogether) {
  EXPECT_EQ(detectorField(Field::kGcValue, DetectorField::kExplanation), Field::kGcExplanation);
  EXPECT_EQ(detectorField(Field::kHeartbeatValue, DetectorField::kBand), Field::kHeartbeatBand);
}

}  // namespace
}  // namespace hodor::metrics
