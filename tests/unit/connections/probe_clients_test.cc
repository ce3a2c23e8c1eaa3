#include "connections/probe_clients.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hodor::connections {
namespace {

using options::AddressRange;
using std::chrono::minutes;
using std::chrono::seconds;

AddressRange address(const std::string& text) { return *AddressRange::parse(text); }

std::vector<AddressRange> times(std::size_t count, const std::string& text) {
  return std::vector<AddressRange>(count, address(text));
}

class ProbeClientsTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> passing() const {
    std::vector<std::string> texts;
    for (const AddressRange& range : clients_.passing(now_)) {
      texts.push_back(range.text());
    }
    return texts;
  }

  Instant now_ = seconds(1000);
  ProbeClients clients_;
};

TEST_F(ProbeClientsTest, WhoAskedPassesUntilItIsForgotten) {
  EXPECT_TRUE(passing().empty());
  clients_.seen(address("10.0.0.1"), now_);
  clients_.seen(address("fd00::1"), now_);
  clients_.seen(address("10.0.0.1"), now_);
  EXPECT_EQ(passing(), (std::vector<std::string>{"10.0.0.1", "fd00::1"}));
  now_ += minutes(6);
  clients_.seen(address("fd00::1"), now_);
  now_ += minutes(6);
  EXPECT_EQ(passing(), std::vector<std::string>{"fd00::1"});
}

TEST_F(ProbeClientsTest, TheOldestGivesWay) {
  for (std::size_t i = 0; i < ProbeClients::kMost; ++i) {
    clients_.seen(address("10.0.0." + std::to_string(i)), now_ + seconds(i));
  }
  now_ += minutes(1);
  clients_.seen(address("10.0.1.0"), now_);
  const auto known = passing();
  EXPECT_EQ(known.size(), ProbeClients::kMost);
  EXPECT_EQ(std::count(known.begin(), known.end(), "10.0.0.0"), 0);
  EXPECT_EQ(std::count(known.begin(), known.end(), "10.0.1.0"), 1);
}

TEST_F(ProbeClientsTest, WhoHasManyConnectionsIsOneLikeAnyOtherUntilTheStormIsOver) {
  clients_.seen(address("10.0.0.1"), now_);
  clients_.seen(address("10.0.0.2"), now_);
  auto peers = times(400, "10.0.0.2");
  const auto few = times(4, "10.0.0.1");
  peers.insert(peers.end(), few.begin(), few.end());
  clients_.judge(peers);
  EXPECT_EQ(passing(), std::vector<std::string>{"10.0.0.1"});
  clients_.judge(few);
  EXPECT_EQ(passing(), std::vector<std::string>{"10.0.0.1"}) << "its connections are few now";
  clients_.stormIsOver();
  EXPECT_EQ(passing().size(), 2U);
}

TEST_F(ProbeClientsTest, AFewOfVeryFewAreNotMany) {
  clients_.seen(address("10.0.0.1"), now_);
  clients_.judge(times(4, "10.0.0.1"));
  EXPECT_EQ(passing().size(), 1U);
  clients_.judge(times(5, "10.0.0.1"));
  EXPECT_TRUE(passing().empty());
}

}  // namespace
}  // namespace hodor::connections
