#include "connections/abandoned.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "signals/loopback.h"

namespace hodor::connections {
namespace {

using options::Abandoned;
using signals::testing::bound;
using signals::testing::Connection;
using signals::testing::Descriptor;
using signals::testing::listening;

void reset(Descriptor& socket) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket.number(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  socket.close();
}

TEST(AbandonedTest, AClientThatWaitsIsThere) {
  const Descriptor listener = listening();
  const Connection connection(listener);
  connection.send(10);
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kClosed));
  connection.read(10);
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kClosed));
}

TEST(AbandonedTest, AClosedConnectionIsOnlyGoneIfThatCounts) {
  const Descriptor listener = listening();
  Connection connection(listener);
  connection.send(10);
  connection.client.close();
  EXPECT_TRUE(isAbandoned(connection.server.number(), Abandoned::kClosed));
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kReset));
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kNone));
}

TEST(AbandonedTest, AHalfClosedConnectionLooksTheSame) {
  const Descriptor listener = listening();
  const Connection connection(listener);
  connection.send(10);
  shutdown(connection.client.number(), SHUT_WR);
  EXPECT_TRUE(isAbandoned(connection.server.number(), Abandoned::kClosed));
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kReset));
}

TEST(AbandonedTest, AResetConnectionIsGone) {
  const Descriptor listener = listening();
  Connection connection(listener);
  connection.send(10);
  reset(connection.client);
  EXPECT_TRUE(isAbandoned(connection.server.number(), Abandoned::kClosed));
  EXPECT_TRUE(isAbandoned(connection.server.number(), Abandoned::kReset));
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kNone));
}

TEST(AbandonedTest, ARequestThatArrivedLongAgoIs) {
  const Descriptor listener = listening();
  const Connection connection(listener);
  connection.send(10);
  std::this_thread::sleep_for(std::chrono::milliseconds(550));
  EXPECT_TRUE(isAbandoned(connection.server.number(), Abandoned::kReset));
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kNone));
  // The next request on it is a new one.
  connection.send(10);
  EXPECT_FALSE(isAbandoned(connection.server.number(), Abandoned::kReset));
}

TEST(AbandonedTest, OfAnythingElseNothingIsKnown) {
  const Descriptor listener = listening();
  const Descriptor datagrams = bound(SOCK_DGRAM);
  for (const int descriptor : {listener.number(), datagrams.number(), -1, 100'000}) {
    EXPECT_FALSE(isAbandoned(descriptor, Abandoned::kClosed)) << descriptor;
  }
}

}  // namespace
}  // namespace hodor::connections
