#include "signals/unread_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/un.h>

#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "loopback.h"

namespace hodor::signals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Connection;
using testing::Descriptor;

// On loopback what was sent has arrived when the call returns. Each look is as long after the last
// one as it takes to look for listeners again.
class UnreadSourceTest : public ::testing::Test {
 protected:
  detectors::UnreadSample look(Duration later = seconds(10)) {
    now_ += later;
    const auto sample = source_.look(now_);
    EXPECT_TRUE(sample) << source_.lastError();
    return sample.value_or(detectors::UnreadSample{});
  }

  Instant now_ = seconds(100);
  UnreadSource source_;
};

TEST_F(UnreadSourceTest, AProcessThatDoesNotListenHasNoConnections) {
  const auto sample = look();
  EXPECT_EQ(sample.connections, 0);
  EXPECT_TRUE(sample.ages.empty());
  EXPECT_EQ(sample.acceptQueue, 0U);
}

TEST_F(UnreadSourceTest, ARequestIsSeenUntilItIsRead) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  const Connection silent(listener);
  EXPECT_TRUE(look().ages.empty());

  connection.send(100);
  const auto unread = look();
  EXPECT_EQ(unread.ages.size(), 1U);
  EXPECT_EQ(unread.connections, 2);
  EXPECT_EQ(unread.scale, 1);

  connection.read(60);
  EXPECT_EQ(look().ages.size(), 1U) << "a part of it is still unread";
  connection.read(40);
  EXPECT_TRUE(look().ages.empty());
}

TEST_F(UnreadSourceTest, ItsAgeGrowsAndIsThatOfTheLastData) {
  const Descriptor listener = testing::listening();
  const Connection old(listener);
  const Connection refreshed(listener);
  old.send(100);
  refreshed.send(100);
  const Duration before = look().ages.at(0);
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(milliseconds(40));
  refreshed.send(100);
  const auto sample = look();
  const Duration passed = std::chrono::steady_clock::now() - begin;
  ASSERT_EQ(sample.ages.size(), 2U);
  // The kernel counts in steps of its timer, at most 10 ms each.
  const Duration grown = sample.ages[0] - before;
  EXPECT_GE(grown, milliseconds(20));
  EXPECT_LE(grown, passed + milliseconds(20));
  EXPECT_LT(sample.ages[1], sample.ages[0]) << "the oldest comes first";
}

TEST_F(UnreadSourceTest, ReadingAPartDoesNotMakeItYounger) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  connection.send(100);
  std::this_thread::sleep_for(milliseconds(40));
  connection.read(50);
  EXPECT_GE(look().ages.at(0), milliseconds(20));
}

TEST_F(UnreadSourceTest, ALargeBodyIsNoRequest) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  connection.send(UnreadSource::kMostUnread);
  EXPECT_EQ(look().ages.size(), 1U);
  connection.send(1);
  EXPECT_TRUE(look().ages.empty());
  EXPECT_EQ(look().connections, 1);
}

TEST_F(UnreadSourceTest, AClientThatHasClosedIsOnlyCountedForWhatItSent) {
  const Descriptor listener = testing::listening();
  Connection gaveUp(listener);
  Connection idle(listener);
  gaveUp.send(100);
  gaveUp.client.close();
  idle.client.close();
  EXPECT_EQ(look().ages.size(), 1U) << "the server will work for it all the same";
  gaveUp.read(100);
  EXPECT_TRUE(look().ages.empty());
}

TEST_F(UnreadSourceTest, WhatTheProcessItselfHasAskedForIsNoRequest) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  ASSERT_EQ(write(connection.server.number(), "answer", 6), 6);
  const auto sample = look();
  EXPECT_TRUE(sample.ages.empty());
  EXPECT_EQ(sample.connections, 1) << "its other end is no connection to a listener";
}

TEST_F(UnreadSourceTest, CountsConnectionsThatNobodyHasAccepted) {
  const Descriptor listener = testing::listening();
  const Descriptor other = testing::listening();
  const Descriptor first = testing::connectedTo(portOf(listener));
  const Descriptor second = testing::connectedTo(portOf(listener));
  const Descriptor third = testing::connectedTo(portOf(other));
  EXPECT_EQ(look().acceptQueue, 3U);
  const Descriptor accepted(accept(listener.number(), nullptr, nullptr));
  const auto sample = look();
  EXPECT_EQ(sample.acceptQueue, 2U);
  EXPECT_EQ(sample.connections, 1);
}

TEST_F(UnreadSourceTest, BoundsTheAgeInTheAcceptQueueByWhenItWasLastEmpty) {
  const Descriptor listener = testing::listening();
  look();
  const Descriptor first = testing::connectedTo(portOf(listener));
  EXPECT_EQ(look(milliseconds(100)).acceptQueueFor, milliseconds(100));
  const Descriptor accepted(accept(listener.number(), nullptr, nullptr));
  const Descriptor second = testing::connectedTo(portOf(listener));
  EXPECT_EQ(look(milliseconds(100)).acceptQueueFor, milliseconds(200)) << "nobody saw it empty";
  const Descriptor again(accept(listener.number(), nullptr, nullptr));
  EXPECT_EQ(look(milliseconds(100)).acceptQueueFor, Duration::zero());
}

TEST_F(UnreadSourceTest, ListensToIPv6AndIPv4AtOnce) {
  const Descriptor listener = testing::listeningDualStack();
  const Connection connection(listener);
  connection.send(100);
  EXPECT_EQ(look().ages.size(), 1U);
}

TEST_F(UnreadSourceTest, OtherSocketsAreNotConnections) {
  const Descriptor listener = testing::listening();
  const std::uint16_t port = portOf(listener);
  // On the same port as the listener, as with HTTP/3.
  const Descriptor datagrams = testing::bound(SOCK_DGRAM, port);
  const Descriptor sender(::socket(AF_INET, SOCK_DGRAM, 0));
  const sockaddr_in to = testing::loopback(port);
  ASSERT_EQ(
      sendto(sender.number(), "hello", 5, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to), 5);
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  const Descriptor one(pair[0]);
  const Descriptor two(pair[1]);
  ASSERT_EQ(write(one.number(), "hello", 5), 5);
  ASSERT_EQ(pipe(pair), 0);
  const Descriptor end(pair[0]);
  const Descriptor begin(pair[1]);
  ASSERT_EQ(write(begin.number(), "hello", 5), 5);
  EXPECT_TRUE(look().ages.empty());
}

TEST_F(UnreadSourceTest, UnixListenersAreLeftAlone) {
  const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Autobind: an abstract name that the kernel chooses.
  ASSERT_EQ(bind(listener.number(), reinterpret_cast<sockaddr*>(&address), sizeof(sa_family_t)), 0);
  ASSERT_EQ(listen(listener.number(), 5), 0);
  socklen_t size = sizeof address;
  ASSERT_EQ(getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const Descriptor client(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(connect(client.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(look().acceptQueue, 0U);
}

TEST_F(UnreadSourceTest, AListenerThatOpensLaterIsFound) {
  look();
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  connection.send(100);
  look(milliseconds(100));
  EXPECT_EQ(look(seconds(1)).ages.size(), 1U);
}

TEST_F(UnreadSourceTest, AListenerThatClosesIsForgotten) {
  Descriptor listener = testing::listening();
  const Connection connection(listener);
  const Descriptor waiting = testing::connectedTo(portOf(listener));
  connection.send(100);
  EXPECT_EQ(look().acceptQueue, 1U);
  listener.close();
  EXPECT_EQ(look(milliseconds(100)).acceptQueue, 0U);
  EXPECT_TRUE(look(seconds(1)).ages.empty());
}

TEST_F(UnreadSourceTest, ANumberThatBelongsToAFileNowIsLeftAlone) {
  Descriptor listener = testing::listening();
  Connection connection(listener);
  connection.send(100);
  ASSERT_EQ(look().ages.size(), 1U);

  const int server = connection.server.number();
  const int queue = listener.number();
  const Descriptor file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const off_t position = lseek(file.number(), 10, SEEK_SET);
  ASSERT_EQ(dup2(file.number(), server), server);
  ASSERT_EQ(dup2(file.number(), queue), queue);
  const auto sample = look(milliseconds(100));
  EXPECT_TRUE(sample.ages.empty());
  EXPECT_EQ(sample.acceptQueue, 0U);
  EXPECT_EQ(sample.connections, 0);
  EXPECT_EQ(lseek(file.number(), 0, SEEK_CUR), position) << "nobody has read from it";
}

TEST_F(UnreadSourceTest, NeitherReadsNorChangesNorKeepsADescriptor) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  connection.send(100);
  const Descriptor probe(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int flags = fcntl(connection.server.number(), F_GETFL);
  for (int i = 0; i < 3; ++i) {
    look();
  }
  EXPECT_EQ(fcntl(connection.server.number(), F_GETFL), flags);
  const Descriptor next(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(next.number(), probe.number() + 1) << "no descriptor was left open";
  pollfd readable{.fd = connection.server.number(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&readable, 1, 0), 1);
  connection.read(100);
}

TEST_F(UnreadSourceTest, NewDescriptorsCountAtOnce) {
  const Descriptor listener = testing::listening();
  look();
  std::vector<Connection> connections;
  for (int i = 0; i < 100; ++i) {
    connections.emplace_back(listener).send(100);
  }
  const auto sample = look(milliseconds(100));
  EXPECT_EQ(sample.ages.size(), 100U);
  EXPECT_EQ(sample.connections, 100);
}

TEST_F(UnreadSourceTest, ADescriptorBehindAGapIsFound) {
  const Descriptor listener = testing::listening();
  const Connection connection(listener);
  connection.send(100);
  look();
  const Descriptor far(fcntl(connection.server.number(), F_DUPFD_CLOEXEC, 900));
  EXPECT_EQ(look(milliseconds(100)).ages.size(), 1U);
  EXPECT_EQ(look(seconds(20)).ages.size(), 2U);
}

TEST_F(UnreadSourceTest, OfManyDescriptorsAPartIsScaled) {
  const Descriptor listener = testing::listening();
  std::vector<Connection> connections;
  for (int i = 0; i < 200; ++i) {
    connections.emplace_back(listener).send(100);
  }
  UnreadSource few("/proc/self", 50);
  now_ += seconds(10);
  ASSERT_TRUE(few.look(now_));
  std::size_t seen = 0;
  double scale = 0;
  // A round of looks sees each connection once.
  const auto parts = static_cast<int>(few.look(now_ += milliseconds(100))->scale);
  ASSERT_GE(parts, 400 / 50);
  for (int i = 0; i < parts; ++i) {
    const auto sample = few.look(now_ += milliseconds(100));
    ASSERT_TRUE(sample);
    EXPECT_LE(sample->ages.size(), 50U);
    EXPECT_NEAR(static_cast<double>(sample->ages.size()) * sample->scale, 200, 100);
    seen += sample->ages.size();
    scale = sample->scale;
  }
  EXPECT_EQ(scale, parts);
  EXPECT_EQ(seen, 200U);
}

// Of all processes, one that has run out of descriptors by its connections is to be watched.
TEST_F(UnreadSourceTest, AProcessOutOfDescriptorsIsStillWatched) {
  const Descriptor listener = testing::listening();
  look();
  const Connection connection(listener);
  connection.send(100);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto sample = source_.look(now_ + seconds(30));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->ages.size(), 1U);
}

TEST_F(UnreadSourceTest, WithoutAListOfDescriptorsNothingIsKnown) {
  UnreadSource source("/proc/no-such-process");
  EXPECT_FALSE(source.look(seconds(1)));
  EXPECT_NE(source.lastError().find("/proc/no-such-process/fd"), std::string::npos);
}

}  // namespace
}  // namespace hodor::signals
