#include "metrics/page.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace hodor::metrics {

namespace {

// A text: sequence and length, then the bytes.
constexpr std::size_t kTextHeader = 2 * sizeof(std::uint32_t);

constexpr std::size_t sizeOf(const FieldSpec& spec) {
  return spec.type == FieldType::kText ? (kTextHeader + spec.capacity + 7) / 8 * 8
                                       : sizeof(std::int64_t);
}

constexpr std::array<std::size_t, kFieldCount + 1> kOffsets = [] {
  std::array<std::size_t, kFieldCount + 1> offsets{};
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    offsets[i + 1] = offsets[i] + sizeOf(kFields[i]);
  }
  return offsets;
}();

constexpr std::string_view nameOf(FieldType type) {
  switch (type) {
    case FieldType::kInteger:
      return "i64";
    case FieldType::kReal:
      return "f64";
    case FieldType::kText:
      break;
  }
  return "text";
}

std::atomic_ref<std::int64_t> wordAt(std::byte* place) {
  return std::atomic_ref<std::int64_t>(*reinterpret_cast<std::int64_t*>(place));
}

std::atomic_ref<std::uint32_t> halfAt(std::byte* place) {
  return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(place));
}

// How many bytes of `text` fit without cutting a UTF-8 sequence.
std::size_t fitting(std::string_view text, std::size_t capacity) {
  if (text.size() <= capacity) {
    return text.size();
  }
  std::size_t length = capacity;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    --length;
  }
  return length;
}

}  // namespace

MetricsPage::MetricsPage() : bytes_(std::make_unique<std::byte[]>(size())) {}

std::size_t MetricsPage::size() { return kOffsets[kFieldCount]; }

std::byte* MetricsPage::at(Field field) const {
  return bytes_.get() + kOffsets[static_cast<std::size_t>(field)];
}

void MetricsPage::set(Field field, std::int64_t value) {
  wordAt(at(field)).store(value, std::memory_order_relaxed);
}

void MetricsPage::set(Field field, double value) { set(field, std::bit_cast<std::int64_t>(value)); }

void MetricsPage::set(Field field, std::string_view text) {
  std::byte* const place = at(field);
  const std::size_t length = fitting(text, kFields[static_cast<std::size_t>(field)].capacity);
  const auto sequence = halfAt(place);
  const auto size = halfAt(place + sizeof(std::uint32_t));
  std::byte* const bytes = place + kTextHeader;
  if (size.load(std::memory_order_relaxed) == length &&
      std::memcmp(bytes, text.data(), length) == 0) {
    return;
  }
  const std::uint32_t before = sequence.load(std::memory_order_relaxed);
  sequence.store(before + 1, std::memory_order_relaxed);
  // Release on every store of the text: a reader that sees one of them sees the odd number too.
  // (Not a fence: the thread sanitizer does not understand fences.)
  size.store(static_cast<std::uint32_t>(length), std::memory_order_release);
  for (std::size_t i = 0; i < length; ++i) {
    std::atomic_ref<std::byte>(bytes[i]).store(static_cast<std::byte>(text[i]),
                                               std::memory_order_release);
  }
  sequence.store(before + 2, std::memory_order_release);
}

std::int64_t MetricsPage::integer(Field field) const {
  return wordAt(at(field)).load(std::memory_order_relaxed);
}

double MetricsPage::real(Field field) const { return std::bit_cast<double>(integer(field)); }

std::string MetricsPage::text(Field field) const {
  std::byte* const place = at(field);
  const std::uint32_t capacity = kFields[static_cast<std::size_t>(field)].capacity;
  std::string copy;
  for (;;) {
    const std::uint32_t before = halfAt(place).load(std::memory_order_acquire);
    const std::uint32_t length =
        std::min(halfAt(place + sizeof(std::uint32_t)).load(std::memory_order_acquire), capacity);
    copy.resize(length);
    for (std::size_t i = 0; i < length; ++i) {
      copy[i] = static_cast<char>(
          std::atomic_ref<std::byte>(place[kTextHeader + i]).load(std::memory_order_acquire));
    }
    if ((before & 1U) == 0 && halfAt(place).load(std::memory_order_relaxed) == before) {
      return copy;
    }
  }
}

std::string MetricsPage::layout() {
  std::string lines;
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    lines.append("field ")
        .append(kFields[i].name)
        .append(" ")
        .append(nameOf(kFields[i].type))
        .append(" ")
        .append(std::to_string(kOffsets[i]))
        .append(" ")
        .append(std::to_string(kFields[i].capacity))
        .append("\n");
  }
  return lines;
}

}  // namespace hodor::metrics
