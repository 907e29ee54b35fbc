// Ports that are one bridge port together, as a whole switch has them.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Rig;
using test::station;

// Ports 0 and 3 are on their own; 1, 2 and 4 are aggregated.
Settings with_uplink(uint8_t workers = 1, DistributionHash hash = DistributionHash::l2) {
    Settings settings = test::settings_of(5, workers);
    settings.fdb.static_entries.clear();
    settings.aggregations = {{.members = 0b10110, .hash = hash}};
    return settings;
}
constexpr std::array<PortIndex, 3> members = {1, 2, 4};

std::string sent_by_members(Rig& rig) {
    std::string all;
    for (const PortIndex port : members) all += rig.sent_now(port);
    return all;
}
// A frame a host, from hosts 100 to 100 + `hosts` to host `to`.
void send_from_many(Rig& rig, PortIndex input, unsigned hosts, MacAddress to) {
    for (unsigned host = 0; host < hosts; ++host) {
        rig.receive(input, "x", {.to = to, .from = station(100 + host)});
        rig.run();
    }
}

class AggregationOfWorkers : public testing::TestWithParam<uint8_t> {};
INSTANTIATE_TEST_SUITE_P(SwitchAggregation, AggregationOfWorkers, testing::Values(1, 2, 3));

TEST_P(AggregationOfWorkers, AFloodLeavesByOneMember) {
    Rig rig(with_uplink(GetParam()));
    rig.receive(0, "a", {.to = broadcast});
    rig.run();
    EXPECT_EQ(sent_by_members(rig), "a");
    EXPECT_EQ(rig.sent(3), "a");
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(AggregationOfWorkers, NothingGoesBackByAnotherMember) {
    Rig rig(with_uplink(GetParam()));
    for (const PortIndex port : members) {
        rig.receive(port, "a", {.to = broadcast, .from = station(9)});
        rig.run();
        EXPECT_EQ(sent_by_members(rig), "");
        EXPECT_EQ(rig.sent_now(0), "a");
        EXPECT_EQ(rig.sent_now(3), "a");
    }
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(AggregationOfWorkers, AnAddressIsBehindAllMembers) {
    Rig rig(with_uplink(GetParam()));
    rig.receive(4, "a", {.to = broadcast, .from = station(9)});
    rig.receive(2, "b", {.to = broadcast, .from = station(9)});
    rig.run();
    rig.housekeep();
    EXPECT_EQ(rig.dataplane.fdb().size(), 1U);
    EXPECT_EQ(rig.dataplane.fdb().moves(), 0U);
    rig.dataplane.fdb().for_each([](const FdbEntry& entry) { EXPECT_EQ(entry.port, 1); });
    for (PortIndex port = 0; port < 5; ++port) rig.sent_now(port);

    rig.receive(0, "c", {.to = station(9), .from = station(8)});
    rig.run();
    EXPECT_EQ(sent_by_members(rig), "c");
    EXPECT_EQ(rig.sent(3), "");
    rig.receive(1, "d", {.to = station(9), .from = station(7)});
    EXPECT_EQ(rig.drops(1, Drop::same_port), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchAggregation, FramesOfAFlowKeepTheirOrder) {
    Rig rig(with_uplink());
    rig.receive(2, "z", {.to = broadcast, .from = station(9)});
    rig.run();
    for (const PortIndex port : members) rig.sent_now(port);
    for (const std::string_view names : {"abcd", "efgh", "ijkl"}) {
        rig.receive(0, names, {.to = station(9), .from = station(8)});
    }
    rig.run();
    EXPECT_EQ(sent_by_members(rig), "abcdefghijkl") << "by one member, so in order";
}

TEST(SwitchAggregation, FlowsSpreadAndEachMemberCountsItsOwn) {
    Rig rig(with_uplink());
    rig.receive(4, "z", {.to = broadcast, .from = station(9)});
    send_from_many(rig, 0, 60, station(9));
    uint64_t sent = 0;
    for (const PortIndex port : members) {
        EXPECT_GT(rig.sent(port).size(), 10U);
        EXPECT_EQ(rig.dataplane.counters(port).tx_frames.value(), rig.sent(port).size());
        sent += rig.sent(port).size();
    }
    EXPECT_EQ(sent, 60U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchAggregation, AMemberWithoutLinkIsSpared) {
    Rig rig(with_uplink());
    rig.receive(1, "z", {.to = broadcast, .from = station(9)});
    rig.run();
    rig.dataplane.set_link(1, false);  // the representative
    rig.housekeep();
    EXPECT_EQ(rig.dataplane.fdb().size(), 1U) << "the others still lead there";
    send_from_many(rig, 0, 40, station(9));
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2).size() + rig.sent(4).size(), 40U);
    EXPECT_EQ(rig.drops(0, Drop::no_output), 0U);
}

TEST(SwitchAggregation, TheLastMemberToGoTakesTheAddressesAlong) {
    Rig rig(with_uplink());
    rig.receive(2, "z", {.to = broadcast, .from = station(9)});
    for (const PortIndex port : members) {
        EXPECT_EQ(rig.dataplane.fdb().size(), 1U);
        rig.dataplane.set_link(port, false);
        rig.housekeep();
    }
    rig.run();
    rig.dataplane.set_link(4, true);
    rig.receive(0, "a", {.to = station(9), .from = station(8)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "za") << "unknown again, so flooded";
    EXPECT_EQ(rig.sent(4), "a");
}

TEST(SwitchAggregation, AStaticEntryOfAnyMemberIsOfAll) {
    Settings settings = with_uplink();
    settings.fdb.static_entries = {{.vlan = 1, .address = station(9), .port = 4}};
    Rig rig(settings);
    rig.receive(2, "a", {.to = broadcast, .from = station(9)});
    rig.receive(0, "b", {.to = broadcast, .from = station(9)});
    EXPECT_EQ(rig.drops(2, Drop::static_source), 0U);
    EXPECT_EQ(rig.drops(0, Drop::static_source), 1U);
    rig.receive(3, "c", {.to = station(9)});
    rig.run();
    EXPECT_EQ(sent_by_members(rig), "c");
}

TEST(SwitchAggregation, APortThatJoinsOrLeavesIsLearnedAnew) {
    Settings settings = with_uplink();
    Rig rig(settings);
    rig.receive(4, "a", {.to = broadcast, .from = station(9)});
    rig.receive(3, "b", {.to = broadcast, .from = station(3)});
    settings.aggregations = {{.members = 0b00110}};
    rig.adopt(settings);
    rig.housekeep();
    rig.run();
    for (PortIndex port = 0; port < 5; ++port) rig.sent_now(port);

    rig.receive(0, "c", {.to = station(9), .from = station(8)});
    rig.receive(0, "d", {.to = station(3), .from = station(8)});
    rig.run();
    EXPECT_EQ(rig.sent(4), "c") << "flooded, as nobody knows where it is";
    EXPECT_EQ(rig.sent(3), "cd") << "who was elsewhere is known as before";
    EXPECT_EQ((rig.sent(1) + rig.sent(2)), "c");
}

TEST(SwitchAggregation, IsolationAndVlansAreThoseOfTheMembers) {
    Settings settings = with_uplink();
    for (const PortIndex port : members) settings.ports[port].isolated = true;
    settings.ports[3].isolated = true;
    settings.vlan.filtering = true;
    settings.vlan.members[1] = 0b11111;
    settings.vlan.members[7] = 0b01001;
    Rig rig(settings);
    rig.receive(2, "a", {.to = broadcast});
    rig.receive(0, "b", {.to = broadcast, .tag = test::Tag{.vlan = 7}});
    rig.run();
    EXPECT_EQ(rig.sent(0), "a");
    EXPECT_EQ(rig.sent(3), "b");
    EXPECT_EQ(sent_by_members(rig), "");
}

// PFC, thresholds and queues are of the port that a frame really takes.
TEST(SwitchAggregation, ALosslessMemberPausesForItself) {
    Settings settings = with_uplink();
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0xFF;
        port.pfc.xoff = 1_KiB;
    }
    Rig rig(settings);
    rig.receive(2, "aaaaaaaa", {.to = broadcast, .from = station(9)});
    EXPECT_FALSE(rig.send_pause_frame(2).empty());
    EXPECT_TRUE(rig.send_pause_frame(1).empty());
    rig.run();
    EXPECT_TRUE(rig.at_rest() || !rig.send_pause_frame(2).empty());
}

// In a format with 16-bit ids the flow is hashed by the ids.
TEST(SwitchAggregation, CarriesOtherFormats) {
    Settings settings = with_uplink(1, DistributionHash::l4);
    for (PortSettings& port : settings.ports) port.format = presets[3];
    Rig rig(settings);
    rig.receive(4, {test::octets_of(test::ShortIdSpec{.to = 500, .from = 9})});
    rig.run();
    for (PortIndex port = 0; port < 5; ++port) rig.sent_now(port);
    for (uint16_t from = 100; from < 160; ++from) {
        rig.receive(0, {test::octets_of(test::ShortIdSpec{.to = 9, .from = from})}, "x");
        rig.run();
    }
    for (const PortIndex port : members) EXPECT_GT(rig.sent(port).size(), 10U);
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
