#include "connections/imported_function.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>

#include "connections/accepting_library.h"

namespace hodor::connections {
namespace {

constexpr int kOurs = 4711;

int answer(int /*listener*/, sockaddr* /*address*/, socklen_t* /*size*/) { return kOurs; }

TEST(ImportedFunctionTest, IsCalledInsteadAndGivenBack) {
  const auto function = ImportedFunction::find("/libnio.so", "accept");
  ASSERT_TRUE(function);
  EXPECT_FALSE(function->unresolved()) << "the library is linked with -z now, as the JDK's is";
  void* const before = function->target();
  ASSERT_TRUE(function->redirect(reinterpret_cast<void*>(&answer)));
  EXPECT_EQ(acceptOn(-1), kOurs);
  ASSERT_TRUE(function->redirect(before));
  EXPECT_EQ(acceptOn(-1), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(ImportedFunctionTest, OfNothingIsNone) {
  EXPECT_FALSE(ImportedFunction::find("/libnio.so", "no_such_function"));
  EXPECT_FALSE(ImportedFunction::find("/libnosuchlibrary.so", "accept"));
}

}  // namespace
}  // namespace hodor::connections
