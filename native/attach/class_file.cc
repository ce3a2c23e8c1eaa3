#include "attach/class_file.h"

#include <algorithm>

namespace hodor::attach {

namespace {

constexpr std::uint32_t kMagic = 0xCAFEBABE;

// Bytes of a constant behind its tag (JVMS table 4.4-A); nothing for an unknown one. Not for Utf8.
std::optional<std::size_t> sizeOf(std::uint8_t tag) {
  switch (tag) {
    case kConstantClass:
    case 8:   // String
    case 16:  // MethodType
    case 19:  // Module
    case 20:  // Package
      return 2;
    case 15:  // MethodHandle
      return 3;
    case 3:  // Integer
    case 4:  // Float
    case kConstantFieldref:
    case kConstantMethodref:
    case kConstantInterfaceMethodref:
    case kConstantNameAndType:
    case 17:  // Dynamic
    case 18:  // InvokeDynamic
      return 4;
    case 5:  // Long
    case 6:  // Double
      return 8;
    default:
      return std::nullopt;
  }
}

bool isWide(std::uint8_t tag) { return tag == 5 || tag == 6; }

}  // namespace

std::optional<ClassFile> ClassFile::parse(Bytes bytes) {
  ClassFile file(bytes);
  Cursor cursor(bytes);
  if (cursor.u4() != kMagic) {
    return std::nullopt;
  }
  cursor.skip(4);  // version
  if (!file.readConstants(cursor)) {
    return std::nullopt;
  }
  cursor.skip(2);  // access flags
  file.thisClass_ = cursor.u2();
  file.superClass_ = cursor.u2();
  const std::size_t interfaces = cursor.u2();
  cursor.skip(2 * interfaces);
  if (!file.readFields(cursor) || !file.readMethods(cursor)) {
    return std::nullopt;
  }
  const unsigned attributes = cursor.u2();
  if (!file.attributesAt(cursor, attributes)) {
    return std::nullopt;
  }
  return file;
}

bool ClassFile::readConstants(Cursor& cursor) {
  const std::uint16_t count = cursor.u2();
  if (!cursor.ok() || count == 0) {
    return false;
  }
  constants_.resize(count);
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint8_t tag = cursor.u1();
    constants_[i] = {tag, cursor.at()};
    if (tag == kConstantUtf8) {
      const std::size_t length = cursor.u2();
      cursor.skip(length);
    } else if (const auto size = sizeOf(tag)) {
      cursor.skip(*size);
    } else {
      return false;
    }
    if (!cursor.ok()) {
      return false;
    }
    if (isWide(tag)) {
      ++i;  // takes two places
    }
  }
  constantsEnd_ = cursor.at();
  return true;
}

bool ClassFile::readFields(Cursor& cursor) {
  const unsigned count = cursor.u2();
  for (unsigned i = 0; i < count && cursor.ok(); ++i) {
    cursor.skip(6);
    const unsigned attributes = cursor.u2();
    if (!attributesAt(cursor, attributes)) {
      return false;
    }
  }
  return cursor.ok();
}

bool ClassFile::readMethods(Cursor& cursor) {
  methodsBegin_ = cursor.at();
  const unsigned count = cursor.u2();
  for (unsigned i = 0; i < count && cursor.ok(); ++i) {
    Method method;
    method.begin = cursor.at();
    method.flags = cursor.u2();
    method.name = utf8(cursor.u2());
    method.descriptor = utf8(cursor.u2());
    const unsigned attributeCount = cursor.u2();
    auto attributes = attributesAt(cursor, attributeCount);
    if (!attributes) {
      return false;
    }
    method.attributes = *std::move(attributes);
    method.end = cursor.at();
    methods_.push_back(std::move(method));
  }
  methodsEnd_ = cursor.at();
  return cursor.ok();
}

std::optional<std::vector<Attribute>> ClassFile::attributesAt(Cursor& cursor,
                                                              unsigned count) const {
  std::vector<Attribute> attributes;
  for (unsigned i = 0; i < count && cursor.ok(); ++i) {
    Attribute attribute;
    attribute.begin = cursor.at();
    attribute.name = utf8(cursor.u2());
    const std::uint32_t length = cursor.u4();
    attribute.contentBegin = cursor.at();
    cursor.skip(length);
    attribute.end = cursor.at();
    attributes.push_back(attribute);
  }
  return cursor.ok() ? std::optional(std::move(attributes)) : std::nullopt;
}

const ClassFile::Constant* ClassFile::constant(std::uint16_t index, std::uint8_t tag) const {
  return index < constants_.size() && constants_[index].tag == tag ? &constants_[index] : nullptr;
}

std::string_view ClassFile::utf8(std::uint16_t index) const {
  const Constant* const text = constant(index, kConstantUtf8);
  if (text == nullptr) {
    return {};
  }
  Cursor cursor(bytes_, text->content);
  const std::size_t length = cursor.u2();
  return {reinterpret_cast<const char*>(bytes_.data()) + cursor.at(), length};
}

std::string_view ClassFile::className(std::uint16_t index) const {
  const Constant* const type = constant(index, kConstantClass);
  return type == nullptr ? std::string_view() : utf8(Cursor(bytes_, type->content).u2());
}

const Method* ClassFile::find(std::string_view name, std::string_view descriptor) const {
  const auto found = std::find_if(methods_.begin(), methods_.end(), [&](const Method& method) {
    return method.name == name && method.descriptor == descriptor;
  });
  return found == methods_.end() ? nullptr : &*found;
}

std::vector<Reference> ClassFile::references() const {
  std::vector<Reference> all;
  for (const Constant& entry : constants_) {
    if (entry.tag != kConstantFieldref && entry.tag != kConstantMethodref &&
        entry.tag != kConstantInterfaceMethodref) {
      continue;
    }
    Cursor cursor(bytes_, entry.content);
    Reference reference;
    reference.tag = entry.tag;
    reference.owner = className(cursor.u2());
    if (const Constant* const named = constant(cursor.u2(), kConstantNameAndType)) {
      Cursor pair(bytes_, named->content);
      reference.name = utf8(pair.u2());
      reference.descriptor = utf8(pair.u2());
      all.push_back(reference);
    }
  }
  return all;
}

}  // namespace hodor::attach
