// Real sockets and the real kernel. A filter on a TCP socket may need a privilege: without it most
// of this is skipped.
#include "connections/connection_gate.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <sys/un.h>

#include <array>
#include <chrono>
#include <thread>

#include "connections/asking.h"
#include "connections/syn_filter.h"
#include "signals/loopback.h"

namespace hodor::connections {
namespace {

using signals::testing::bound;
using signals::testing::connectedTo;
using signals::testing::Connection;
using signals::testing::listening;
using signals::testing::listeningDualStack;
using signals::testing::portOf;

socklen_t filterLength(const Descriptor& socket) {
  socklen_t length = 0;
  getsockopt(socket.number(), SOL_SOCKET, SO_GET_FILTER, nullptr, &length);
  return length;
}

bool attach(const Descriptor& socket) {
  auto program = synFilter(1, {});
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  return setsockopt(socket.number(), SOL_SOCKET, SO_ATTACH_FILTER, &whole, sizeof whole) == 0;
}

bool connects(std::uint16_t port, const char* source = "127.0.0.2") {
  return isConnected(asking(port, source));
}

class ConnectionGateTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!attach(listening())) {
      GTEST_SKIP() << "this kernel does not let us filter a TCP socket (CAP_NET_ADMIN)";
    }
  }

  double limit(double passing, std::vector<int> listeners) {
    return gate_.limit(passing, listeners, exempt_);
  }

  std::vector<options::AddressRange> exempt_ = options::AddressRange::loopback();
  ConnectionGate gate_;
};

TEST_F(ConnectionGateTest, DropsNewConnectionsAndCountsThem) {
  const Descriptor listener = listening();
  const std::uint16_t port = portOf(listener);
  EXPECT_TRUE(connects(port));
  EXPECT_EQ(limit(0, {listener.number()}), 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(connects(port));
  }
  EXPECT_EQ(gate_.dropped(), 5U);
  EXPECT_TRUE(connects(port, "127.0.0.1")) << "exempt";
  gate_.open();
  EXPECT_TRUE(connects(port));
  EXPECT_EQ(filterLength(listener), 0U);
  EXPECT_EQ(gate_.dropped(), 5U) << "what was dropped stays counted";
}

TEST_F(ConnectionGateTest, AShareOfThemPasses) {
  const Descriptor listener = listening(4096);
  EXPECT_EQ(limit(0.5, {listener.number()}), 0.5);
  int connected = 0;
  constexpr int kAll = 400;
  for (int i = 0; i < kAll; ++i) {
    connected += connects(portOf(listener)) ? 1 : 0;
  }
  // Six standard deviations.
  EXPECT_GT(connected, kAll / 2 - 60);
  EXPECT_LT(connected, kAll / 2 + 60);
  EXPECT_EQ(gate_.dropped(), static_cast<std::uint64_t>(kAll - connected));
}

TEST_F(ConnectionGateTest, WhoIsExemptMayChangeWhileTheShareDoesNot) {
  const Descriptor listener = listening();
  limit(0, {listener.number()});
  EXPECT_FALSE(connects(portOf(listener), "127.0.0.7"));
  exempt_.push_back(*options::AddressRange::parse("127.0.0.7"));
  limit(0, {listener.number()});
  EXPECT_TRUE(connects(portOf(listener), "127.0.0.7"));
  EXPECT_FALSE(connects(portOf(listener)));
  exempt_.pop_back();
  limit(0, {listener.number()});
  EXPECT_FALSE(connects(portOf(listener), "127.0.0.7"));
}

TEST_F(ConnectionGateTest, ConnectionsThatExistAreNotDisturbed) {
  const Descriptor listener = listening();
  const Connection before(listener);
  exempt_ = {*options::AddressRange::parse("127.0.0.1")};
  limit(0, {listener.number()});
  before.send(100);
  before.read(100);
  // One that inherits the filter.
  const Connection during(listener);
  during.send(100'000);
  during.read(10'000);
}

TEST_F(ConnectionGateTest, IPv4IsExemptOnADualStackSocketToo) {
  const Descriptor listener = listeningDualStack();
  limit(0, {listener.number()});
  EXPECT_FALSE(connects(portOf(listener)));
  EXPECT_TRUE(connects(portOf(listener), "127.0.0.1"));
}

TEST_F(ConnectionGateTest, AFilterOfSomebodyElseIsLeftAlone) {
  const Descriptor listener = listening();
  ASSERT_TRUE(attach(listener));
  const socklen_t theirs = filterLength(listener);
  EXPECT_EQ(limit(0, {listener.number()}), 1);
  EXPECT_NE(gate_.why().find("filter of somebody else"), std::string::npos) << gate_.why();
  gate_.open();
  EXPECT_EQ(filterLength(listener), theirs);
  EXPECT_TRUE(connects(portOf(listener)));
}

TEST_F(ConnectionGateTest, ALockedFilterIsSaidToBeRefused) {
  const Descriptor listener = listening();
  const int on = 1;
  ASSERT_EQ(setsockopt(listener.number(), SOL_SOCKET, SO_LOCK_FILTER, &on, sizeof on), 0);
  EXPECT_EQ(limit(0, {listener.number()}), 1);
  EXPECT_NE(gate_.why().find("refuses"), std::string::npos) << gate_.why();
}

TEST_F(ConnectionGateTest, SocketsThatAreNotWantedAnyMoreAreFreed) {
  const Descriptor one = listening();
  const Descriptor other = listening();
  limit(0, {one.number(), other.number()});
  EXPECT_FALSE(connects(portOf(one)));
  EXPECT_FALSE(connects(portOf(other)));
  limit(0, {other.number()});
  EXPECT_TRUE(connects(portOf(one)));
  EXPECT_FALSE(connects(portOf(other)));
  EXPECT_EQ(gate_.dropped(), 3U);
}

TEST_F(ConnectionGateTest, ASocketThatCameLaterIsLimitedToo) {
  const Descriptor one = listening();
  limit(0, {one.number()});
  const Descriptor later = listening();
  limit(0, {one.number(), later.number()});
  EXPECT_FALSE(connects(portOf(later)));
}

TEST_F(ConnectionGateTest, TheNumberOfAClosedSocketMayBeAnotherSocketsNow) {
  Descriptor first = listening();
  const int number = first.number();
  limit(0, {number});
  first.close();
  const Descriptor second = listening();
  ASSERT_EQ(second.number(), number) << "the lowest free number";
  ASSERT_TRUE(attach(second));
  const socklen_t theirs = filterLength(second);
  gate_.open();
  EXPECT_EQ(filterLength(second), theirs);
}

TEST_F(ConnectionGateTest, WhatIsNoListeningTcpSocketIsLeftAlone) {
  const Descriptor listener = listening();
  const Connection connection(listener);
  const Descriptor datagrams = bound(SOCK_DGRAM);
  const Descriptor file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(limit(0, {connection.server.number(), datagrams.number(), file.number(), -1, 100'000}),
            1);
  EXPECT_EQ(filterLength(connection.server), 0U);
  EXPECT_EQ(filterLength(datagrams), 0U);
  EXPECT_EQ(gate_.why(), "");
}

TEST_F(ConnectionGateTest, NothingStaysWhenTheGateIsGone) {
  const Descriptor listener = listening();
  {
    ConnectionGate gate;
    gate.limit(0, std::array{listener.number()}, {});
    EXPECT_NE(filterLength(listener), 0U);
  }
  EXPECT_EQ(filterLength(listener), 0U);
}

TEST_F(ConnectionGateTest, NoDescriptorIsLost) {
  const Descriptor listener = listening();
  const auto next = [] { return Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)).number(); };
  const int before = next();
  for (int i = 0; i < 100; ++i) {
    limit(i % 2 == 0 ? 0.5 : 0.1, {listener.number()});
    static_cast<void>(gate_.dropped());
    gate_.open();
  }
  EXPECT_EQ(next(), before);
}

}  // namespace
}  // namespace hodor::connections
