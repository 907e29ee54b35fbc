#include "config/unused_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(UnusedKeys, WeightsAreOfARuleThatHasThem) {
    const std::string weights = "weights: [1, 1, 1, 1, 1, 1, 1, 1]";
    EXPECT_EQ(faults_of(one_port + "fabric: {" + weights + "}\n"),
              Lines{"x.yaml:2:19: fabric.weights: has no meaning with rule: strict; leave it out, "
                    "or write rule: weighted"});
    EXPECT_EQ(faults_of(one_port + "fabric: {rule: weighted, " + weights + "}\n"), Lines{});
}

TEST(UnusedKeys, GroupsAgeWhereReportsAreHeard) {
    const std::string keys =
        "vlans: [10], unregistered: router_ports, fast_leave: true, ageing: 10s, leaving: 1s";
    const Lines faults = faults_of(one_port + "multicast: {" + keys + "}\n");
    ASSERT_EQ(faults.size(), 5U);
    EXPECT_EQ(faults[3],
              "x.yaml:2:80: multicast.ageing: has no meaning without multicast.snooping; leave it "
              "out, or write snooping: [igmp, mld]");
    EXPECT_EQ(faults_of(one_port + "multicast: {snooping: [mld], " + keys + "}\n"), Lines{});
}

TEST(UnusedKeys, APortHasOneVlanForFramesWithoutATag) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, default_vlan: 5, vlan: {mode: trunk, native: 7}}\n"
                  "  - {device: ring:b, default_vlan: 5, vlan: {mode: access, access: 7}}\n"
                  "  - {device: ring:c, default_vlan: 5, vlan: {mode: access}}\n"
                  "  - {device: ring:d, default_vlan: 5}\n"),
        (Lines{"x.yaml:2:36: ports[0].default_vlan: has no meaning with vlan.mode: trunk; leave it "
               "out",
               "x.yaml:3:36: ports[1].default_vlan: has no meaning beside vlan.access; leave one "
               "of them out"}));
    EXPECT_EQ(faults_of("ports: [{device: ring:a, default_vlan: 5, vlan: {mode: trunk}}]\n"),
              Lines{"x.yaml:1:40: ports[0].default_vlan: has no meaning with vlan.mode: trunk; "
                    "leave it out, or write vlan.native in its place"});
    EXPECT_EQ(faults_of("defaults: {default_vlan: 5}\n"
                        "ports: [{device: ring:a}, {device: ring:b, vlan: {mode: trunk}}]\n"),
              Lines{});
}

TEST(UnusedKeys, AUnitIsOfARate) {
    const auto storm = [](const std::string& keys) {
        return faults_of("ports: [{device: ring:a, storm_control: {" + keys + "}}]\n");
    };
    EXPECT_EQ(storm("unit: frames"),
              Lines{"x.yaml:1:48: ports[0].storm_control.unit: has no meaning without a rate; "
                    "leave it out, or write a rate beside it"});
    EXPECT_EQ(storm("unit: frames, broadcast: 1K"), Lines{});
    EXPECT_EQ(storm("unit: frames, broadcast: x").size(), 1U);
}

}  // namespace
}  // namespace sluice::config
