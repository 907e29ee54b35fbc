// Who queries, with a switch under it whose worker is the test.
#include "control/querier/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "config/loader.h"
#include "dataplane/shard.h"
#include "tests/support/membership_octets.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using test::Octets;

constexpr uint32_t group = 0xE1010203;

config::Configuration configuration_of(const std::string& multicast, const std::string& more) {
    auto configuration = config::load_text(
        fmt::format("ports:\n"
                    "- {{name: p0, device: 'null:0'}}\n"
                    "- {{name: p1, device: 'null:1'}}\n"
                    "- {{name: p2, device: 'null:2', vlan: {{mode: trunk, allowed: [1, 7, 10]}}}}\n"
                    "{}multicast: {{{}}}\n",
                    more, multicast),
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    for (PortIndex port = 0; port < 3; ++port) {
        configuration->settings.ports[port].address = {0x02000000000AU + port};
    }
    return *configuration;
}

class QuerierManagerTest : public testing::Test {
  protected:
    void start(const std::string& multicast, const std::string& more = "") {
        configuration = configuration_of(multicast, more);
        dataplane = std::make_unique<Switch>(configuration.settings);
        for (PortIndex port = 0; port < 3; ++port) dataplane->set_link(port, true);
        manager = std::make_unique<QuerierManager>(*dataplane, configuration, now, recorded.sink);
    }
    void receive(PortIndex port, const Octets& network, MacAddress to) {
        Octets& octets = octets_.emplace_back(test::framed(network, to, test::station(port)));
        octets.resize(std::max<std::size_t>(octets.size(), 64));
        Frame frame{.handle = &octets,
                    .data = octets.data(),
                    .length = static_cast<uint16_t>(octets.size())};
        dataplane->shard(0).receive(port, std::span(&frame, 1), now, released_);
        released_.clear();
    }
    void hear_query(PortIndex port, uint32_t from) {
        receive(port, test::igmp(test::igmp_query, 0, {.from = from, .to = 0xE0000001}),
                {0x01005E000001});
    }
    void leave(PortIndex port, uint32_t which = group) {
        receive(port, test::igmp(test::igmp_leave, which, {.to = 0xE0000002}), {0x01005E000002});
    }
    // Returns the queries of each port in so many turns of 100 ms: `1 v10` is a general query of
    // IGMP at port 1 with the tag of VLAN 10, `6` one of MLD, `?` one of a group.
    std::string sent(int turns = 1) {
        std::string text;
        for (int turn = 0; turn < turns; ++turn) {
            manager->tick(now);
            for (PortIndex port = 0; port < 3; ++port) text += sent_by(port);
            now += 100_ms;
        }
        events = recorded.take();
        return text.empty() ? text : text.substr(1);
    }
    std::string sent_by(PortIndex port) {
        std::string text;
        Shard& shard = dataplane->shard_of(port);
        for (auto octets = shard.control_frame(port); !octets.empty();
             octets = shard.control_frame(port)) {
            const bool tagged = read_16(&octets[12]) == 0x8100;
            const auto network = octets.subspan(tagged ? 18 : 14);
            const MembershipMessage read = read_membership(network);
            EXPECT_EQ(read.kind, MembershipMessage::Kind::query);
            EXPECT_EQ(read_address(&octets[6]), (MacAddress{0x02000000000A}));
            const bool of_all = network[0] >> 4 == 6 || read_32(&network[16]) == 0xE0000001;
            text += fmt::format(" {}{}{}{}", port, of_all ? "" : "?",
                                read.protocol == GroupProtocol::mld ? "6" : "",
                                tagged ? fmt::format("v{}", read_16(&octets[14]) & 0xFFF) : "");
            shard.control_frame_sent(port);
        }
        return text;
    }

    Nanos now = 1000_s;
    config::Configuration configuration;
    std::unique_ptr<Switch> dataplane;
    RecordedEvents recorded;
    std::unique_ptr<QuerierManager> manager;
    std::vector<RecordedEvents::Row> events;  // of the last `sent`

  private:
    std::list<Octets> octets_;
    Released released_;
};

TEST_F(QuerierManagerTest, AsksAllPortsOfItsVlansEachWithItsTag) {
    start("snooping: [igmp, mld], querier: {vlans: [1, 10], interval: 20s}",
          "vlans: [{id: 1, ports: [p0]}, {id: 10, ports: [p1]}]\n");
    EXPECT_EQ(sent(4), "0 06 1v10 16v10 2v1 26v1 2v10 26v10")
        << "no more than two of a port a turn";
    EXPECT_EQ(sent(45), "") << "the second follows after a quarter of the interval";
    EXPECT_NE(sent(4), "");
}

TEST_F(QuerierManagerTest, AsksNobodyWhereItIsNotTo) {
    start("snooping: [igmp]");
    EXPECT_EQ(sent(3), "");
    hear_query(1, 1);
    manager->tick(now);
    EXPECT_TRUE(manager->networks().empty());
}

TEST_F(QuerierManagerTest, GivesWayToWhomItHears) {
    start("snooping: [igmp], querier: {vlans: [1], address: 192.0.2.5, interval: 20s}");
    EXPECT_EQ(sent(), "0 1 2v1");
    hear_query(1, 0xC0000206);
    hear_query(1, 0);
    EXPECT_EQ(sent(), "");
    EXPECT_TRUE(events.empty());
    hear_query(1, 0xC0000204);
    EXPECT_EQ(sent(), "");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "querier_other");
    EXPECT_EQ(events[0].port, "1");
    EXPECT_EQ(events[0].text, "IGMP in VLAN 1: 192.0.2.4 queries; this switch is silent");
    EXPECT_EQ(sent(449), "") << "two intervals and half a response";
    EXPECT_EQ(sent(2), "0 1 2v1");
}

TEST_F(QuerierManagerTest, WhoIsHeardAtAPortThatIsRemovedIsNotWaitedFor) {
    start("snooping: [igmp], querier: {vlans: [1], address: 192.0.2.5, interval: 20s}");
    EXPECT_EQ(sent(), "0 1 2v1");
    hear_query(1, 0xC0000204);
    EXPECT_EQ(sent(), "");
    manager->configure(configuration, now);
    EXPECT_EQ(sent(), "") << "its port is there";
    configuration.ports[1].vacant = true;
    dataplane->set_link(1, false);
    manager->configure(configuration, now);
    EXPECT_EQ(sent(), "0 2v1");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "querier_began");
    EXPECT_EQ(events[0].port, "");
    hear_query(1, 0xC0000204);  // which was on its way
    EXPECT_EQ(sent(), "");
    EXPECT_FALSE(manager->networks().begin()->second.election.other());
}

TEST_F(QuerierManagerTest, AsksForAGroupThatSomebodyLeftTwiceWhereHeWas) {
    start("snooping: [igmp], querier: {vlans: [1]}, leaving: 400ms");
    EXPECT_EQ(sent(), "0 1 2v1");
    leave(1);
    leave(1);
    EXPECT_EQ(sent(), "1?");
    EXPECT_EQ(sent(5), "1?") << "again after half of `leaving`, and no more";
    hear_query(0, 7);
    leave(1);
    EXPECT_EQ(sent(5), "") << "who queries asks";
}

TEST_F(QuerierManagerTest, WhereWhoLeavesIsGoneAtOnceNobodyIsAsked) {
    start("snooping: [igmp], querier: {vlans: [1]}, fast_leave: true");
    EXPECT_EQ(sent(), "0 1 2v1");
    leave(1);
    EXPECT_EQ(sent(5), "");
}

TEST_F(QuerierManagerTest, OfLeavesWithoutEndIsBoundAndCounted) {
    start("snooping: [igmp], querier: {vlans: [1]}");
    EXPECT_EQ(sent(), "0 1 2v1");
    for (uint32_t wave = 0; wave < 8; ++wave) {
        for (uint32_t each = 0; each < 60; ++each) leave(1, group + 60 * wave + each);
        const std::string turn = sent();
        EXPECT_LE(turn.size(), 5U) << turn;  // two frames
    }
    EXPECT_GT(manager->groups_left_out(), 0U);
    EXPECT_EQ(dataplane->multicast().lost_reports(), 0U);
}

TEST_F(QuerierManagerTest, WhoLeavesAgainIsNotAskedAnew) {
    start("snooping: [igmp], querier: {vlans: [1]}, leaving: 1s");
    EXPECT_EQ(sent(), "0 1 2v1");
    std::string text;
    for (int turn = 0; turn < 10; ++turn) {
        if (turn < 5) leave(1);
        text += sent();
    }
    EXPECT_EQ(text, "1?1?");
}

TEST_F(QuerierManagerTest, OnePortLeavesRoomForAnother) {
    start("snooping: [igmp], querier: {vlans: [1]}");
    EXPECT_EQ(sent(), "0 1 2v1");
    for (uint32_t wave = 0; wave < 6; ++wave) {
        for (uint32_t each = 0; each < 60; ++each) leave(1, group + 60 * wave + each);
        EXPECT_EQ(sent(), "1? 1?");
    }
    EXPECT_EQ(manager->groups_left_out(), 360U - 32);
    leave(0);
    EXPECT_EQ(sent(), "0? 1? 1?");
    EXPECT_EQ(manager->groups_left_out(), 360U - 32);
}

TEST_F(QuerierManagerTest, GeneralQueriesGoBeforeThoseOfGroups) {
    start("snooping: [igmp], querier: {vlans: [1]}");
    EXPECT_EQ(sent(), "0 1 2v1");
    for (uint32_t each = 0; each < 20; ++each) leave(1, group + each);
    EXPECT_EQ(sent(), "1? 1?");
    manager->ask_again(now);
    EXPECT_EQ(sent(), "0 1 1? 2v1");
}

TEST_F(QuerierManagerTest, AGroupIsNotAskedForAfterItsListenersAreGone) {
    start("snooping: [igmp], querier: {vlans: [1]}, leaving: 1s");
    EXPECT_EQ(sent(), "0 1 2v1");
    for (uint32_t each = 0; each < 32; ++each) leave(1, group + each);
    std::string text;
    for (int turn = 0; turn < 11; ++turn) text += sent();
    EXPECT_EQ(std::ranges::count(text, '?'), 22) << "two a turn, the last when its time is over";
    EXPECT_EQ(manager->groups_left_out(), 10U);
    EXPECT_EQ(sent(), "");
}

TEST_F(QuerierManagerTest, TheLastAnswersComeBeforeListenersAreGone) {
    start("snooping: [igmp], querier: {vlans: [1]}, leaving: 2s");
    EXPECT_EQ(sent(), "0 1 2v1");
    leave(1);
    manager->tick(now);
    const auto octets = dataplane->shard_of(1).control_frame(1);
    ASSERT_GT(octets.size(), 39U);
    EXPECT_EQ(octets[39], 5) << "tenths of a second, and the second query comes after one second";
}

TEST_F(QuerierManagerTest, AsksAPortWhoseLinkComes) {
    start("snooping: [igmp], querier: {vlans: [1]}");
    EXPECT_EQ(sent(), "0 1 2v1");
    dataplane->set_link(1, false);
    EXPECT_EQ(sent(), "");
    dataplane->set_link(1, true);
    EXPECT_EQ(sent(), "1");
    manager->ask_again(now);
    EXPECT_EQ(sent(), "0 1 2v1");
}

TEST_F(QuerierManagerTest, OtherSettingsBeginAnewOnlyWhatTheyChange) {
    start("snooping: [igmp], querier: {vlans: [1], interval: 100s}");
    EXPECT_EQ(sent(), "0 1 2v1");
    configuration.settings.multicast.queried.set(7);
    manager->configure(configuration, now);
    EXPECT_EQ(sent(), "0v7 1v7 2v7");
    configuration.querier.interval = 50_s;
    manager->configure(configuration, now);
    EXPECT_EQ(sent(), "0 0v7 1 1v7 2v1 2v7");
    configuration.settings.multicast.queried.reset();
    manager->configure(configuration, now);
    EXPECT_EQ(sent(1000), "");
}

}  // namespace
}  // namespace sluice::control
