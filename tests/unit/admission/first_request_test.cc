#include "admission/first_request.h"

#include <gtest/gtest.h>

namespace hodor::admission {
namespace {

class FirstRequestTest : public testing::Test {
 protected:
  FirstRequestTest() {
    first_.onCome([this] { ++woken_; });
  }

  FirstRequest first_;
  int woken_ = 0;
};

TEST_F(FirstRequestTest, NobodyIsWokenBeforeItIsArmed) {
  first_.came();
  EXPECT_EQ(woken_, 0);
}

TEST_F(FirstRequestTest, OnlyTheFirstWakes) {
  first_.arm();
  EXPECT_EQ(woken_, 0);
  first_.came();
  first_.came();
  EXPECT_EQ(woken_, 1);
  first_.arm();
  first_.came();
  EXPECT_EQ(woken_, 2);
}

TEST_F(FirstRequestTest, NobodyIsWokenAfterDisarming) {
  first_.arm();
  first_.disarm();
  first_.came();
  EXPECT_EQ(woken_, 0);
}

TEST_F(FirstRequestTest, ArmedTwiceWakesOnce) {
  first_.arm();
  first_.arm();
  first_.came();
  first_.came();
  EXPECT_EQ(woken_, 1);
}

}  // namespace
}  // namespace hodor::admission
