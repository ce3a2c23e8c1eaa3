#include "options/option_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace hodor::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OptionFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "hodor-options-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string write(const std::string& text) const {
    std::ofstream(path("options"), std::ios::binary) << text;
    return path("options");
  }

  std::string folder_;
};

TEST_F(OptionFile, IsReadWhole) {
  const std::string text = "mode=enforce\n# comment\n";
  const FileContent content = readOptionFile(write(text));
  EXPECT_EQ(content.text, text);
  EXPECT_THAT(content.problem, IsEmpty());
}

TEST_F(OptionFile, MissingIsAProblem) {
  EXPECT_THAT(readOptionFile(path("nothing")).problem, HasSubstr("No such file"));
}

TEST_F(OptionFile, UnreadableIsAProblem) {
  constexpr uid_t kNobody = 65534;
  const std::string name = write("mode=off");
  ASSERT_EQ(chmod(name.c_str(), 0), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  const uid_t self = geteuid();
  if (self == 0) {
    ASSERT_EQ(seteuid(kNobody), 0);  // root reads everything
  }
  const FileContent content = readOptionFile(name);
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_THAT(content.problem, HasSubstr("denied"));
}

TEST_F(OptionFile, DirectoryIsAProblem) {
  EXPECT_EQ(readOptionFile(folder_).problem, "is a directory");
}

TEST_F(OptionFile, PipeWithoutWriterIsAProblemAndNotAWait) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(readOptionFile(path("pipe")).problem, "is not a regular file");
}

TEST_F(OptionFile, DeviceIsAProblem) {
  EXPECT_EQ(readOptionFile("/dev/zero").problem, "is not a regular file");
}

TEST_F(OptionFile, OfTheLimitIsAccepted) {
  const std::string text = "#" + std::string(kLargestFile - 1, 'x');
  EXPECT_THAT(parseAgentOptions("config=" + write(text), readOptionFile).errors, IsEmpty());
}

TEST_F(OptionFile, OverTheLimitIsRefused) {
  const std::string text = "#" + std::string(3 * kLargestFile, 'x');
  EXPECT_THAT(parseAgentOptions("config=" + write(text), readOptionFile).errors,
              ElementsAre(HasSubstr("larger than 64 KiB")));
}

}  // namespace
}  // namespace hodor::options
