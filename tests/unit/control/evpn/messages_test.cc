#include "control/evpn/messages.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"
#include "tests/unit/control/evpn/links.h"

namespace sluice::control::evpn {
namespace {

using test::hex;

// Messages that the kernel sent while zebra wrote: a remote address, at the bridge and at the
// device; a VTEP of the flood list.
const auto at_bridge =
    hex("30000000 1c000000 00000000 00000000"
        "07 000000 04000000 0200 10 00"
        "0a000200 020000007701 0000"
        "08000900 03000000");
const auto at_device =
    hex("30000000 1c000000 00000000 00000000"
        "07 000000 04000000 0200 12 00"
        "0a000200 020000007701 0000"
        "08000100 c0000203");
const auto flood =
    hex("30000000 1c000000 00000000 00000000"
        "07 000000 04000000 8000 02 00"
        "0a000200 000000000000 0000"
        "08000100 c0000203");

constexpr MacAddress station{0x0200'0000'7701};
constexpr Ipv4Address vtep{0xC000'0203};

template <class Type>
Type only_one(const test::Octets& octets) {
    const auto messages = read_messages(octets);
    EXPECT_EQ(messages.size(), 1U);
    return std::get<Type>(messages.at(0));
}

TEST(EvpnMessages, AnEntryIsTheBridgesOrTheDevices) {
    EXPECT_EQ(only_one<Entry>(at_bridge), (Entry{.interface = 4, .bridge = 3, .address = station}));
    EXPECT_EQ(only_one<Entry>(at_device),
              (Entry{.interface = 4, .self = true, .address = station, .vtep = vtep}));
    EXPECT_EQ(only_one<Entry>(flood),
              (Entry{.interface = 4, .self = true, .permanent = true, .vtep = vtep}));
}

TEST(EvpnMessages, ABridgesEntrySaysSinceWhenItIs) {
    auto with_age = at_bridge;
    const auto info = hex("14000300 07000000 00000000 96000000 00000000");  // updated 150 ticks ago
    with_age.insert(with_age.end(), info.begin(), info.end());
    with_age[0] = static_cast<uint8_t>(with_age.size());
    EXPECT_EQ(only_one<Entry>(with_age).age, Nanos(1'500'000'000));
    EXPECT_EQ(only_one<Entry>(at_bridge).age, std::nullopt);
}

TEST(EvpnMessages, OneThatIsTakenAwaySaysSo) {
    auto removed = at_device;
    removed[4] = 0x1d;
    EXPECT_TRUE(only_one<Entry>(removed).removed);
}

TEST(EvpnMessages, SeveralStandInARow) {
    auto row = at_bridge;
    row.insert(row.end(), at_device.begin(), at_device.end());
    EXPECT_EQ(read_messages(row).size(), 2U);
    row.pop_back();
    EXPECT_EQ(read_messages(row).size(), 1U);
}

TEST(EvpnMessages, WhatIsOfNoUseIsLeftOut) {
    auto of_ipv4 = at_bridge;
    of_ipv4[16] = 2;
    EXPECT_TRUE(read_messages(of_ipv4).empty());
    auto of_vlan = at_bridge;
    of_vlan[42] = 5;  // NDA_VLAN in place of the bridge
    EXPECT_TRUE(read_messages(of_vlan).empty());
    auto without_address = at_bridge;
    without_address[30] = 30;
    EXPECT_TRUE(read_messages(without_address).empty());
    auto short_address = at_bridge;
    short_address[28] = 9;
    EXPECT_TRUE(read_messages(short_address).empty());
}

TEST(EvpnMessages, ALinkSaysItsBridgeAndItsNetwork) {
    auto of_bond = test::vx100();
    of_bond[72] = 'x';
    EXPECT_EQ(only_one<Link>(of_bond).bridge, 0U) << "its master is no bridge";
    EXPECT_EQ(only_one<Link>(test::vx100()), (Link{.interface = 4,
                                                   .bridge = 3,
                                                   .is_up = true,
                                                   .name = "vx100",
                                                   .is_vxlan = true,
                                                   .vni = 100,
                                                   .local = Ipv4Address{0xC000'0201}}));
}

// Messages that the kernel sent while zebra wrote: 192.0.2.7 and 2001:db8:1::7 of a remote station,
// at the bridge; and a neighbour that the kernel had resolved itself.
const auto of_ipv4 =
    hex("30000000 1c000000 00000000 00000000"
        "02 000000 03000000 4000 10 01"
        "08000100 c0000207"
        "0a000200 020000007701 0000");
const auto of_ipv6 =
    hex("3c000000 1c000000 00000000 00000000"
        "0a 000000 03000000 4000 90 01"
        "14000100 20010db8000100000000000000000007"
        "0a000200 020000007701 0000");
constexpr Ipv4Address ipv4{0xC000'0207};

TEST(EvpnMessages, ANeighbourIsWhatTheDaemonSaysOrWhatIsHere) {
    EXPECT_EQ(only_one<Neighbour>(of_ipv4),
              (Neighbour{.interface = 3, .remote = true, .ip = ipv4, .mac = station}));
    EXPECT_EQ(only_one<Neighbour>(of_ipv6), (Neighbour{.interface = 3,
                                                       .remote = true,
                                                       .router = true,
                                                       .ip = test::ipv6_of(1, 7),
                                                       .mac = station}));
    auto here = of_ipv4;
    here[24] = 2;  // NUD_REACHABLE
    here[26] = 0;
    here[6] = 2;
    EXPECT_EQ(only_one<Neighbour>(here),
              (Neighbour{.interface = 3, .dumped = true, .ip = ipv4, .mac = station}));
}

TEST(EvpnMessages, ANeighbourThatIsNotKnownAnyMoreIsRemoved) {
    auto removed = of_ipv4;
    removed[4] = 0x1d;
    auto failed = of_ipv4;
    failed[24] = 0x20;
    for (const auto& octets : {removed, failed}) {
        const auto neighbour = only_one<Neighbour>(octets);
        EXPECT_TRUE(neighbour.removed);
        EXPECT_EQ(neighbour.ip, IpAddress(ipv4));
        EXPECT_EQ(neighbour.mac, MacAddress{});
    }
}

TEST(EvpnMessages, NeighboursOfNoUseAreLeftOut) {
    auto by_hand = of_ipv4;
    by_hand[24] = 0x80;
    auto group = of_ipv4;
    group[40] = 3;
    auto without_ip = of_ipv4;
    without_ip[30] = 30;
    auto short_ip = of_ipv6;
    short_ip[28] = 0x13;
    for (const auto& octets : {by_hand, group, without_ip, short_ip}) {
        EXPECT_TRUE(read_messages(octets).empty());
    }
}

TEST(EvpnMessages, WhatIsWrittenOfANeighbourReadsAsWhatItSays) {
    for (const IpAddress& ip : {IpAddress(ipv4), IpAddress(test::ipv6_of(1, 7))}) {
        EXPECT_EQ(only_one<Neighbour>(add_neighbour(7, 3, {ip, station, true})),
                  (Neighbour{.interface = 3, .router = true, .ip = ip, .mac = station}));
        EXPECT_EQ(only_one<Neighbour>(remove_neighbour(7, 3, ip)),
                  (Neighbour{.removed = true, .interface = 3, .ip = ip}));
    }
    // NEWNEIGH; request, replace, create; number; IPv4; reachable.
    EXPECT_EQ(add_neighbour(7, 3, {ipv4, station}), hex("30000000 1c000105 07000000 00000000"
                                                        "02 000000 03000000 0200 00 00"
                                                        "08000100 c0000207"
                                                        "0a000200 020000007701 0000"));
    EXPECT_EQ(ask_for_neighbours(9), hex("1c000000 1e000103 09000000 00000000"
                                         "00 000000 00000000 0000 00 00"));
}

TEST(EvpnMessages, AnAnswerSaysWhetherItWentWell) {
    EXPECT_EQ(only_one<Answer>(hex("14000000 03000200 05000000 00000000 00000000")),
              (Answer{5, 0}));
    EXPECT_EQ(only_one<Answer>(hex("14000000 02000000 05000000 00000000 ffffffff")),
              (Answer{5, 1}));
    EXPECT_TRUE(read_messages(hex("14000000 02000000 05000000 00000000 00000080")).empty());
    // The end of a dump that failed, and of one by a kernel that says nothing more.
    EXPECT_EQ(only_one<Answer>(hex("14000000 03000200 05000000 00000000 f4ffffff")),
              (Answer{5, 12}));
    EXPECT_EQ(only_one<Answer>(hex("10000000 03000200 05000000 00000000")), (Answer{5, 0}));
}

TEST(EvpnMessages, ADumpSaysThatItWasInterrupted) {
    auto entry = at_bridge;
    entry[6] = 0x12;
    entry[8] = 5;
    const auto messages = read_messages(entry);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(std::get<Interruption>(messages[0]), Interruption{5});
    EXPECT_TRUE(std::get<Entry>(messages[1]).dumped);
}

TEST(EvpnMessages, WhatIsAskedReadsAsWhatItSays) {
    const Entry added = only_one<Entry>(add_to_bridge(7, 4, station, true));
    EXPECT_EQ(added, (Entry{.interface = 4, .sticky = true, .address = station}));
    const Entry removed = only_one<Entry>(remove_from_device(7, 4, station, vtep));
    EXPECT_EQ(
        removed,
        (Entry{.removed = true, .interface = 4, .self = true, .address = station, .vtep = vtep}));
    EXPECT_TRUE(only_one<Entry>(remove_from_bridge(7, 4, station)).removed);
    // NEWNEIGH; request, answer, replace, create; number; bridge family; no ARP; by the bridge,
    // sticky.
    EXPECT_EQ(add_to_bridge(7, 4, station, true), hex("28000000 1c000505 07000000 00000000"
                                                      "07 000000 04000000 4000 44 00"
                                                      "0a000200 020000007701 0000"));
    EXPECT_EQ(ask_for_entries(9), hex("1c000000 1e000103 09000000 00000000"
                                      "07 000000 00000000 0000 00 00"));
    EXPECT_EQ(ask_for_links(9), hex("20000000 12000103 09000000 00000000"
                                    "00 000000 00000000 00000000 00000000"));
}

}  // namespace
}  // namespace sluice::control::evpn
