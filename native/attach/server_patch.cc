#include "attach/server_patch.h"

#include <optional>

#include "attach/class_writer.h"

namespace hodor::attach {

namespace {

constexpr std::string_view kStartName = "doStart";
constexpr std::string_view kStartDescriptor = "()V";
constexpr std::string_view kRenamed = "hodor$doStart";
constexpr std::string_view kHook = "hodor$onStart";
constexpr std::string_view kLoadedHookClass = "io/hodor/boot/ServerStart";
constexpr std::string_view kLoadedHook = "starting";
constexpr std::string_view kLoadedHookDescriptor = "(Ljava/lang/Object;)V";

// More than any patch adds.
constexpr std::uint16_t kMostAdded = 32;
constexpr std::uint16_t kMostMethods = 0xFFFF - 2;
// JVMS 4.7.3: code is shorter than 65536 bytes.
constexpr std::uint32_t kMostCode = 0xFFFF;

// Instructions (JVMS 6.5).
constexpr unsigned kAload0 = 0x2A;
constexpr unsigned kPop = 0x57;
constexpr unsigned kGoto = 0xA7;
constexpr unsigned kReturn = 0xB1;
constexpr unsigned kInvokespecial = 0xB7;
constexpr unsigned kInvokestatic = 0xB8;

// aload_0; invokestatic: a multiple of four, so that the padding of switches stays right.
constexpr unsigned kInserted = 4;

Patched refused(std::string reason) { return {{}, std::move(reason)}; }

// The doStart() of a class that can be patched; null with the reason if there is none.
const Method* startOf(const std::optional<ClassFile>& file, Patched& refusal) {
  if (!file) {
    refusal = refused("not a class file that is understood");
    return nullptr;
  }
  if (file->constantCount() > 0xFFFF - kMostAdded) {
    refusal = refused("its constant pool is full");
    return nullptr;
  }
  const Method* const start = file->find(kStartName, kStartDescriptor);
  if (start == nullptr) {
    refusal = refused("it has no doStart()");
    return nullptr;
  }
  if ((start->flags & (kAccStatic | kAccNative | kAccAbstract)) != 0) {
    refusal = refused("its doStart() is static, native or abstract");
    return nullptr;
  }
  return start;
}

// True if either patch has been here.
bool carriesCall(const ClassFile& file) {
  if (file.find(kRenamed, kStartDescriptor) != nullptr) {
    return true;
  }
  for (const Reference& reference : file.references()) {
    if (reference.owner == kLoadedHookClass) {
      return true;
    }
  }
  return false;
}

// Everything before the constants, the constants and the added ones.
void writeConstants(ByteWriter& out, const ClassFile& file, const AddedConstants& added) {
  constexpr std::size_t kCountAt = 8;  // behind magic and version
  out.copy(file.bytes(), 0, kCountAt);
  out.u2(added.count());
  out.copy(file.bytes(), kCountAt + 2, file.constantsEnd());
  out.append(added.bytes());
}

// A doStart() that calls the hook, whatever it throws, and then the renamed one:
//   0 aload_0; 1 invokespecial hook; 4 goto 8; 7 pop; 8 aload_0; 9 invokespecial renamed; 12 return
void writeWrapper(ByteWriter& out, const Method& start, AddedConstants& added,
                  std::uint16_t nameIndex, std::uint16_t descriptorIndex, std::uint16_t hook,
                  std::uint16_t renamed) {
  const std::uint16_t codeName = added.utf8("Code");
  const std::uint16_t framesName = added.utf8("StackMapTable");
  const std::uint16_t throwable = added.type("java/lang/Throwable");
  constexpr unsigned kCodeLength = 13;
  constexpr unsigned kFramesLength = 2 + 4 + 1;
  constexpr unsigned kContentLength = 2 + 2 + 4 + kCodeLength + 2 + 8 + 2 + 6 + kFramesLength;
  out.u2(start.flags);
  out.u2(nameIndex);
  out.u2(descriptorIndex);
  out.u2(1);
  out.u2(codeName);
  out.u4(kContentLength);
  out.u2(1);  // stack
  out.u2(1);  // locals
  out.u4(kCodeLength);
  out.u1(kAload0);
  out.u1(kInvokespecial);
  out.u2(hook);
  out.u1(kGoto);
  out.u2(4);
  out.u1(kPop);
  out.u1(kAload0);
  out.u1(kInvokespecial);
  out.u2(renamed);
  out.u1(kReturn);
  out.u2(1);  // exception handlers: 0..4 to 7, any
  out.u2(0);
  out.u2(4);
  out.u2(7);
  out.u2(0);
  out.u2(1);  // attributes
  out.u2(framesName);
  out.u4(kFramesLength);
  out.u2(2);
  out.u1(64 + 7);  // at 7: the same locals, a Throwable on the stack
  out.u1(7);
  out.u2(throwable);
  out.u1(0);  // at 8: the same locals, nothing on the stack
}

// Copies the attributes of a Code attribute and moves by kInserted what counts from its start.
class CodeShifter {
 public:
  CodeShifter(Bytes bytes, ByteWriter& out) : bytes_(bytes), out_(out) {}

  // False: there is something that is not understood.
  bool attribute(const Attribute& attribute) {
    if (attribute.name == "LineNumberTable") {
      return table(attribute, 4, false);
    }
    if (attribute.name == "LocalVariableTable" || attribute.name == "LocalVariableTypeTable") {
      return table(attribute, 10, true);
    }
    return attribute.name == "StackMapTable" && frames(attribute);
  }

 private:
  // Entries that begin with a position, and, for variables, a length behind it. One that begins at
  // the start stays there: the inserted instructions belong to the first line and see `this`.
  bool table(const Attribute& attribute, std::size_t entrySize, bool variables) {
    Cursor cursor(bytes_, attribute.contentBegin);
    const unsigned count = cursor.u2();
    out_.copy(bytes_, attribute.begin, attribute.contentBegin);
    out_.u2(count);
    for (unsigned i = 0; i < count; ++i) {
      const std::size_t entry = cursor.at();
      const unsigned position = cursor.u2();
      const unsigned length = variables ? cursor.u2() : 0;
      const std::size_t rest = cursor.at();
      cursor.skip(entry + entrySize - rest);
      if (!cursor.ok() || cursor.at() > attribute.end) {
        return false;
      }
      out_.u2(position == 0 ? 0 : position + kInserted);
      if (variables) {
        out_.u2(position == 0 ? length + kInserted : length);
      }
      out_.copy(bytes_, rest, cursor.at());
    }
    return cursor.at() == attribute.end;
  }

  bool frames(const Attribute& attribute) {
    Cursor cursor(bytes_, attribute.contentBegin);
    const unsigned count = cursor.u2();
    ByteWriter moved;
    moved.u2(count);
    for (unsigned i = 0; i < count; ++i) {
      // The first offset counts from the start, the others from the frame before.
      if (!frame(cursor, moved, i == 0 ? kInserted : 0)) {
        return false;
      }
    }
    if (!cursor.ok() || cursor.at() != attribute.end) {
      return false;
    }
    out_.copy(bytes_, attribute.begin, attribute.begin + 2);
    out_.u4(static_cast<std::uint32_t>(moved.size()));
    out_.append(moved.bytes());
    return true;
  }

  static bool frame(Cursor& cursor, ByteWriter& out, unsigned shift) {
    constexpr unsigned kSameLocals1Extended = 247;
    constexpr unsigned kSameExtended = 251;
    constexpr unsigned kFull = 255;
    const unsigned type = cursor.u1();
    if (type < 128) {  // the offset is part of the type
      const bool stack = type >= 64;
      const unsigned offset = (stack ? type - 64 : type) + shift;
      if (offset < 64) {
        out.u1(stack ? offset + 64 : offset);
      } else {
        out.u1(stack ? kSameLocals1Extended : kSameExtended);
        out.u2(offset);
      }
      return !stack || verificationTypes(cursor, out, 1);
    }
    if (type < kSameLocals1Extended) {
      return false;  // reserved
    }
    const unsigned offset = cursor.u2() + shift;
    if (offset > 0xFFFF) {
      return false;
    }
    out.u1(type);
    out.u2(offset);
    if (type == kSameLocals1Extended) {
      return verificationTypes(cursor, out, 1);
    }
    if (type == kFull) {
      for (int i = 0; i < 2; ++i) {  // locals, stack
        const unsigned count = cursor.u2();
        out.u2(count);
        if (!verificationTypes(cursor, out, count)) {
          return false;
        }
      }
      return true;
    }
    // Below kSameExtended locals were chopped off, above it some were added.
    return type <= kSameExtended || verificationTypes(cursor, out, type - kSameExtended);
  }

  static bool verificationTypes(Cursor& cursor, ByteWriter& out, unsigned count) {
    constexpr unsigned kObject = 7;
    constexpr unsigned kUninitialized = 8;
    for (unsigned i = 0; i < count && cursor.ok(); ++i) {
      const unsigned tag = cursor.u1();
      if (tag > kUninitialized) {
        return false;
      }
      out.u1(tag);
      if (tag == kObject) {
        out.u2(cursor.u2());
      } else if (tag == kUninitialized) {  // the position of a `new`
        out.u2(cursor.u2() + kInserted);
      }
    }
    return cursor.ok();
  }

  Bytes bytes_;
  ByteWriter& out_;
};

// The Code attribute with the call inserted; nothing with a reason if it is not understood.
std::optional<std::vector<std::uint8_t>> codeWithCall(const ClassFile& file, const Attribute& code,
                                                      std::uint16_t hook, std::string& reason) {
  const Bytes bytes = file.bytes();
  Cursor cursor(bytes, code.contentBegin);
  const unsigned maxStack = cursor.u2();
  const unsigned maxLocals = cursor.u2();
  const std::uint32_t length = cursor.u4();
  const std::size_t codeBegin = cursor.at();
  cursor.skip(length);
  const unsigned handlers = cursor.u2();
  if (!cursor.ok() || cursor.at() > code.end || maxLocals == 0 || length + kInserted > kMostCode) {
    reason = "the code of its doStart() is not understood";
    return std::nullopt;
  }
  ByteWriter out;
  out.u2(maxStack == 0 ? 1 : maxStack);
  out.u2(maxLocals);
  out.u4(length + kInserted);
  out.u1(kAload0);
  out.u1(kInvokestatic);
  out.u2(hook);
  out.copy(bytes, codeBegin, codeBegin + length);
  out.u2(handlers);
  for (unsigned i = 0; i < handlers; ++i) {
    for (int position = 0; position < 3; ++position) {  // start, end, handler
      out.u2(cursor.u2() + kInserted);
    }
    out.u2(cursor.u2());
  }
  const unsigned attributeCount = cursor.u2();
  const auto attributes = file.attributesAt(cursor, attributeCount);
  if (!attributes || cursor.at() != code.end) {
    reason = "the code of its doStart() is cut off";
    return std::nullopt;
  }
  out.u2(attributeCount);
  CodeShifter shifter(bytes, out);
  for (const Attribute& attribute : *attributes) {
    if (!shifter.attribute(attribute)) {
      reason = "an attribute of its doStart() is not understood: " + std::string(attribute.name);
      return std::nullopt;
    }
  }
  return out.take();
}

}  // namespace

Patched patchAtLoad(Bytes original) {
  const auto file = ClassFile::parse(original);
  Patched refusal;
  const Method* const start = startOf(file, refusal);
  if (start == nullptr) {
    return refusal;
  }
  if (carriesCall(*file)) {
    return {};
  }
  if (file->methods().size() > kMostMethods) {
    return refused("it has too many methods");
  }
  AddedConstants added(file->constantCount());
  const std::uint16_t descriptor = added.utf8(kStartDescriptor);
  const std::uint16_t renamed = added.utf8(kRenamed);
  const std::uint16_t hook = added.utf8(kHook);
  const std::uint16_t callRenamed = added.method(file->thisClass(), renamed, descriptor);
  const std::uint16_t callHook = added.method(file->thisClass(), hook, descriptor);

  Cursor header(original, start->begin + 2);
  const std::uint16_t nameIndex = header.u2();

  ByteWriter methods;
  methods.u2(static_cast<unsigned>(file->methods().size() + 2));
  methods.copy(original, file->methodsBegin() + 2, start->begin);
  const unsigned removed = kAccPublic | kAccProtected | kAccSynchronized;
  methods.u2((start->flags & ~removed) | kAccPrivate | kAccSynthetic);
  methods.u2(renamed);
  methods.copy(original, start->begin + 4, file->methodsEnd());
  writeWrapper(methods, *start, added, nameIndex, descriptor, callHook, callRenamed);
  methods.u2(kAccPrivate | kAccNative | kAccSynthetic);
  methods.u2(hook);
  methods.u2(descriptor);
  methods.u2(0);

  ByteWriter out;
  writeConstants(out, *file, added);
  out.copy(original, file->constantsEnd(), file->methodsBegin());
  out.append(methods.bytes());
  out.copy(original, file->methodsEnd(), original.size());
  return {out.take(), ""};
}

Patched patchLoaded(Bytes original) {
  const auto file = ClassFile::parse(original);
  Patched refusal;
  const Method* const start = startOf(file, refusal);
  if (start == nullptr) {
    return refusal;
  }
  if (carriesCall(*file)) {
    return {};
  }
  const Attribute* code = nullptr;
  for (const Attribute& attribute : start->attributes) {
    if (attribute.name == "Code") {
      code = &attribute;
    }
  }
  if (code == nullptr) {
    return refused("its doStart() has no code");
  }
  AddedConstants added(file->constantCount());
  const std::uint16_t owner = added.type(kLoadedHookClass);
  const std::uint16_t name = added.utf8(kLoadedHook);
  const std::uint16_t descriptor = added.utf8(kLoadedHookDescriptor);
  const std::uint16_t hook = added.method(owner, name, descriptor);
  std::string reason;
  const auto newCode = codeWithCall(*file, *code, hook, reason);
  if (!newCode) {
    return refused(std::move(reason));
  }
  ByteWriter out;
  writeConstants(out, *file, added);
  out.copy(original, file->constantsEnd(), code->begin + 2);
  out.u4(static_cast<std::uint32_t>(newCode->size()));
  out.append(*newCode);
  out.copy(original, code->end, original.size());
  return {out.take(), ""};
}

}  // namespace hodor::attach
