#include "connections/peer_address.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "connections/asking.h"

namespace hodor::connections {
namespace {

using signals::testing::listening;
using signals::testing::listeningDualStack;
using signals::testing::portOf;

std::string peerAt(const Descriptor& listener, const Descriptor& /*client*/) {
  const Descriptor accepted(accept(listener.number(), nullptr, nullptr));
  const auto address = peerAddress(accepted.number());
  return address ? address->text() : "none";
}

TEST(PeerAddressTest, OfIPv4) {
  const Descriptor listener = listening();
  EXPECT_EQ(peerAt(listener, asking(portOf(listener), "127.0.0.9")), "127.0.0.9");
}

TEST(PeerAddressTest, OfIPv4OnADualStackSocket) {
  const Descriptor listener = listeningDualStack();
  EXPECT_EQ(peerAt(listener, asking(portOf(listener), "127.0.0.9")), "127.0.0.9");
}

TEST(PeerAddressTest, OfIPv6) {
  const Descriptor listener = listeningDualStack();
  const Descriptor client(::socket(AF_INET6, SOCK_STREAM, 0));
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(portOf(listener));
  if (connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    GTEST_SKIP() << "no IPv6 on the loopback interface";
  }
  EXPECT_EQ(peerAt(listener, client), "::1");
}

TEST(PeerAddressTest, OfAnythingElseIsNone) {
  const Descriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(peerAddress(file.number()));
  EXPECT_FALSE(peerAddress(listening().number()));
  EXPECT_FALSE(peerAddress(-1));
}

}  // namespace
}  // namespace hodor::connections
