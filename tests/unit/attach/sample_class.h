#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "attach/class_writer.h"

namespace hodor::attach {

// Writes small class files: `class S extends java.lang.Object` with one field and some methods.
class SampleClass {
 public:
  SampleClass() : constants_(1) {
    thisClass_ = constants_.type("S");
    superClass_ = constants_.type("java/lang/Object");
    code_ = constants_.utf8("Code");
  }

  AddedConstants& constants() { return constants_; }

  // A method whose Code attribute has this content.
  void method(unsigned flags, std::string_view name, std::string_view descriptor,
              const ByteWriter& code) {
    begin(flags, name, descriptor);
    methods_.u2(1);
    methods_.u2(code_);
    methods_.u4(static_cast<std::uint32_t>(code.size()));
    methods_.append(code.bytes());
  }

  void methodWithoutCode(unsigned flags, std::string_view name, std::string_view descriptor) {
    begin(flags, name, descriptor);
    methods_.u2(0);
  }

  // `return`, with attributes of the Code behind it.
  static ByteWriter justReturn(unsigned attributeCount = 0, const ByteWriter& attributes = {}) {
    ByteWriter code;
    code.u2(0);  // stack
    code.u2(1);  // locals
    code.u4(1);
    code.u1(0xB1);
    code.u2(0);  // handlers
    code.u2(attributeCount);
    code.append(attributes.bytes());
    return code;
  }

  std::vector<std::uint8_t> bytes() {
    const std::uint16_t fieldName = constants_.utf8("field");
    const std::uint16_t fieldType = constants_.utf8("I");
    ByteWriter out;
    out.u4(0xCAFEBABE);
    out.u4(55);
    out.u2(constants_.count());
    out.append(constants_.bytes());
    out.u2(kAccPublic);
    out.u2(thisClass_);
    out.u2(superClass_);
    out.u2(0);  // interfaces
    out.u2(1);  // fields
    out.u2(kAccPrivate);
    out.u2(fieldName);
    out.u2(fieldType);
    out.u2(0);
    out.u2(methodCount_);
    out.append(methods_.bytes());
    out.u2(0);  // attributes
    return out.take();
  }

 private:
  void begin(unsigned flags, std::string_view name, std::string_view descriptor) {
    methods_.u2(flags);
    methods_.u2(constants_.utf8(name));
    methods_.u2(constants_.utf8(descriptor));
    ++methodCount_;
  }

  AddedConstants constants_;
  std::uint16_t thisClass_ = 0;
  std::uint16_t superClass_ = 0;
  std::uint16_t code_ = 0;
  ByteWriter methods_;
  unsigned methodCount_ = 0;
};

}  // namespace hodor::attach
