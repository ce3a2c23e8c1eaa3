#include "signals/opened_connections_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_files.h"
#include "loopback.h"

namespace hodor::signals {
namespace {

using ::testing::HasSubstr;

class OpenedConnectionsSourceTest : public ::testing::Test {
 protected:
  void snmp(const std::string& tcp) const {
    files_.write("net/snmp", "Ip: Forwarding DefaultTTL\nIp: 1 64\nIcmp: InMsgs\nIcmp: 7\n" + tcp +
                                 "Udp: InDatagrams\nUdp: 9\n");
  }

  const FakeFiles files_;
  OpenedConnectionsSource source_{files_.root()};
};

TEST_F(OpenedConnectionsSourceTest, FindsTheNumberUnderItsNameWhereverItStands) {
  snmp("Tcp: RtoAlgorithm ActiveOpens PassiveOpens AttemptFails\nTcp: 1 11 22 33\n");
  EXPECT_EQ(source_.read(), 22U);
  snmp("Tcp: PassiveOpens ActiveOpens\nTcp: 44 55\n");
  EXPECT_EQ(source_.read(), 44U);
}

TEST_F(OpenedConnectionsSourceTest, SaysWhatIsMissing) {
  EXPECT_FALSE(source_.read());
  EXPECT_THAT(source_.lastError(), HasSubstr("net/snmp"));
  for (const char* const broken :
       {"", "Tcp: ActiveOpens\nTcp: 1\n", "Tcp: ActiveOpens PassiveOpens\nTcp: 1\n",
        "Tcp: PassiveOpens\n", "Tcp: PassiveOpens\nTcp: many\n"}) {
    snmp(broken);
    EXPECT_FALSE(source_.read()) << broken;
    EXPECT_THAT(source_.lastError(), HasSubstr("PassiveOpens")) << broken;
  }
}

TEST(OpenedConnections, TheKernelCountsThem) {
  OpenedConnectionsSource source;
  const auto before = source.read();
  ASSERT_TRUE(before) << source.lastError();
  const testing::Descriptor listener = testing::listening();
  const testing::Connection connection(listener);
  EXPECT_GE(*source.read(), *before + 1);
}

}  // namespace
}  // namespace hodor::signals
