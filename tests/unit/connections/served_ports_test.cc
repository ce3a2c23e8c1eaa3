#include "connections/served_ports.h"

#include <gtest/gtest.h>

namespace hodor::connections {
namespace {

TEST(ServedPortsTest, KnowsWhatWasAddedAndNotRemoved) {
  ServedPorts ports;
  EXPECT_FALSE(ports.contains(8080));
  ports.add(8080);
  ports.add(8080);
  ports.add(8443);
  EXPECT_TRUE(ports.contains(8080));
  ports.remove(8080);
  ports.remove(1);
  EXPECT_FALSE(ports.contains(8080));
  EXPECT_TRUE(ports.contains(8443));
}

TEST(ServedPortsTest, IsBounded) {
  ServedPorts ports;
  for (std::uint16_t port = 1; port <= 1000; ++port) {
    ports.add(port);
  }
  EXPECT_TRUE(ports.contains(1));
  EXPECT_FALSE(ports.contains(1000));
}

}  // namespace
}  // namespace hodor::connections
