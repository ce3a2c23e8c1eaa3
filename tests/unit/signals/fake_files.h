#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hodor::signals {

// A folder that stands for /proc/self or for the root of the file system; gone after the test.
class FakeFiles {
 public:
  FakeFiles() {
    std::string pattern = testing::TempDir() + "hodor-signals-XXXXXX";
    root_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
    EXPECT_FALSE(root_.empty());
  }
  ~FakeFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  FakeFiles(const FakeFiles&) = delete;
  FakeFiles& operator=(const FakeFiles&) = delete;

  [[nodiscard]] const std::string& root() const { return root_; }

  // Writes into the file that is there (who has it open sees it), or makes it and its folders.
  void write(std::string_view path, std::string_view text) const {
    const std::filesystem::path file = at(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << text;
    EXPECT_TRUE(out.flush().good()) << file;
  }

  void remove(std::string_view path) const { std::filesystem::remove_all(at(path)); }

 private:
  [[nodiscard]] std::filesystem::path at(std::string_view path) const {
    return std::filesystem::path(root_) / path;
  }

  std::string root_;
};

}  // namespace hodor::signals
