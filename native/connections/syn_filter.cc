#include "connections/syn_filter.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace hodor::connections {

namespace {

// The packet of a TCP socket's filter begins with the TCP header; the IP header is reached by
// SKF_NET_OFF, whose 32 bits are negative.
constexpr std::uint32_t kFlags = 13;
constexpr std::uint32_t kSyn = 0x02;
constexpr std::uint32_t kAck = 0x10;
constexpr auto kIp = static_cast<std::uint32_t>(SKF_NET_OFF);
constexpr auto kAncillary = static_cast<std::uint32_t>(SKF_AD_OFF);
constexpr std::uint32_t kSource4 = 12;
constexpr std::uint32_t kSource6 = 8;
constexpr std::uint32_t kVersionMask = 0xF0;
constexpr std::uint32_t kVersion4 = 0x40;
constexpr std::uint32_t kPass = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kDrop = 0;
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kWordBits = 32;
// Of the comparison with one word: load, mask, compare.
constexpr std::uint32_t kPerWord = 3;

using Program = std::vector<sock_filter>;

void add(Program& program, std::uint16_t code, std::uint32_t k, std::uint32_t ifTrue = 0,
         std::uint32_t ifFalse = 0) {
  program.push_back(
      {code, static_cast<std::uint8_t>(ifTrue), static_cast<std::uint8_t>(ifFalse), k});
}

// Passes what comes from the range, goes on otherwise.
void addExempt(Program& program, const options::AddressRange& range) {
  const std::uint32_t at = kIp + (range.version6 ? kSource6 : kSource4);
  const auto bits = static_cast<std::uint32_t>(range.prefix);
  const std::uint32_t words = (bits + kWordBits - 1) / kWordBits;
  for (std::uint32_t word = 0; word < words; ++word) {
    const std::uint32_t inWord = std::min(bits - word * kWordBits, kWordBits);
    const std::uint32_t mask = kPass << (kWordBits - inWord);
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < kWordBytes; ++i) {
      value = value << 8U | range.bytes[word * kWordBytes + i];
    }
    add(program, BPF_LD | BPF_W | BPF_ABS, at + word * kWordBytes);
    add(program, BPF_ALU | BPF_AND | BPF_K, mask);
    // Past the rest of the words and the verdict.
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, kPerWord * (words - word - 1) + 1);
  }
  add(program, BPF_RET | BPF_K, kPass);
}

Program exempting(std::span<const options::AddressRange> exempt, bool version6) {
  Program program;
  for (const options::AddressRange& range : exempt) {
    if (range.version6 == version6) {
      addExempt(program, range);
    }
  }
  return program;
}

}  // namespace

std::vector<sock_filter> synFilter(double passing, std::span<const options::AddressRange> exempt) {
  Program program;
  add(program, BPF_LD | BPF_B | BPF_ABS, kFlags);
  add(program, BPF_ALU | BPF_AND | BPF_K, kSyn | kAck);
  add(program, BPF_JMP | BPF_JEQ | BPF_K, kSyn, 1, 0);
  add(program, BPF_RET | BPF_K, kPass);

  const Program four = exempting(exempt, false);
  const Program six = exempting(exempt, true);
  add(program, BPF_LD | BPF_B | BPF_ABS, kIp);
  add(program, BPF_ALU | BPF_AND | BPF_K, kVersionMask);
  add(program, BPF_JMP | BPF_JEQ | BPF_K, kVersion4, 1, 0);
  // The jump of a comparison reaches no further than 255.
  add(program, BPF_JMP | BPF_JA, static_cast<std::uint32_t>(four.size()) + 1);
  program.insert(program.end(), four.begin(), four.end());
  add(program, BPF_JMP | BPF_JA, static_cast<std::uint32_t>(six.size()));
  program.insert(program.end(), six.begin(), six.end());

  const auto threshold = static_cast<std::uint32_t>(std::clamp(passing, 0.0, 1.0) * kPass);
  add(program, BPF_LD | BPF_W | BPF_ABS, kAncillary + SKF_AD_RANDOM);
  add(program, BPF_JMP | BPF_JGT | BPF_K, threshold, 0, 1);
  add(program, BPF_RET | BPF_K, kDrop);
  add(program, BPF_RET | BPF_K, kPass);
  return program;
}

}  // namespace hodor::connections
