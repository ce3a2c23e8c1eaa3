#include "attach/class_file.h"

#include <gtest/gtest.h>

#include "sample_class.h"

namespace hodor::attach {
namespace {

TEST(CursorTest, ReadsBigEndianAndStopsAtTheEnd) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7};
  Cursor cursor(bytes);
  EXPECT_EQ(cursor.u1(), 1);
  EXPECT_EQ(cursor.u2(), 0x0203);
  EXPECT_EQ(cursor.u4(), 0x04050607U);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.u1(), 0);
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.at(), bytes.size());
}

TEST(CursorTest, ASkipThatWouldOverflowIsNone) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3};
  Cursor cursor(bytes, 1);
  cursor.skip(static_cast<std::size_t>(-1));
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.at(), 1U);
}

TEST(CursorTest, AStartBeyondTheEndIsNotOk) {
  const std::vector<std::uint8_t> bytes = {1};
  EXPECT_FALSE(Cursor(bytes, 2).ok());
}

TEST(ClassFileTest, FindsWhatIsThere) {
  SampleClass sample;
  sample.methodWithoutCode(kAccPublic | kAccAbstract, "one", "()V");
  sample.method(kAccPublic, "two", "(I)V", SampleClass::justReturn());
  const std::uint16_t name = sample.constants().utf8("call");
  const std::uint16_t descriptor = sample.constants().utf8("()J");
  sample.constants().method(sample.constants().type("a/B"), name, descriptor);
  const auto bytes = sample.bytes();
  const auto file = ClassFile::parse(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->className(file->thisClass()), "S");
  EXPECT_EQ(file->superName(), "java/lang/Object");
  ASSERT_EQ(file->methods().size(), 2U);
  const Method* const two = file->find("two", "(I)V");
  ASSERT_NE(two, nullptr);
  ASSERT_EQ(two->attributes.size(), 1U);
  EXPECT_EQ(two->attributes[0].name, "Code");
  EXPECT_EQ(two->attributes[0].end, two->end);
  EXPECT_EQ(file->find("two", "()V"), nullptr);
  ASSERT_EQ(file->references().size(), 1U);
  EXPECT_EQ(file->references()[0].owner, "a/B");
  EXPECT_EQ(file->references()[0].name, "call");
  EXPECT_EQ(file->references()[0].descriptor, "()J");
}

TEST(ClassFileTest, WrongIndicesGiveEmptyNames) {
  SampleClass sample;
  const auto bytes = sample.bytes();
  const auto file = ClassFile::parse(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->utf8(0), "");
  EXPECT_EQ(file->utf8(0xFFFF), "");
  EXPECT_EQ(file->utf8(file->thisClass()), "") << "a class is no text";
  EXPECT_EQ(file->className(0xFFFF), "");
}

TEST(ClassFileTest, WhatIsCutOffIsNoClassFile) {
  SampleClass sample;
  sample.method(kAccPublic, "doStart", "()V", SampleClass::justReturn());
  const auto bytes = sample.bytes();
  ASSERT_TRUE(ClassFile::parse(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(ClassFile::parse(Bytes(bytes).first(length))) << length;
  }
}

TEST(ClassFileTest, AnUnknownConstantOrMagicIsNoClassFile) {
  SampleClass sample;
  auto bytes = sample.bytes();
  bytes[0] ^= 1U;
  EXPECT_FALSE(ClassFile::parse(bytes));
  bytes[0] ^= 1U;
  bytes[10] = 99;  // the first tag
  EXPECT_FALSE(ClassFile::parse(bytes));
}

}  // namespace
}  // namespace hodor::attach
