// Both patches on the Server classes of Jetty releases, which the test set-up fetches. What the JVM
// makes of them is shown by the tests that start these releases.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "attach/server_patch.h"

namespace hodor::attach {
namespace {

std::vector<std::filesystem::path> classFiles() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = HODOR_JETTY_CLASSES;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".class") {
        files.push_back(entry.path());
      }
    }
  }
  return files;
}

std::vector<std::uint8_t> read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(RealServersTest, EveryReleaseCanBePatchedBothWays) {
  const auto files = classFiles();
  if (files.empty()) {
    GTEST_SKIP() << "no Jetty releases in " << HODOR_JETTY_CLASSES << "; ./dev test fetches them";
  }
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename());
    const auto original = read(path);
    const auto before = ClassFile::parse(original);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->className(before->thisClass()), kServerClass);

    const Patched atLoad = patchAtLoad(original);
    EXPECT_EQ(atLoad.reason, "");
    const auto renamed = ClassFile::parse(atLoad.bytes);
    ASSERT_TRUE(renamed);
    EXPECT_EQ(renamed->methods().size(), before->methods().size() + 2);
    EXPECT_TRUE(patchLoaded(atLoad.bytes).bytes.empty());

    const Patched loaded = patchLoaded(original);
    EXPECT_EQ(loaded.reason, "");
    const auto inserted = ClassFile::parse(loaded.bytes);
    ASSERT_TRUE(inserted);
    EXPECT_EQ(inserted->methods().size(), before->methods().size());
    EXPECT_TRUE(patchLoaded(loaded.bytes).bytes.empty());
  }
}

TEST(RealServersTest, CutOffAnywhereTheyAreRefused) {
  for (const auto& path : classFiles()) {
    const auto original = read(path);
    for (std::size_t length = 0; length < original.size(); length += 97) {
      EXPECT_TRUE(patchAtLoad(Bytes(original).first(length)).bytes.empty());
      EXPECT_TRUE(patchLoaded(Bytes(original).first(length)).bytes.empty());
    }
  }
}

}  // namespace
}  // namespace hodor::attach
