// Whom tunnels send to, with a switch under it.
#include "control/neighbours/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/loader.h"
#include "dataplane/shard.h"
#include "tests/support/octets.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using neighbours::ArpPacket;
using neighbours::Operation;

constexpr Nanos begin = 1000_s;
constexpr MacAddress own{0x0200'0000'0001};
constexpr MacAddress router{0x0200'0000'00FE};
constexpr Ipv4Address own_ip{0xC000'0201};
constexpr Ipv4Address router_ip{0xC000'02FE};

config::Configuration configuration_of(const std::string& next_hop = "",
                                       const std::string& more = "") {
    auto configuration = config::load_text(
        "ports:\n"
        "- {name: wan, device: ring:a, underlay: {address: 192.0.2.1/24, gateway: 192.0.2.254, "
        "address6: 2001:db8:1::1/64}}\n"
        "- {name: near, device: vxlan:wan/192.0.2.9/1}\n"
        "- {name: far, device: vxlan:wan/198.51.100.1/1" +
            next_hop + "}\n" + more,
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    configuration->settings.ports[0].address = own;
    return *configuration;
}

class NeighbourManagerTest : public testing::Test {
  protected:
    NeighbourManagerTest() { dataplane_.set_link(0, true); }

    // Returns the frames that the port's worker sends now.
    std::vector<neighbours::Octets> frames() {
        std::vector<neighbours::Octets> said;
        Shard& shard = dataplane_.shard_of(0);
        for (auto octets = shard.control_frame(0); !octets.empty();
             octets = shard.control_frame(0)) {
            said.emplace_back(octets.begin(), octets.end());
            shard.control_frame_sent(0);
        }
        return said;
    }
    // Returns the packets of ARP among these frames.
    std::vector<ArpPacket> sent() {
        std::vector<ArpPacket> said;
        for (const neighbours::Octets& octets : frames()) {
            const auto arp = neighbours::read_arp(octets);
            if (arp && arp->sender.ip != arp->target.ip) said.push_back(*arp);
        }
        return said;
    }
    // Returns the announced addresses.
    std::vector<IpAddress> announced() {
        std::vector<IpAddress> said;
        for (const neighbours::Octets& octets : frames()) {
            const auto arp = neighbours::read_arp(octets);
            if (arp && arp->sender.ip == arp->target.ip) said.emplace_back(arp->sender.ip);
            const auto packet = neighbours::read_advertisement(octets);
            if (packet && !packet->solicited) said.emplace_back(packet->target);
        }
        return said;
    }
    void receive(const neighbours::Station& from, Operation operation) {
        manager_.receive(0, neighbours::write_arp({operation, from, {own, own_ip}}, own), begin);
    }

    const config::Configuration configuration_ = configuration_of();
    Switch dataplane_{configuration_.settings};
    RecordedEvents recorded_;
    NeighbourManager manager_{dataplane_, configuration_, begin, recorded_.sink};
};

TEST_F(NeighbourManagerTest, AsksForTheNextHopOfEachTunnel) {
    manager_.tick(begin);
    EXPECT_TRUE(recorded_.take().empty());
    const auto asked = sent();
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_EQ(asked[0].target.ip, Ipv4Address{0xC000'0209});
    EXPECT_EQ(asked[1].target.ip, router_ip) << "by the gateway";
    EXPECT_EQ(asked[0].sender.mac, own);
    EXPECT_FALSE(manager_.next_hop(2)->mac);
    EXPECT_FALSE(manager_.next_hop(0)) << "it is no tunnel";
    EXPECT_EQ(manager_.at(1), nullptr);
}

config::Configuration to_many(const std::string& remotes) {
    auto configuration = config::load_text(
        "ports:\n"
        "- {name: wan, device: ring:a, underlay: {address: 192.0.2.1/24, gateway: 192.0.2.254}}\n"
        "- {name: fabric, device: vxlan:wan/1, remotes: [" +
            remotes + "]}\n",
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    configuration->settings.ports[0].address = own;
    return *configuration;
}

TEST_F(NeighbourManagerTest, GivesEachVtepOfATunnelToManyItsNextHop) {
    constexpr Ipv4Address near{0xC000'0209};
    constexpr Ipv4Address far{0xC633'6401};
    constexpr MacAddress its{0x0200'0000'0009};
    Bundle bundle(std::array{VlanVni{.vni = 1}}, 16, true, 1);
    Vteps* const vteps = &bundle[0];
    manager_.configure(to_many("192.0.2.9, 198.51.100.1"), begin);
    manager_.resolve(1, bundle, begin);
    EXPECT_EQ(vteps->count(), 2U);
    EXPECT_FALSE(manager_.next_hop(1)) << "it has not one";
    EXPECT_EQ(manager_.next_hop_to(1, near), IpAddress(near));
    EXPECT_EQ(manager_.next_hop_to(1, far), IpAddress(router_ip));
    manager_.tick(begin);
    EXPECT_EQ(sent().size(), 2U);
    receive({its, near}, Operation::reply);
    receive({router, router_ip}, Operation::reply);
    manager_.resolve(1, bundle, begin);
    EXPECT_EQ(vteps->way(Vteps::slot_of(*vteps->from(near))).next_hop, its);
    EXPECT_EQ(vteps->way(Vteps::slot_of(*vteps->from(far))).next_hop, router);
    EXPECT_TRUE(vteps->is_flooded(Vteps::slot_of(*vteps->from(far))));
    manager_.configure(to_many("198.51.100.1, 192.0.2.10"), begin);
    manager_.resolve(1, bundle, begin);
    EXPECT_EQ(vteps->count(), 2U);
    EXPECT_EQ(vteps->from(near), std::nullopt) << "it is written no more";
    EXPECT_EQ(vteps->way(Vteps::slot_of(*vteps->from(far))).next_hop, router) << "and this stays";
    manager_.tick(begin);
    const auto asked = sent();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].target.ip, Ipv4Address{0xC000'020A});
}

TEST_F(NeighbourManagerTest, ReportsStationsThatTookTheRoomOfOthers) {
    Bundle bundle(std::array{VlanVni{.vni = 1}}, 4, true, 1);
    Vteps* const vteps = &bundle[0];
    manager_.configure(to_many("192.0.2.9"), begin);
    manager_.resolve(1, bundle, begin);
    EXPECT_TRUE(recorded_.take().empty());
    for (uint64_t number = 1; number <= 40; ++number) {
        vteps->learn({0x0200'0000'0000 + number}, *vteps->from({0xC000'0209}));
    }
    manager_.resolve(1, bundle, begin);
    const auto events = recorded_.take();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "vtep_stations_full");
    EXPECT_EQ(events[0].port, "1");
    manager_.resolve(1, bundle, begin + 10_s);
    EXPECT_TRUE(recorded_.take().empty()) << "once";
}

constexpr Ipv6Address own_ip6 = test::ipv6_of(1, 1);

// The link is up when the switch starts.
TEST_F(NeighbourManagerTest, AnnouncesItsAddressesWhereItHasALinkAndEachTimeThatItComes) {
    manager_.tick(begin);
    EXPECT_EQ(announced(), (std::vector<IpAddress>{own_ip, own_ip6}));
    manager_.tick(begin + 100_ms);
    EXPECT_TRUE(announced().empty());
    dataplane_.set_link(0, false);
    manager_.tick(begin + 200_ms);
    EXPECT_TRUE(announced().empty());
    dataplane_.set_link(0, true);
    manager_.tick(begin + 300_ms);
    EXPECT_EQ(announced(), (std::vector<IpAddress>{own_ip, own_ip6}));
}

std::string tunnels_by_segments(int count) {
    std::string tunnels;
    for (int n = 1; n <= count; ++n) {
        tunnels += fmt::format(
            "- {{name: sr{0}, device: 'srv6:wan/2001:db8:1::d{0}', local_sid: "
            "2001:db8:9::{0}}}\n",
            n);
    }
    return tunnels;
}

TEST_F(NeighbourManagerTest, AnnouncesASidThatIsNewAFewAtOnceAndWhatFoundNoRoomLater) {
    manager_.tick(begin);
    announced();
    manager_.configure(configuration_of("", tunnels_by_segments(3)), begin);
    const neighbours::Octets other(60);
    while (dataplane_.send_for_control(0, other)) continue;
    manager_.tick(begin);
    EXPECT_TRUE(announced().empty()) << "there is no room";
    const auto sids = [](const std::vector<uint8_t>& hosts) {
        std::vector<IpAddress> expected;
        for (const uint8_t host : hosts) expected.emplace_back(test::ipv6_of(9, host));
        return expected;
    };
    manager_.tick(begin);
    EXPECT_EQ(announced(), sids({1, 2}));
    manager_.tick(begin);
    EXPECT_EQ(announced(), sids({3}));
    manager_.configure(configuration_of("", tunnels_by_segments(4)), begin);
    manager_.tick(begin);
    EXPECT_EQ(announced(), sids({4}));
}

TEST_F(NeighbourManagerTest, SpeaksInTheVlanOfThePortsAddresses) {
    config::Configuration tagged = configuration_of();
    tagged.ports[0].underlay->vlan = 77;
    tagged.ports[0].underlay->marks.pcps[7] = 6;
    manager_.configure(tagged, begin);
    manager_.tick(begin);
    const auto asked = dataplane_.shard_of(0).control_frame(0);
    ASSERT_GE(asked.size(), 64U);
    EXPECT_EQ(read_32(&asked[12]), 0x8100'C04DU);
    EXPECT_EQ(read_16(&asked[16]), 0x0806);
}

TEST_F(NeighbourManagerTest, AsksForASegmentAndAnswersForASid) {
    manager_.configure(
        configuration_of(
            "", "- {name: sr, device: 'srv6:wan/2001:db8:1::d2', local_sid: 2001:db8:9::d3}\n"),
        begin);
    manager_.tick(begin);
    Shard& shard = dataplane_.shard_of(0);
    std::optional<neighbours::Solicitation> asked;
    for (auto octets = shard.control_frame(0); !octets.empty(); octets = shard.control_frame(0)) {
        if (const auto read = neighbours::read_solicitation(octets)) asked = read;
        shard.control_frame_sent(0);
    }
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->target, test::ipv6_of(1, 0xD2));
    EXPECT_EQ(asked->source, test::ipv6_of(1, 1));
    const neighbours::Solicitation theirs{test::ipv6_of(1, 0xD2), test::ipv6_of(9, 0xD3), router};
    manager_.receive(0, neighbours::write_solicitation(theirs, std::nullopt), begin);
    const auto answer = neighbours::read_advertisement(shard.control_frame(0));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->target, test::ipv6_of(9, 0xD3));
    EXPECT_EQ(manager_.next_hop(3)->mac, router) << "who asks is heard";
}

TEST_F(NeighbourManagerTest, KeepsWhomItKnowsWhereATunnelComesAndGoes) {
    receive({router, router_ip}, Operation::reply);
    manager_.configure(
        configuration_of(
            "", "- {name: sr, device: 'srv6:wan/2001:db8:1::d2', local_sid: 2001:db8:9::d3}\n"),
        begin);
    EXPECT_EQ(manager_.next_hop(2)->mac, router);
    manager_.configure(configuration_, begin);
    EXPECT_EQ(manager_.next_hop(2)->mac, router);
}

TEST_F(NeighbourManagerTest, NeedsNobodyForAWrittenNextHop) {
    manager_.configure(
        configuration_of("",
                         "- {name: lsp, device: 'mpls:wan/100', local_label: 99, next_hop: "
                         "02:00:00:00:00:42}\n"),
        begin);
    EXPECT_EQ(manager_.next_hop(3)->mac, MacAddress{0x0200'0000'0042});
    EXPECT_EQ(manager_.next_hop(3)->ip, IpAddress(router_ip));
}

TEST_F(NeighbourManagerTest, ReportsWhoItFound) {
    receive({router, router_ip}, Operation::reply);
    manager_.tick(begin);
    const auto events = recorded_.take();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "neighbour_resolved");
    EXPECT_EQ(events[0].text, "192.0.2.254 is 02:00:00:00:00:fe");
    EXPECT_EQ(manager_.next_hop(2)->mac, router);
    EXPECT_FALSE(manager_.next_hop(1)->mac);
}

TEST_F(NeighbourManagerTest, AnswersWhoAsks) {
    receive({router, router_ip}, Operation::request);
    const auto said = sent();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].operation, Operation::reply);
    EXPECT_EQ(said[0].target.mac, router);
}

TEST_F(NeighbourManagerTest, KeepsWhatItKnowsUnderOtherSettings) {
    receive({router, router_ip}, Operation::reply);
    manager_.configure(configuration_of(", next_hop: 02:00:00:00:00:42"), begin);
    EXPECT_EQ(manager_.next_hop(2)->mac, MacAddress{0x0200'0000'0042});
    EXPECT_TRUE(manager_.next_hop(2)->is_static);
    ASSERT_EQ(manager_.at(0)->neighbours().size(), 1U) << "nobody is asked for in vain";
    manager_.configure(configuration_, begin);
    EXPECT_FALSE(manager_.next_hop(2)->is_static);
}

TEST_F(NeighbourManagerTest, WhatATunnelToManyLearnedAgesAsTheFdbDoes) {
    Bundle bundle(std::array{VlanVni{.vni = 1}}, 16, true, 1);
    Vteps* const vteps = &bundle[0];
    const MacAddress far = test::station(9);
    manager_.configure(to_many("192.0.2.9"), begin);
    manager_.resolve(1, bundle, begin);
    vteps->learn(far, *vteps->from({0xC000'0209}));
    const auto is_known_at = [&](Nanos now) {
        manager_.resolve(1, bundle, now);
        for (int poll = 0; poll < 10; ++poll) vteps->age_some();
        return vteps->behind(far).has_value();
    };
    EXPECT_TRUE(is_known_at(begin + 299_s));
    EXPECT_TRUE(is_known_at(begin + 300_s)) << "it spoke less than 300 s ago";
    manager_.configure(to_many("192.0.2.9"), begin + 400_s);
    EXPECT_TRUE(is_known_at(begin + 599_s));
    EXPECT_FALSE(is_known_at(begin + 600_s));
}

}  // namespace
}  // namespace sluice::control
