#include "attach/server_patch.h"

#include <gtest/gtest.h>

#include "sample_class.h"

namespace hodor::attach {
namespace {

using Class = std::vector<std::uint8_t>;

Class serverWith(const ByteWriter& code, unsigned flags = kAccProtected) {
  SampleClass sample;
  sample.methodWithoutCode(kAccPublic | kAccAbstract, "other", "()V");
  sample.method(flags, "doStart", "()V", code);
  return sample.bytes();
}

// The content of the Code attribute of a method.
Class codeOf(const Class& bytes, std::string_view name) {
  const auto file = ClassFile::parse(bytes);
  const Method* const method = file ? file->find(name, "()V") : nullptr;
  if (method == nullptr || method->attributes.empty()) {
    return {};
  }
  const Attribute& code = method->attributes[0];
  const auto begin = bytes.begin();
  return {begin + static_cast<std::ptrdiff_t>(code.contentBegin),
          begin + static_cast<std::ptrdiff_t>(code.end)};
}

TEST(PatchAtLoadTest, RenamesTheMethodAndPutsACallingOneInItsPlace) {
  const Class original = serverWith(SampleClass::justReturn(), kAccPublic | kAccSynchronized);
  const Patched patched = patchAtLoad(original);
  EXPECT_EQ(patched.reason, "");
  const auto file = ClassFile::parse(patched.bytes);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->methods().size(), 4U);
  EXPECT_EQ(file->find("doStart", "()V")->flags, kAccPublic | kAccSynchronized);
  EXPECT_EQ(file->find("hodor$doStart", "()V")->flags, kAccPrivate | kAccSynthetic);
  EXPECT_EQ(file->find("hodor$onStart", "()V")->flags, kAccPrivate | kAccNative | kAccSynthetic);
  EXPECT_NE(file->find("other", "()V"), nullptr);
  EXPECT_EQ(codeOf(patched.bytes, "hodor$doStart"), codeOf(original, "doStart"));
}

TEST(PatchAtLoadTest, AClassThatCarriesTheCallIsLeftAlone) {
  const Patched once = patchAtLoad(serverWith(SampleClass::justReturn()));
  const Patched twice = patchAtLoad(once.bytes);
  EXPECT_TRUE(twice.bytes.empty());
  EXPECT_EQ(twice.reason, "");
  const Patched loaded = patchLoaded(once.bytes);
  EXPECT_TRUE(loaded.bytes.empty());
  EXPECT_EQ(loaded.reason, "");
}

TEST(PatchTest, WhatCannotBePatchedIsRefusedWithAReason) {
  EXPECT_NE(patchAtLoad({}).reason, "");
  EXPECT_NE(patchLoaded({}).reason, "");
  SampleClass none;
  EXPECT_EQ(patchAtLoad(none.bytes()).reason, "it has no doStart()");
  for (const unsigned flag : {kAccStatic, kAccNative, kAccAbstract}) {
    const Class odd = serverWith(SampleClass::justReturn(), flag);
    EXPECT_EQ(patchAtLoad(odd).reason, "its doStart() is static, native or abstract");
    EXPECT_EQ(patchLoaded(odd).reason, "its doStart() is static, native or abstract");
  }
  SampleClass noCode;
  noCode.methodWithoutCode(kAccProtected, "doStart", "()V");
  EXPECT_EQ(patchLoaded(noCode.bytes()).reason, "its doStart() has no code");
}

TEST(PatchTest, AFullConstantPoolIsRefused) {
  SampleClass sample;
  sample.method(kAccProtected, "doStart", "()V", SampleClass::justReturn());
  while (sample.constants().count() < 0xFFFF - 10) {
    sample.constants().utf8("x");
  }
  const Class full = sample.bytes();
  EXPECT_EQ(patchAtLoad(full).reason, "its constant pool is full");
  EXPECT_EQ(patchLoaded(full).reason, "its constant pool is full");
}

TEST(PatchLoadedTest, InsertsFourBytesAndKeepsTheMethods) {
  const Class original = serverWith(SampleClass::justReturn());
  const Patched patched = patchLoaded(original);
  EXPECT_EQ(patched.reason, "");
  EXPECT_EQ(ClassFile::parse(patched.bytes)->methods().size(), 2U);
  const Class code = codeOf(patched.bytes, "doStart");
  ASSERT_EQ(code.size(), codeOf(original, "doStart").size() + 4);
  EXPECT_EQ(code[1], 1) << "a stack for `this`";
  EXPECT_EQ(code[7], 5) << "code length";
  EXPECT_EQ(code[8], 0x2A);
  EXPECT_EQ(code[9], 0xB8);
  EXPECT_EQ(code[12], 0xB1);
  EXPECT_TRUE(patchLoaded(patched.bytes).bytes.empty());
}

TEST(PatchLoadedTest, MovesHandlers) {
  ByteWriter code;
  code.u2(1);
  code.u2(1);
  code.u4(3);
  code.u1(0xB1);
  code.u1(0x57);
  code.u1(0xB1);
  code.u2(1);
  code.u2(0);
  code.u2(1);
  code.u2(1);
  code.u2(0);
  code.u2(0);
  const Class moved = codeOf(patchLoaded(serverWith(code)).bytes, "doStart");
  const Class handler(moved.begin() + 8 + 7, moved.begin() + 8 + 7 + 10);
  EXPECT_EQ(handler, Class({0, 1, 0, 4, 0, 5, 0, 5, 0, 0}));
}

class CodeAttributeTest : public testing::Test {
 protected:
  // The content of the attribute of this name after patching; empty if refused.
  Class moved(std::string_view name, const Class& content) {
    SampleClass sample;
    const std::uint16_t nameIndex = sample.constants().utf8(name);
    ByteWriter attribute;
    attribute.u2(nameIndex);
    attribute.u4(static_cast<std::uint32_t>(content.size()));
    attribute.append(content);
    sample.method(kAccProtected, "doStart", "()V", SampleClass::justReturn(1, attribute));
    const Patched patched = patchLoaded(sample.bytes());
    reason_ = patched.reason;
    const Class code = codeOf(patched.bytes, "doStart");
    constexpr std::ptrdiff_t kAttributes = 8 + 5 + 2 + 2;
    return code.empty() ? Class() : Class(code.begin() + kAttributes + 6, code.end());
  }

  std::string reason_;
};

TEST_F(CodeAttributeTest, LinesMoveButTheFirstStays) {
  EXPECT_EQ(moved("LineNumberTable", {0, 2, 0, 0, 0, 7, 0, 9, 0, 8}),
            Class({0, 2, 0, 0, 0, 7, 0, 13, 0, 8}));
}

TEST_F(CodeAttributeTest, VariablesMoveAndThoseFromTheStartGrow) {
  EXPECT_EQ(moved("LocalVariableTable",
                  {0, 2, 0, 0, 0, 9, 0, 1, 0, 2, 0, 0, 0, 3, 0, 6, 0, 4, 0, 5, 0, 1}),
            Class({0, 2, 0, 0, 0, 13, 0, 1, 0, 2, 0, 0, 0, 7, 0, 6, 0, 4, 0, 5, 0, 1}));
}

TEST_F(CodeAttributeTest, OnlyTheFirstFrameMoves) {
  EXPECT_EQ(moved("StackMapTable", {0, 2, 5, 6}), Class({0, 2, 9, 6}));
}

TEST_F(CodeAttributeTest, AShortFrameThatMovesTooFarBecomesALongOne) {
  EXPECT_EQ(moved("StackMapTable", {0, 1, 59}), Class({0, 1, 63}));
  EXPECT_EQ(moved("StackMapTable", {0, 1, 60}), Class({0, 1, 251, 0, 64}));
  EXPECT_EQ(moved("StackMapTable", {0, 1, 64 + 59, 1}), Class({0, 1, 64 + 63, 1}));
  EXPECT_EQ(moved("StackMapTable", {0, 1, 64 + 60, 1}), Class({0, 1, 247, 0, 64, 1}));
}

TEST_F(CodeAttributeTest, UninitializedObjectsMoveInEveryFrame) {
  EXPECT_EQ(moved("StackMapTable", {0, 2, 64, 8, 0, 3, 255, 0, 1, 0, 2, 7, 0, 9, 8, 0, 2, 0, 1, 1}),
            Class({0, 2, 68, 8, 0, 7, 255, 0, 1, 0, 2, 7, 0, 9, 8, 0, 6, 0, 1, 1}));
}

TEST_F(CodeAttributeTest, FramesThatChopAndAppend) {
  EXPECT_EQ(moved("StackMapTable", {0, 3, 248, 0, 1, 251, 0, 2, 253, 0, 3, 1, 7, 0, 4}),
            Class({0, 3, 248, 0, 5, 251, 0, 2, 253, 0, 3, 1, 7, 0, 4}));
}

TEST_F(CodeAttributeTest, WhatIsNotUnderstoodIsRefused) {
  EXPECT_TRUE(moved("StackMapTable", {0, 1, 130}).empty()) << "reserved";
  EXPECT_TRUE(moved("StackMapTable", {0, 1, 64, 9}).empty()) << "no such type";
  EXPECT_TRUE(moved("StackMapTable", {0, 2, 5}).empty()) << "cut off";
  EXPECT_TRUE(moved("StackMapTable", {0, 1, 5, 5}).empty()) << "something behind it";
  EXPECT_TRUE(moved("StackMapTable", {0, 1, 251, 0xFF, 0xFE}).empty()) << "beyond the end";
  EXPECT_TRUE(moved("LineNumberTable", {0, 2, 0, 0, 0, 7}).empty());
  EXPECT_TRUE(moved("RuntimeVisibleTypeAnnotations", {0, 0}).empty());
  EXPECT_NE(reason_.find("RuntimeVisibleTypeAnnotations"), std::string::npos);
}

TEST(PatchTest, NoDamageIsFatal) {
  const Class original = serverWith(SampleClass::justReturn());
  for (std::size_t at = 0; at < original.size(); ++at) {
    for (unsigned value = 0; value < 256; ++value) {
      Class damaged = original;
      damaged[at] = static_cast<std::uint8_t>(value);
      // The sanitizers watch; what comes out must at least be a class file again.
      for (const Patched& patched : {patchAtLoad(damaged), patchLoaded(damaged)}) {
        EXPECT_TRUE(patched.bytes.empty() || ClassFile::parse(patched.bytes)) << at;
      }
    }
  }
}

}  // namespace
}  // namespace hodor::attach
