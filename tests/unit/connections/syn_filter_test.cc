#include "connections/syn_filter.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hodor::connections {
namespace {

constexpr std::uint8_t kSyn = 0x02;
constexpr std::uint8_t kAck = 0x10;
constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();

// As a listening socket's filter sees it: from the TCP header on, the IP header before it.
struct Packet {
  bool version6 = false;
  std::array<std::uint8_t, 16> source{};
  std::uint8_t flags = kSyn;
};

Packet from(const std::string& address, std::uint8_t flags = kSyn) {
  Packet packet;
  packet.version6 = address.find(':') != std::string::npos;
  packet.flags = flags;
  EXPECT_EQ(inet_pton(packet.version6 ? AF_INET6 : AF_INET, address.c_str(), packet.source.data()),
            1)
      << address;
  return packet;
}

std::vector<options::AddressRange> ranges(const std::vector<std::string>& texts) {
  std::vector<options::AddressRange> result;
  for (const std::string& text : texts) {
    result.push_back(options::AddressRange::parse(text).value());
  }
  return result;
}

std::uint32_t load(const Packet& packet, std::uint32_t at, std::uint32_t bytes,
                   std::uint32_t random) {
  const auto signedAt = static_cast<std::int32_t>(at);
  if (signedAt == SKF_AD_OFF + SKF_AD_RANDOM) {
    return random;
  }
  if (signedAt >= 0) {
    EXPECT_EQ(signedAt, 13);
    return packet.flags;
  }
  std::array<std::uint8_t, 40> header{};
  header[0] = packet.version6 ? 0x60 : 0x45;
  std::memcpy(&header[packet.version6 ? 8 : 12], packet.source.data(), packet.version6 ? 16 : 4);
  const auto offset = static_cast<std::size_t>(signedAt - SKF_NET_OFF);
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = value << 8U | header.at(offset + i);
  }
  return value;
}

// What the kernel would do: the instructions that the program may consist of.
bool passes(const std::vector<sock_filter>& program, const Packet& packet,
            std::uint32_t random = kLargest) {
  std::uint32_t a = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& step = program[at];
    switch (step.code) {
      case BPF_LD | BPF_B | BPF_ABS:
        a = load(packet, step.k, 1, random);
        break;
      case BPF_LD | BPF_W | BPF_ABS:
        a = load(packet, step.k, 4, random);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        a &= step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += a == step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        at += a > step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JA:
        at += step.k;
        break;
      case BPF_RET | BPF_K:
        return step.k != 0;
      default:
        ADD_FAILURE() << "instruction " << step.code;
        return false;
    }
  }
  ADD_FAILURE() << "ran out of the program";
  return false;
}

TEST(SynFilterTest, OnlyWhatAsksForAConnectionIsDropped) {
  const auto program = synFilter(0, {});
  EXPECT_FALSE(passes(program, from("10.1.2.3")));
  EXPECT_FALSE(passes(program, from("fd00::1")));
  for (const std::uint8_t flags : {std::uint8_t{kAck}, std::uint8_t{kSyn | kAck}, std::uint8_t{0},
                                   std::uint8_t{0x18}, std::uint8_t{0x04}, std::uint8_t{0x11}}) {
    EXPECT_TRUE(passes(program, from("10.1.2.3", flags))) << int{flags};
  }
  // With the flags of congestion notification, with which some clients ask.
  EXPECT_FALSE(passes(program, from("10.1.2.3", kSyn | 0xC0)));
}

TEST(SynFilterTest, TheShareIsThatOfTheRandomNumbers) {
  for (const double share : {0.02, 0.25, 0.5, 0.9}) {
    const auto program = synFilter(share, {});
    const auto edge = static_cast<std::uint32_t>(share * kLargest);
    EXPECT_TRUE(passes(program, from("10.1.2.3"), 0));
    EXPECT_TRUE(passes(program, from("10.1.2.3"), edge));
    EXPECT_FALSE(passes(program, from("10.1.2.3"), edge + 1));
  }
  EXPECT_TRUE(passes(synFilter(1, {}), from("10.1.2.3")));
}

TEST(SynFilterTest, ExemptSourcesAlwaysPass) {
  const auto exempt = ranges({"127.0.0.1", "10.0.0.0/8", "192.168.4.0/23", "::1", "fd00::/8",
                              "2001:db8:1:2::/63", "172.16.5.4/32"});
  const auto program = synFilter(0, exempt);
  for (const char* address :
       {"127.0.0.1", "10.0.0.0", "10.255.255.255", "192.168.4.0", "192.168.5.255", "172.16.5.4",
        "::1", "fd12:3456::1", "2001:db8:1:2::", "2001:db8:1:3:ffff::"}) {
    EXPECT_TRUE(passes(program, from(address))) << address;
  }
  for (const char* address :
       {"127.0.0.2", "9.255.255.255", "11.0.0.0", "192.168.3.255", "192.168.6.0", "172.16.5.5",
        "::2", "fc00::1", "2001:db8:1:1::", "2001:db8:1:4::", "::ffff:127.0.0.1"}) {
    EXPECT_FALSE(passes(program, from(address))) << address;
  }
}

TEST(SynFilterTest, ARangeOfAllExemptsItsVersionOnly) {
  const auto four = synFilter(0, ranges({"0.0.0.0/0"}));
  EXPECT_TRUE(passes(four, from("203.0.113.9")));
  EXPECT_FALSE(passes(four, from("2001:db8::1")));
  const auto six = synFilter(0, ranges({"::/0"}));
  EXPECT_FALSE(passes(six, from("203.0.113.9")));
  EXPECT_TRUE(passes(six, from("2001:db8::1")));
}

TEST(SynFilterTest, TheLargestOneFits) {
  std::vector<std::string> texts;
  for (int i = 0; i < 64; ++i) {
    texts.push_back("2001:db8::" + std::to_string(i + 1));
  }
  const auto program = synFilter(0, ranges(texts));
  EXPECT_LE(program.size(), std::size_t{BPF_MAXINSNS});
  EXPECT_TRUE(passes(program, from("2001:db8::64")));
  EXPECT_FALSE(passes(program, from("2001:db8::65")));
  EXPECT_FALSE(passes(program, from("127.0.0.1")));
}

}  // namespace
}  // namespace hodor::connections
