#include "options/address_range.h"

#include <gtest/gtest.h>

#include <string>

namespace hodor::options {
namespace {

std::string normal(const char* text) {
  const auto range = AddressRange::parse(text);
  return range ? range->text() : "none";
}

TEST(AddressRange, SaysWhatItWasGiven) {
  for (const char* text : {"127.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "::1", "fd00::/8", "::/0"}) {
    EXPECT_EQ(normal(text), text);
  }
}

TEST(AddressRange, ForgetsWhatIsBehindThePrefix) {
  EXPECT_EQ(normal("10.1.2.3/8"), "10.0.0.0/8");
  EXPECT_EQ(normal("10.255.0.0/12"), "10.240.0.0/12");
  EXPECT_EQ(normal("fdff::1/9"), "fd80::/9");
  EXPECT_EQ(AddressRange::parse("10.1.2.3/8"), AddressRange::parse("10.0.0.0/8"));
}

TEST(AddressRange, OfOneAddressNeedsNoPrefix) {
  EXPECT_EQ(normal("10.1.2.3/32"), "10.1.2.3");
  EXPECT_EQ(normal("::1/128"), "::1");
}

TEST(AddressRange, KeepsBytesAsTheNetworkHasThem) {
  const auto range = AddressRange::parse("1.2.3.4");
  ASSERT_TRUE(range);
  EXPECT_FALSE(range->version6);
  EXPECT_EQ(range->length(), 4U);
  EXPECT_EQ(range->prefix, 32);
  EXPECT_EQ(range->bytes[0], 1);
  EXPECT_EQ(range->bytes[3], 4);
}

TEST(AddressRange, ContainsWhatBeginsWithTheSameBits) {
  const auto contains = [](const char* range, const char* other) {
    return AddressRange::parse(range)->contains(*AddressRange::parse(other));
  };
  EXPECT_TRUE(contains("10.0.0.0/8", "10.1.2.3"));
  EXPECT_TRUE(contains("10.0.0.0/8", "10.1.0.0/16"));
  EXPECT_TRUE(contains("10.0.0.0/8", "10.0.0.0/8"));
  EXPECT_TRUE(contains("0.0.0.0/0", "1.2.3.4"));
  EXPECT_TRUE(contains("fd80::/9", "fdff::1"));
  EXPECT_TRUE(contains("127.0.0.1", "127.0.0.1"));
  EXPECT_FALSE(contains("10.0.0.0/8", "11.0.0.0"));
  EXPECT_FALSE(contains("10.0.0.0/8", "10.0.0.0/7"));
  EXPECT_FALSE(contains("127.0.0.1", "127.0.0.2"));
  EXPECT_FALSE(contains("0.0.0.0/0", "::1"));
}

TEST(AddressRange, TheDefaultIsTheMachineItself) {
  const auto loopback = AddressRange::loopback();
  ASSERT_EQ(loopback.size(), 2U);
  EXPECT_EQ(loopback[0].text(), "127.0.0.1");
  EXPECT_EQ(loopback[1].text(), "::1");
}

}  // namespace
}  // namespace hodor::options
