#include "admission/rest.h"

#include <gtest/gtest.h>

namespace hodor::admission {
namespace {

class RestTest : public testing::Test {
 protected:
  RestTest() {
    rest_.onEnd([this] { ++woken_; });
  }

  Rest rest_;
  int woken_ = 0;
};

TEST_F(RestTest, NobodyIsWokenWhoDoesNotRest) {
  rest_.end();
  EXPECT_EQ(woken_, 0);
}

TEST_F(RestTest, OnlyTheFirstRequestWakes) {
  rest_.begin();
  EXPECT_EQ(woken_, 0);
  rest_.end();
  rest_.end();
  EXPECT_EQ(woken_, 1);
  rest_.begin();
  rest_.end();
  EXPECT_EQ(woken_, 2);
}

TEST_F(RestTest, TwoWhoRestAreWokenByOneCall) {
  rest_.begin();
  rest_.begin();
  rest_.end();
  rest_.end();
  EXPECT_EQ(woken_, 1);
}

TEST_F(RestTest, NotAllowedBeforeItIsKnownThatNothingGoesOn) {
  EXPECT_FALSE(rest_.allowed());
  rest_.allow(true);
  EXPECT_TRUE(rest_.allowed());
  rest_.allow(false);
  EXPECT_FALSE(rest_.allowed());
}

}  // namespace
}  // namespace hodor::admission
