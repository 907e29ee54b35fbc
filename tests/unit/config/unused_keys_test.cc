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

TEST(UnusedKeys, AnIntervalIsOfWhatIsKept) {
    EXPECT_EQ(
        faults_of(one_port + "state: {interval: 5s}\n"),
        Lines{"x.yaml:2:19: state.interval: has no meaning without state.fdb or "
              "state.counters; leave it out, or write fdb: true or counters: true beside it"});
    EXPECT_EQ(faults_of(one_port + "state: {interval: 5s, fdb: true}\n"), Lines{});
    EXPECT_EQ(faults_of(one_port + "state: {interval: 5s, counters: true}\n"), Lines{});
}

TEST(UnusedKeys, GroupsAgeWhereReportsAreSnooped) {
    const std::string keys =
        "vlans: [10], unregistered: router_ports, fast_leave: true, ageing: 10s, leaving: 1s";
    const Lines faults = faults_of(one_port + "multicast: {" + keys + "}\n");
    ASSERT_EQ(faults.size(), 5U);
    EXPECT_EQ(faults[3],
              "x.yaml:2:80: multicast.ageing: has no meaning without multicast.snooping; leave it "
              "out, or write snooping: [igmp, mld]");
    EXPECT_EQ(faults_of(one_port + "multicast: {snooping: [mld], " + keys + "}\n"), Lines{});
}

TEST(UnusedKeys, AQuerierAsksWhereItsVlansAre) {
    const std::string snoops = one_port + "multicast: {snooping: [mld], querier: {";
    EXPECT_EQ(faults_of(snoops + "interval: 60s}}\n"),
              Lines{"x.yaml:2:50: multicast.querier.interval: has no meaning without "
                    "multicast.querier.vlans; leave it out, or write vlans: [1] beside it"});
    EXPECT_EQ(faults_of(snoops + "vlans: [1], interval: 60s}}\n"), Lines{});
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
               "x.yaml:3:36: ports[1].default_vlan: has no meaning together with vlan.access; "
               "leave one of them out"}));
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
    EXPECT_EQ(
        storm("unit: frames"),
        Lines{"x.yaml:1:48: ports[0].storm_control.unit: has no meaning without a rate; leave "
              "it out, or write a rate beside it"});
    EXPECT_EQ(storm("unit: frames, broadcast: 1K"), Lines{});
    EXPECT_EQ(storm("unit: frames, broadcast: x").size(), 1U);
}

Lines faults_with(const std::string& keys) {
    return faults_of("ports: [{device: ring:a, " + keys + "}]\n");
}

TEST(UnusedKeys, LevelsAreOfLosslessPriorities) {
    EXPECT_EQ(faults_with("pfc: {xoff: 64KiB}"),
              Lines{"x.yaml:1:38: ports[0].pfc.xoff: has no meaning without lossless priorities; "
                    "leave it out, or write lossless: [3] or the like"});
    const std::string levels =
        "pfc: {trigger: egress, reserved: 1KiB, alpha: 1, xoff: 64KiB, xon: 32KiB, xon_offset: "
        "1KiB, headroom: 1MiB, pause: 100, tx_limit: 9}";
    EXPECT_EQ(faults_with(levels).size(), 9U);
    EXPECT_EQ(faults_with(levels + ", lossless: [3]"), Lines{});
    EXPECT_EQ(faults_with(levels + ", lossless: x").size(), 1U);
    EXPECT_EQ(faults_of("defaults: {" + levels + "}\n" + one_port), Lines{});
}

TEST(UnusedKeys, AWillingPortMayGetLosslessPriorities) {
    const std::string level = "pfc: {xoff: 64KiB}, ";
    EXPECT_EQ(faults_with(level + "dcbx: {willing: [pfc]}"), Lines{});
    EXPECT_EQ(faults_with(level + "dcbx: {willing: [x]}").size(), 1U);
    EXPECT_EQ(faults_with(level + "dcbx: {willing: [ets]}").size(), 1U);
    for (const std::string without_lldp : {"dcbx: {mode: disabled}", "lldp: {mode: tx}"}) {
        EXPECT_EQ(faults_of("defaults: {dcbx: {willing: [pfc]}}\n"
                            "ports: [{device: ring:a, " +
                            level + without_lldp + "}]\n")
                      .size(),
                  1U);
    }
}

// A feature that is switched off explicitly may keep its keys, so that it can be switched on again.
TEST(UnusedKeys, WhatIsSwitchedOffMayKeepItsKeys) {
    const std::string pfc =
        "pfc: {xoff: 64KiB, watchdog: {action: drop, detection: 1s, restoration: 1s, poll: 1s}}";
    EXPECT_EQ(faults_with("lossless: [], " + pfc), Lines{});
    EXPECT_EQ(faults_of("defaults: {lossless: []}\nports: [{device: ring:a, " + pfc + "}]\n"),
              Lines{});
    EXPECT_EQ(faults_with("lossless: [3], pfc: {watchdog: {action: off, detection: 1s, poll: 1s}}"),
              Lines{});
}

TEST(UnusedKeys, WhatAPauseDoesNeedsOneThatIsObeyed) {
    EXPECT_EQ(faults_with("pfc: {rx_limit: 9, watchdog: {action: drop}}"),
              (Lines{"x.yaml:1:42: ports[0].pfc.rx_limit: has no meaning without lossless "
                     "priorities, pfc.link_pause or pfc.asymmetric; leave it out, or write "
                     "lossless: [3] or the like"}));
    // The watchdog looks at devices as well.
    const std::string watchdog = "watchdog: {detection: 1s, restoration: 1s, poll: 1s}";
    EXPECT_EQ(faults_with("pfc: {" + watchdog + "}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {unproved: refuse}").size(), 1U);
    EXPECT_EQ(faults_with("pfc: {unproved: warn}, dcbx: {willing: [pfc]}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {unproved: allow, link_pause: true}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {link_pause: true, rx_limit: 9, " + watchdog + "}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {asymmetric: true, rx_limit: 9}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {asymmetric: true, bits: {received: {1: 2}}}"), Lines{});
    EXPECT_EQ(faults_with("pfc: {link_pause: x, rx_limit: 9, " + watchdog + "}").size(), 1U);
    // Keys about the link and about counters, and values that have no effect anyway.
    EXPECT_EQ(faults_with("pfc: {cable: 1km, response: 1us, peer: 02:00:00:00:00:0B, alpha: 0, "
                          "watchdog: {action: off}}"),
              Lines{});
}

TEST(UnusedKeys, TablesAreOfWhatIsTrusted) {
    const std::string pcp = "pcp_to_priority: [0, 0, 0, 0, 0, 0, 0, 7]";
    EXPECT_EQ(faults_with("trust: [dscp], " + pcp),
              Lines{"x.yaml:1:58: ports[0].pcp_to_priority: has no meaning where trust does not "
                    "name pcp; leave it out, or name it in trust"});
    EXPECT_EQ(faults_with("trust: [dscp, pcp], " + pcp), Lines{});
    EXPECT_EQ(faults_with("trust: [dscp, x], " + pcp).size(), 1U);
    EXPECT_EQ(faults_with("trust: [pcp], dscp_to_priority: {26: 3}"),
              Lines{"x.yaml:1:58: ports[0].dscp_to_priority: has no meaning where trust names "
                    "neither dscp nor roce; leave it out, or name it in trust"});
    EXPECT_EQ(faults_with("trust: [pcp], dscp_to_priority: {}"), Lines{});
    EXPECT_EQ(faults_with("trust: [roce], dscp_to_priority: {26: 3}"), Lines{});
    const std::string classes = "format: afh_gen1, tc_to_priority: {12: 3}";
    EXPECT_EQ(faults_with("trust: [pcp], " + classes),
              Lines{"x.yaml:1:74: ports[0].tc_to_priority: has no meaning where trust does not "
                    "name tc; leave it out, or name it in trust"});
    EXPECT_EQ(faults_with(classes), Lines{});
    EXPECT_EQ(faults_of("defaults: {" + pcp + "}\nports: [{device: ring:a, trust: []}]\n"),
              Lines{});
}

TEST(UnusedKeys, BehindASourceThatEveryFrameHasNobodyIsAsked) {
    const std::string gen1 = "format: afh_gen1, ";
    EXPECT_EQ(faults_with(gen1 + "trust: [tc, pcp]"),
              Lines{"x.yaml:1:56: ports[0].trust[1]: pcp is never used after tc, which every frame "
                    "of format afh_gen1 has; leave it out, or write it before tc"});
    EXPECT_EQ(faults_with(gen1 + "trust: [pcp, tc]"), Lines{});
    EXPECT_EQ(faults_with("trust: [tc, pcp]"), Lines{}) << "a standard frame has no class";
    EXPECT_EQ(faults_with("trust: [dscp, roce]"),
              Lines{"x.yaml:1:40: ports[0].trust[1]: roce is never used after dscp, which RoCEv2 "
                    "frames have too; leave it out, or write it before dscp"});
    EXPECT_EQ(faults_with("trust: [roce, dscp]"), Lines{});
    const std::string pcp = "pcp_to_priority: [0, 0, 0, 0, 0, 0, 0, 7]";
    EXPECT_EQ(faults_with(gen1 + "trust: [tc, pcp], " + pcp).size(), 1U);
    EXPECT_EQ(faults_of("defaults: {trust: [tc, pcp]}\nports: [{device: ring:a, " + gen1 + pcp +
                        "}, {device: ring:b, " + pcp + "}]\n"),
              Lines{"x.yaml:2:61: ports[0].pcp_to_priority: has no meaning after tc, which every "
                    "frame of format afh_gen1 has; leave it out, or write a trust with tc last"});
}

TEST(UnusedKeys, AProfileSaysWhatIsTrusted) {
    const std::string tables =
        "pcp_to_priority: [0, 0, 0, 0, 0, 0, 0, 7], dscp_to_priority: {26: 3}";
    EXPECT_EQ(faults_with("profile: roce_v2, " + tables).size(), 1U);
    EXPECT_EQ(faults_with("profile: roce_v2, trust: [pcp, roce], " + tables), Lines{});
    EXPECT_EQ(faults_with("profile: paxi, " + tables), Lines{});
    EXPECT_EQ(faults_with("profile: x, " + tables).size(), 1U);
}

}  // namespace
}  // namespace sluice::config
