#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hodor::attach {

using Bytes = std::span<const std::uint8_t>;

// Access flags of the class-file format (JVMS 4.6).
constexpr std::uint16_t kAccPublic = 0x0001;
constexpr std::uint16_t kAccPrivate = 0x0002;
constexpr std::uint16_t kAccProtected = 0x0004;
constexpr std::uint16_t kAccStatic = 0x0008;
constexpr std::uint16_t kAccSynchronized = 0x0020;
constexpr std::uint16_t kAccNative = 0x0100;
constexpr std::uint16_t kAccAbstract = 0x0400;
constexpr std::uint16_t kAccSynthetic = 0x1000;

// Tags of the constant pool (JVMS 4.4).
constexpr std::uint8_t kConstantUtf8 = 1;
constexpr std::uint8_t kConstantClass = 7;
constexpr std::uint8_t kConstantFieldref = 9;
constexpr std::uint8_t kConstantMethodref = 10;
constexpr std::uint8_t kConstantInterfaceMethodref = 11;
constexpr std::uint8_t kConstantNameAndType = 12;

// Reads big-endian numbers out of bytes that nobody vouches for. Once a read goes beyond the end,
// it and all that follow give zero, and ok() is false.
class Cursor {
 public:
  explicit Cursor(Bytes bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {
    ok_ = at <= bytes.size();
  }

  std::uint8_t u1() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u2() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u4() { return static_cast<std::uint32_t>(number(4)); }
  void skip(std::size_t count) {
    if (take(count)) {
      at_ += count;
    }
  }

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  bool take(std::size_t count) {
    ok_ = ok_ && count <= bytes_.size() - at_;
    return ok_;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    if (take(size)) {
      for (std::size_t i = 0; i < size; ++i) {
        value = value << 8U | bytes_[at_ + i];
      }
      at_ += size;
    }
    return value;
  }

  Bytes bytes_;
  std::size_t at_;
  bool ok_ = true;
};

// An attribute: where it begins, and its content.
struct Attribute {
  std::string_view name;
  std::size_t begin = 0;         // of its name index
  std::size_t contentBegin = 0;  // behind its length
  std::size_t end = 0;
};

struct Method {
  std::uint16_t flags = 0;
  std::string_view name;
  std::string_view descriptor;
  std::size_t begin = 0;  // of its access flags
  std::size_t end = 0;
  std::vector<Attribute> attributes;
};

// What a Fieldref, Methodref or InterfaceMethodref names.
struct Reference {
  std::uint8_t tag = 0;
  std::string_view owner;  // with slashes
  std::string_view name;
  std::string_view descriptor;
};

// The structure of a class file, checked as far as it is walked: everything that is handed out lies
// within the bytes. Views and offsets are into the bytes that were parsed.
class ClassFile {
 public:
  // Nothing if the bytes are not a class file, or one that is cut off.
  static std::optional<ClassFile> parse(Bytes bytes);

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::uint16_t constantCount() const {
    return static_cast<std::uint16_t>(constants_.size());
  }
  // Behind the last constant.
  [[nodiscard]] std::size_t constantsEnd() const { return constantsEnd_; }
  [[nodiscard]] std::uint16_t thisClass() const { return thisClass_; }
  // With slashes; empty for java.lang.Object.
  [[nodiscard]] std::string_view superName() const { return className(superClass_); }
  // Of the number of methods.
  [[nodiscard]] std::size_t methodsBegin() const { return methodsBegin_; }
  // Behind the last method.
  [[nodiscard]] std::size_t methodsEnd() const { return methodsEnd_; }
  [[nodiscard]] const std::vector<Method>& methods() const { return methods_; }
  [[nodiscard]] const Method* find(std::string_view name, std::string_view descriptor) const;
  // Empty if there is no such text.
  [[nodiscard]] std::string_view utf8(std::uint16_t index) const;
  [[nodiscard]] std::string_view className(std::uint16_t index) const;
  [[nodiscard]] std::vector<Reference> references() const;

  // Walks `count` attributes; nothing if they are cut off.
  [[nodiscard]] std::optional<std::vector<Attribute>> attributesAt(Cursor& cursor,
                                                                   unsigned count) const;

 private:
  struct Constant {
    std::uint8_t tag = 0;     // 0: the second half of a long or double
    std::size_t content = 0;  // behind the tag
  };

  explicit ClassFile(Bytes bytes) : bytes_(bytes) {}
  bool readConstants(Cursor& cursor);
  bool readFields(Cursor& cursor);
  bool readMethods(Cursor& cursor);
  [[nodiscard]] const Constant* constant(std::uint16_t index, std::uint8_t tag) const;

  Bytes bytes_;
  std::vector<Constant> constants_;
  std::size_t constantsEnd_ = 0;
  std::uint16_t thisClass_ = 0;
  std::uint16_t superClass_ = 0;
  std::size_t methodsBegin_ = 0;
  std::size_t methodsEnd_ = 0;
  std::vector<Method> methods_;
};

}  // namespace hodor::attach
