#include "signals/perf_data.h"

#include <bit>
#include <cstring>

namespace hodor::signals {

namespace {

// Offsets in the block's head.
constexpr std::size_t kByteOrder = 4;
constexpr std::size_t kMajorVersion = 5;
constexpr std::size_t kEntryOffset = 24;
constexpr std::size_t kEntryCount = 28;
constexpr std::size_t kHeadSize = 32;
constexpr std::uint8_t kLittleEndian = 1;
constexpr std::uint8_t kVersion = 2;

// Offsets in an entry.
constexpr std::size_t kNameOffset = 4;
constexpr std::size_t kVectorLength = 8;
constexpr std::size_t kType = 12;
constexpr std::size_t kDataOffset = 16;
constexpr std::size_t kEntryHeadSize = 20;

constexpr char kLong = 'J';
constexpr char kByte = 'B';

}  // namespace

template <typename Integer>
Integer PerfData::at(std::size_t offset) const {
  Integer value = 0;
  std::memcpy(&value, block_.data() + offset, sizeof value);
  return value;
}

PerfData::PerfData(std::span<const std::byte> block) : block_(block) {
  constexpr std::uint8_t kMagic[] = {0xca, 0xfe, 0xc0, 0xc0};
  static_assert(std::endian::native == std::endian::little);
  if (block.size() < kHeadSize || std::memcmp(block.data(), kMagic, sizeof kMagic) != 0 ||
      at<std::uint8_t>(kByteOrder) != kLittleEndian ||
      at<std::uint8_t>(kMajorVersion) != kVersion) {
    return;
  }
  std::size_t offset = at<std::uint32_t>(kEntryOffset);
  const auto count = at<std::uint32_t>(kEntryCount);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (offset > block.size() - kEntryHeadSize) {
      return;
    }
    const std::size_t length = at<std::uint32_t>(offset);
    if (length < kEntryHeadSize || length > block.size() - offset || !addEntry(offset, length)) {
      return;
    }
    offset += length;
  }
}

bool PerfData::addEntry(std::size_t offset, std::size_t length) {
  const std::size_t nameOffset = at<std::uint32_t>(offset + kNameOffset);
  const std::size_t vectorLength = at<std::uint32_t>(offset + kVectorLength);
  const std::size_t dataOffset = at<std::uint32_t>(offset + kDataOffset);
  const char type = at<char>(offset + kType);
  const std::size_t dataSize = vectorLength > 0 ? vectorLength : sizeof(std::int64_t);
  if (nameOffset >= length || dataOffset >= length || dataSize > length - dataOffset) {
    return false;
  }
  const auto* const name = reinterpret_cast<const char*>(block_.data() + offset + nameOffset);
  const std::size_t nameSize = strnlen(name, length - nameOffset);
  const std::size_t data = offset + dataOffset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(block_.data() + data) % 8 == 0;
  if (type == kLong && vectorLength == 0 && aligned) {
    entries_[{name, nameSize}] = {type, data, 0};
  } else if (type == kByte && vectorLength > 0) {
    entries_[{name, nameSize}] = {type, data, vectorLength};
  }
  return true;
}

const std::int64_t* PerfData::number(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.type != kLong) {
    return nullptr;
  }
  return reinterpret_cast<const std::int64_t*>(block_.data() + found->second.offset);
}

std::span<const char> PerfData::text(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.type != kByte) {
    return {};
  }
  return {reinterpret_cast<const char*>(block_.data() + found->second.offset),
          found->second.length};
}

}  // namespace hodor::signals
