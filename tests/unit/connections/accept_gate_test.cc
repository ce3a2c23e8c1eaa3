#include "connections/accept_gate.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/un.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "connections/accepting_library.h"
#include "connections/asking.h"
#include "connections/imported_function.h"

namespace hodor::connections {
namespace {

using signals::testing::listening;
using signals::testing::portOf;

constexpr const char* kStranger = "127.0.0.2";

void* targetOfAccept() { return ImportedFunction::find("/libnio.so", "accept")->target(); }

bool isReset(const Descriptor& client) {
  char byte = 0;
  return recv(client.number(), &byte, 1, 0) < 0 && errno == ECONNRESET;
}

class AcceptGateTest : public testing::Test {
 protected:
  AcceptGateTest() {
    fcntl(listener_.number(), F_SETFL, O_NONBLOCK);
    ports_.add(portOf(listener_));
  }

  // Whether the library gets a connection from there.
  bool accepts(const char* source, const Descriptor& listener) {
    const Descriptor client = asking(portOf(listener), source);
    const int accepted = acceptOn(listener.number());
    if (accepted < 0) {
      EXPECT_EQ(errno, EAGAIN);
      EXPECT_TRUE(isReset(client));
      return false;
    }
    close(accepted);
    return true;
  }
  bool accepts(const char* source) { return accepts(source, listener_); }

  double limit(double passing) { return gate_.limit(passing, exempt_); }

  void* const before_ = targetOfAccept();
  Descriptor listener_ = listening();
  std::vector<options::AddressRange> exempt_ = options::AddressRange::loopback();
  ServedPorts ports_;
  AcceptGate gate_{ports_};
};

TEST_F(AcceptGateTest, ResetsNewConnectionsAndCountsThem) {
  const std::uint64_t dropped = AcceptGate::dropped();
  EXPECT_TRUE(accepts(kStranger));
  EXPECT_EQ(limit(0), 0) << gate_.why();
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(accepts(kStranger));
  }
  EXPECT_EQ(AcceptGate::dropped() - dropped, 5U);
  EXPECT_TRUE(accepts("127.0.0.1")) << "exempt";
  gate_.open();
  EXPECT_TRUE(accepts(kStranger));
  EXPECT_EQ(AcceptGate::dropped() - dropped, 5U);
}

TEST_F(AcceptGateTest, TheShareIsExactOverFewConnections) {
  EXPECT_EQ(limit(0.25), 0.25);
  int accepted = 0;
  for (int i = 0; i < 40; ++i) {
    accepted += accepts(kStranger) ? 1 : 0;
  }
  EXPECT_GE(accepted, 8);
  EXPECT_LE(accepted, 12);
}

TEST_F(AcceptGateTest, WhoWaitsForAConnectionIsGivenOneThatPasses) {
  fcntl(listener_.number(), F_SETFL, 0);
  limit(0);
  int accepted = -1;
  std::thread acceptor([&] { accepted = acceptOn(listener_.number()); });
  const Descriptor first = asking(portOf(listener_), kStranger);
  const Descriptor second = asking(portOf(listener_), kStranger);
  const Descriptor exempt = asking(portOf(listener_), "127.0.0.1");
  acceptor.join();
  EXPECT_TRUE(isReset(first));
  EXPECT_TRUE(isReset(second));
  ASSERT_GE(accepted, 0);
  EXPECT_EQ(write(accepted, "x", 1), 1);
  close(accepted);
  char byte = 0;
  EXPECT_EQ(recv(exempt.number(), &byte, 1, 0), 1);
}

TEST_F(AcceptGateTest, OtherPortsAndOtherSocketsPass) {
  limit(0);
  const Descriptor management = listening();
  EXPECT_TRUE(accepts(kStranger, management));

  Descriptor local(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // In no folder: an abstract name that the kernel picks.
  ASSERT_EQ(bind(local.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(sa_family_t)),
            0);
  ASSERT_EQ(listen(local.number(), 1), 0);
  socklen_t size = sizeof address;
  getsockname(local.number(), reinterpret_cast<sockaddr*>(&address), &size);
  const Descriptor client(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(connect(client.number(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  const int accepted = acceptOn(local.number());
  EXPECT_GE(accepted, 0);
  close(accepted);
}

TEST_F(AcceptGateTest, NothingStaysWhenTheGateOpens) {
  limit(0.5);
  EXPECT_NE(targetOfAccept(), before_);
  gate_.open();
  EXPECT_EQ(targetOfAccept(), before_);
  gate_.open();
  EXPECT_EQ(limit(1), 1);
  EXPECT_EQ(targetOfAccept(), before_);
}

TEST_F(AcceptGateTest, AnErrorIsHandedOn) {
  limit(0);
  EXPECT_EQ(acceptOn(-1), -1);
  EXPECT_EQ(errno, EBADF);
}

// Under the feet of threads that accept.
TEST_F(AcceptGateTest, MayComeAndGoWhileConnectionsAreAccepted) {
  fcntl(listener_.number(), F_SETFL, 0);
  constexpr int kConnections = 2'000;
  int accepted = 0;
  std::thread acceptor([&] {
    // The last one is exempt.
    for (bool last = false; !last;) {
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      const int connection = acceptOn(listener_.number());
      getpeername(connection, reinterpret_cast<sockaddr*>(&peer), &size);
      last = peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
      accepted += last ? 0 : 1;
      close(connection);
    }
  });
  const std::uint64_t dropped = AcceptGate::dropped();
  for (int i = 0; i < kConnections; ++i) {
    i % 3 == 0 ? gate_.open() : static_cast<void>(limit(0.5));
    const Descriptor client = asking(portOf(listener_), kStranger);
  }
  const Descriptor last = asking(portOf(listener_), "127.0.0.1");
  acceptor.join();
  // One whose client was gone before may be neither.
  EXPECT_LE(accepted + static_cast<int>(AcceptGate::dropped() - dropped), kConnections);
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace hodor::connections
