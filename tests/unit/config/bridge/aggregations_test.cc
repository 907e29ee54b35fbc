#include "config/bridge/aggregations.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string four_ports =
    "ports: [{device: ring:a}, {device: ring:b}, {device: ring:c}, {device: ring:d}]\n";

TEST(AggregationsOf, PortsByName) {
    const auto read = load_text(four_ports +
                                    "aggregations:\n"
                                    "  - {name: bond0, ports: [p3, p1]}\n"
                                    "  - {name: bond1, ports: [p2], hash: l2}\n",
                                "x.yaml");
    ASSERT_TRUE(read.has_value());
    const auto& made = read->settings.aggregations;
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[0].members, 0b1010U);
    EXPECT_EQ(made[0].hash, DistributionHash::l4);
    EXPECT_EQ(made[1].members, 0b0100U);
    EXPECT_EQ(made[1].hash, DistributionHash::l2);
    EXPECT_EQ(read->ports[0].aggregation, "");
    EXPECT_EQ(read->ports[3].aggregation, "bond0");
}

TEST(AggregationsOf, HaveLacpWhereItIsWritten) {
    const auto read =
        load_text(four_ports +
                      "aggregations:\n"
                      "  - {name: bond0, ports: [p0]}\n"
                      "  - {name: bond1, ports: [p1, p2], lacp: {mode: passive}}\n"
                      "  - {name: bond2, ports: [p3], lacp: {mode: active, timeout: short,\n"
                      "                                      system_priority: 1}}\n",
                  "x.yaml");
    ASSERT_TRUE(read.has_value());
    const auto& made = read->aggregations;
    ASSERT_EQ(made.size(), 3U);
    EXPECT_EQ(made[0].lacp.mode, LacpMode::off);
    EXPECT_EQ(made[1].lacp.mode, LacpMode::passive);
    EXPECT_FALSE(made[1].lacp.short_timeout);
    EXPECT_EQ(made[1].lacp.system_priority, 32768);
    EXPECT_EQ(made[1].members, 0b0110U);
    EXPECT_EQ(made[2].lacp.mode, LacpMode::active);
    EXPECT_TRUE(made[2].lacp.short_timeout);
    EXPECT_EQ(made[2].lacp.system_priority, 1);
    for (PortIndex port = 0; port < 4; ++port) {
        EXPECT_EQ(read->settings.ports[port].lacp, port != 0) << int{port};
    }
}

TEST(AggregationsOf, KeysOfLacpGoWithLacp) {
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a}, {device: ring:b, format: afh_lite}]\n"
                  "aggregations:\n"
                  "  - {name: a, ports: [p0], lacp: {timeout: short}}\n"
                  "  - {name: b, ports: [p1], lacp: {mode: active}}\n"),
        (Lines{"x.yaml:3:44: aggregations[0].lacp.timeout: has no meaning with lacp.mode: off; "
               "leave it out, or write mode: active",
               "x.yaml:4:41: aggregations[1].lacp.mode: p1 has frames of format afh_lite; write "
               "off, or members of format standard"}));
}

TEST(AggregationsOf, AreNoneUnlessWritten) {
    const auto read = load_text(four_ports, "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->settings.aggregations.empty());
}

TEST(AggregationsOf, NamesAndMembersAreUnique) {
    EXPECT_EQ(
        faults_of(four_ports + "aggregations:\n"
                               "  - {name: p0, ports: [p1, p2]}\n"
                               "  - {name: bond, ports: [p2, p9, p3]}\n"
                               "  - {name: bond, ports: []}\n"),
        (Lines{"x.yaml:3:12: aggregations[0].name: \"p0\" is taken by ports[0]; give it a "
               "name of its own",
               "x.yaml:4:26: aggregations[1].ports[0]: p2 is already in aggregations[0]; "
               "keep it in one of them",
               "x.yaml:4:30: aggregations[1].ports[1]: no port is called \"p9\"; did you "
               "mean p0",
               "x.yaml:5:12: aggregations[2].name: \"bond\" is taken by aggregations[1].name; "
               "give it a name of its own",
               "x.yaml:5:25: aggregations[2].ports: has 0 items; write a list of 1 to 64, "
               "each a name of up to 32 letters, digits and . _ - /"}));
}

TEST(AggregationsOf, MembersAgreeOnWhatBridgingAsks) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, vlan: {mode: trunk, allowed: [10, 20]}, mtu: 1500}\n"
                  "  - {device: ring:b, vlan: {mode: trunk, allowed: [10]}, mtu: 1400B}\n"
                  "  - {device: ring:c, isolated: true, rate: 1G, fdb: {sticky: true}}\n"
                  "  - {device: ring:d, default_vlan: 7, rate: 2G}\n"
                  "aggregations:\n"
                  "  - {name: x, ports: [p0, p1]}\n"
                  "  - {name: y, ports: [p2, p3]}\n"),
        (Lines{"x.yaml:7:27: aggregations[0].ports[1]: mtu of p1 is not that of p0; write the same "
               "for all members",
               "x.yaml:7:27: aggregations[0].ports[1]: vlan of p1 is not that of p0; write the "
               "same for all members",
               "x.yaml:8:27: aggregations[1].ports[1]: default_vlan of p3 is not that of p2; write "
               "the same for all members",
               "x.yaml:8:27: aggregations[1].ports[1]: isolated of p3 is not that of p2; write "
               "the same for all members",
               "x.yaml:8:27: aggregations[1].ports[1]: fdb of p3 is not that of p2; write the "
               "same for all members"}));
}

TEST(AggregationsOf, MembersAreInTheSameVlans) {
    EXPECT_EQ(
        faults_of(four_ports + "vlans: [{id: 10, ports: [p0, p1]}, {id: 20, ports: [p1, p2]}]\n"
                               "aggregations: [{name: x, ports: [p0, p1]}]\n"),
        (Lines{"x.yaml:3:38: aggregations[0].ports[1]: only one of p1 and p0 is in VLAN 20; list "
               "all members there, or none"}));
}

TEST(AggregationsOf, WhatInheritsTheSameIsTheSame) {
    EXPECT_EQ(faults_of("defaults: {vlan: {mode: access, access: 10}}\n" + four_ports +
                        "aggregations: [{name: x, ports: [p0, p1]}]\n"),
              Lines{});
}

}  // namespace
}  // namespace sluice::config
