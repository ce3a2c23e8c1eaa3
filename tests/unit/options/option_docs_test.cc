#include "options/option_docs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace hodor::options {
namespace {

TEST(OptionDocs, AreWhatTheTableSays) {
  std::ifstream file(HODOR_OPTION_DOCS);
  ASSERT_TRUE(file) << "cannot read " << HODOR_OPTION_DOCS;
  const std::string written{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(written, optionDocs()) << "run ./dev format";
}

}  // namespace
}  // namespace hodor::options
