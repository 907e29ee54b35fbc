#include "config/bridge/multicast.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

using namespace literals;

MulticastSettings loaded(std::string_view text) {
    const auto read = load_text(text, "x.yaml");
    if (read) return read->settings.multicast;
    ADD_FAILURE() << lines_of(read.error()).front();
    return {};
}

TEST(Multicast, NothingIsSnoopedUnlessItIsWritten) {
    const MulticastSettings settings = loaded(two_ports);
    const MulticastSettings defaults;
    EXPECT_EQ(settings.snooping, defaults.snooping);
    EXPECT_EQ(settings.capacity, defaults.capacity);
    EXPECT_EQ(settings.unregistered, Unregistered::flood);
    EXPECT_EQ(settings.ageing, defaults.ageing);
    EXPECT_EQ(settings.leaving, defaults.leaving);
    EXPECT_TRUE(settings.groups.empty());
}

TEST(Multicast, ReadsWhatIsWritten) {
    const MulticastSettings settings =
        loaded(two_ports +
               "multicast:\n"
               "  capacity: 16384\n"
               "  snooping: [mld, igmp]\n"
               "  vlans: [1, 10-12]\n"
               "  unregistered: router_ports\n"
               "  fast_leave: true\n"
               "  ageing: 20s\n"
               "  leaving: 1s\n"
               "  router_ports: [p1]\n"
               "  groups: [{vlan: 10, address: 01:00:5e:01:02:03, ports: [p0, p1]}]\n");
    constexpr GroupProtocols both =
        only_protocol(GroupProtocol::igmp) | only_protocol(GroupProtocol::mld);
    EXPECT_EQ(settings.capacity, 16384U);
    for (const unsigned vlan : {1U, 10U, 11U, 12U})
        EXPECT_EQ(settings.snooping[vlan], both) << vlan;
    for (const unsigned vlan : {0U, 2U, 9U, 13U, 4095U})
        EXPECT_EQ(settings.snooping[vlan], 0) << vlan;
    EXPECT_EQ(settings.unregistered, Unregistered::router_ports);
    EXPECT_TRUE(settings.fast_leave);
    EXPECT_EQ(settings.ageing, 20_s);
    EXPECT_EQ(settings.leaving, 1_s);
    EXPECT_EQ(settings.router_ports, 0b10U);
    ASSERT_EQ(settings.groups.size(), 1U);
    EXPECT_EQ(settings.groups[0].vlan, 10);
    EXPECT_EQ(settings.groups[0].address, MacAddress{0x01005E010203});
    EXPECT_EQ(settings.groups[0].ports, 0b11U);
}

TEST(Multicast, TheQuerierIsReadAndOffByDefault) {
    const auto none = load_text(two_ports, "x.yaml");
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->settings.multicast.queried.none());
    const auto read = load_text(two_ports +
                                    "multicast: {snooping: [igmp], querier: {vlans: [1, 10-11], "
                                    "address: 192.0.2.1, interval: 60s, response: 5s, "
                                    "igmp_version: 2, mld_version: 1}}\n",
                                "x.yaml");
    ASSERT_TRUE(read) << to_string(read.error().front());
    EXPECT_EQ(read->settings.multicast.queried.count(), 3U);
    EXPECT_TRUE(read->settings.multicast.queried[11]);
    EXPECT_EQ(read->querier.address, (Ipv4Address{0xC0000201}));
    EXPECT_EQ(read->querier.interval, 60_s);
    EXPECT_EQ(read->querier.response, 5_s);
    EXPECT_EQ(read->querier.igmp_version, 2);
    EXPECT_EQ(read->querier.mld_version, 1);
}

std::string fault_of_querier(const std::string& multicast) {
    const auto read = load_text(two_ports + "multicast: {" + multicast + "}\n", "x.yaml");
    if (read || read.error().size() != 1) return "not one fault";
    const Fault& fault = read.error().front();
    return fault.path + ": " + fault.what + "; " + fault.remedy;
}

TEST(Multicast, AQuerierThatCannotWorkIsRefused) {
    EXPECT_EQ(fault_of_querier("querier: {vlans: [1]}"),
              "multicast.querier.vlans: without snooping no answer is used; write "
              "multicast.snooping: [igmp, mld], or leave it out");
    EXPECT_EQ(fault_of_querier("snooping: [igmp], vlans: [1-9], querier: {vlans: [9-10]}"),
              "multicast.querier.vlans: names VLANs that are not snooped; add them to "
              "multicast.vlans");
    EXPECT_EQ(
        fault_of_querier("snooping: [igmp], querier: {vlans: [1-257]}"),
        "multicast.querier.vlans: 257 VLANs are more than the switch can query; name at most 256");
    EXPECT_EQ(fault_of_querier("snooping: [igmp], querier: {vlans: [1], address: 224.0.0.1}"),
              "multicast.querier.address: \"224.0.0.1\" is no IPv4 address of a station; write one "
              "such as 192.0.2.1");
    EXPECT_EQ(
        fault_of_querier("snooping: [igmp], querier: {vlans: [1], interval: 10s}"),
        "multicast.querier.response: answers to a query would still come when the next one is "
        "due; lower it, or raise multicast.querier.interval");
    EXPECT_EQ(fault_of_querier("snooping: [igmp], ageing: 100s, querier: {vlans: [1]}"),
              "multicast.querier.interval: 125s and a response of 10s are not less than "
              "multicast.ageing, 100s: groups would be forgotten between two queries; lower it, or "
              "raise multicast.ageing");
}

TEST(Multicast, IdsAreTakenWherePortsHaveThem) {
    const std::string text = "defaults: {format: afh_lite}\n" + two_ports +
                             "multicast:\n"
                             "  groups:\n"
                             "    - {id: 7, ports: [p1]}\n";
    EXPECT_EQ(loaded(text).groups[0].address.bits, uint64_t{1} << 40 | 7);
    EXPECT_EQ(faults_of(text + "    - {address: 01:00:5e:01:02:03, ports: [p0]}\n"
                               "    - {ports: [p0]}\n"
                               "    - {id: 7, ports: [p0]}\n"),
              (Lines{"x.yaml:6:17: multicast.groups[1].address: groups of afh_lite have ids of 16 "
                     "bits; write id in its place",
                     "x.yaml:7:7: multicast.groups[2].id: is missing; write a whole number from 0 "
                     "to 65535",
                     "x.yaml:8:12: multicast.groups[3].id: VLAN 1 has it already at "
                     "multicast.groups[0].id; list its ports in one place"}));
}

TEST(Multicast, PortsOfAGroupExistAndAreInItsVlan) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, vlan: {mode: access, access: 10}}\n"
                  "  - {device: ring:b}\n"
                  "  - {device: ring:c, format: afh_lite}\n"
                  "vlans: [{id: 20, ports: [p1, p2]}]\n"
                  "multicast:\n"
                  "  router_ports: [p9]\n"
                  "  groups:\n"
                  "    - {vlan: 10, address: 01:00:5e:01:02:03, ports: [p0, p1]}\n"
                  "    - {vlan: 20, address: 01:00:5e:01:02:03, ports: [p1, p2]}\n"
                  "    - {vlan: 20, address: 01:00:5e:01:02:03, ports: [p1, p4]}\n"),
        (Lines{"x.yaml:7:18: multicast.router_ports[0]: no port is called \"p9\"; did you mean p0",
               "x.yaml:9:58: multicast.groups[0].ports[1]: port p1 is not in VLAN 10; add it to "
               "that VLAN under vlans",
               "x.yaml:10:58: multicast.groups[1].ports[1]: port p2 has a format of family "
               "afh_lite, the ports before it one of ethernet; write a group for each family",
               "x.yaml:11:27: multicast.groups[2].address: VLAN 20 has it already at "
               "multicast.groups[1].address; list its ports in one place",
               "x.yaml:11:58: multicast.groups[2].ports[1]: no port is called \"p4\"; did you mean "
               "p0"}));
}

TEST(Multicast, AGroupIsNoneThatGoesToEverybody) {
    EXPECT_EQ(faults_of(two_ports + "multicast:\n"
                                    "  groups:\n"
                                    "    - {address: 01:00:5e:00:00:fb, ports: [p0]}\n"
                                    "    - {address: \"33:33:ff:00:00:01\", ports: [p0]}\n"
                                    "    - {address: 01:80:c2:00:00:21, ports: [p0]}\n"),
              (Lines{"x.yaml:4:17: multicast.groups[0].address: frames for it go to everybody (RFC "
                     "4541); leave it out",
                     "x.yaml:5:17: multicast.groups[1].address: frames for it go to everybody (RFC "
                     "4541); leave it out"}));
}

TEST(Multicast, GroupsFitTheCapacity) {
    EXPECT_EQ(faults_of(two_ports + "multicast:\n"
                                    "  capacity: 1\n"
                                    "  groups: [{address: 01:00:5e:01:00:01, ports: [p0]},\n"
                                    "           {address: 01:00:5e:01:00:02, ports: [p0]}]\n"),
              Lines{"x.yaml:4:11: multicast.groups: 2 groups do not fit a capacity of 1; raise "
                    "multicast.capacity"});
}

TEST(Multicast, APortThatSendsCopiesAloneIsInNoVlan) {
    const std::string text =
        "ports: [{device: 'ring:a'}, {device: 'ring:b'}, {device: 'ring:c'}]\n"
        "fdb: {static: [{vlan: 1, address: 02:00:00:00:00:01, port: p2}]}\n";
    EXPECT_EQ(
        faults_of(text + "mirrors: [{from: [p0], to: p2}]\n"),
        (Lines{"x.yaml:2:60: fdb.static[0].port: port p2 is not in VLAN 1; write bridged: true "
               "for its mirror"}));
    EXPECT_EQ(faults_of(text + "mirrors: [{from: [p0], to: p2, bridged: true}]\n"), Lines{});
}

}  // namespace
}  // namespace sluice::config
