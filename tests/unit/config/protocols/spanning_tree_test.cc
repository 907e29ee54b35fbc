#include "config/protocols/spanning_tree.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(SpanningTreeOf, IsOffUnlessWritten) {
    const auto bare = load_text(two_ports, "x.yaml");
    ASSERT_TRUE(bare.has_value());
    EXPECT_EQ(bare->spanning_tree.mode, SpanningTreeMode::off);
    EXPECT_FALSE(bare->settings.ports[0].spanning_tree);
}

TEST(SpanningTreeOf, HasTheDefaultsOf8021QAndWhatIsWritten) {
    const auto read = load_text(
        "spanning_tree: {mode: rstp}\n"
        "defaults: {spanning_tree: {edge: on, bpdu_guard: true, recovery: 30s}}\n"
        "ports:\n"
        "  - {device: ring:a}\n"
        "  - {device: ring:b, spanning_tree: {edge: off, bpdu_guard: false, cost: 7,\n"
        "     priority: 16, root_guard: true}}\n"
        "  - {device: ring:c, format: afh_lite}\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    const SpanningTreeConfig& tree = read->spanning_tree;
    EXPECT_EQ(tree.mode, SpanningTreeMode::rstp);
    EXPECT_EQ(tree.priority, 32768);
    EXPECT_EQ(tree.hello, Nanos(2'000'000'000));
    EXPECT_EQ(tree.max_age, Nanos(20'000'000'000));
    EXPECT_EQ(tree.forward_delay, Nanos(15'000'000'000));
    EXPECT_EQ(tree.hold_count, 6);
    const PortSpanningTreeConfig& host = read->ports[0].spanning_tree;
    EXPECT_EQ(host.cost, 0U) << "by its speed";
    EXPECT_EQ(host.priority, 128);
    EXPECT_EQ(host.edge, EdgePort::on);
    EXPECT_TRUE(host.bpdu_guard);
    EXPECT_EQ(host.recovery, Nanos(30'000'000'000));
    const PortSpanningTreeConfig& uplink = read->ports[1].spanning_tree;
    EXPECT_EQ(uplink.cost, 7U);
    EXPECT_EQ(uplink.priority, 16);
    EXPECT_EQ(uplink.edge, EdgePort::off);
    EXPECT_FALSE(uplink.bpdu_guard);
    EXPECT_TRUE(uplink.root_guard);
    EXPECT_TRUE(read->settings.ports[0].spanning_tree);
    EXPECT_FALSE(read->settings.ports[2].spanning_tree) << "no BPDUs in its format";
}

TEST(SpanningTreeOf, AMirrorsListenerAndATunnelAreNotInIt) {
    const auto read = load_text(
        "spanning_tree: {mode: stp, priority: 4096}\n"
        "ports:\n"
        "  - {name: a, device: ring:a}\n"
        "  - {name: b, device: ring:b}\n"
        "  - {name: w, device: ring:w, underlay: {address: 198.51.100.2/24}}\n"
        "  - {name: t, device: 'vxlan:w/198.51.100.1/7'}\n"
        "mirrors: [{from: [a], to: b}]\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->settings.ports[0].spanning_tree);
    EXPECT_FALSE(read->settings.ports[1].spanning_tree);
    EXPECT_TRUE(read->settings.ports[2].spanning_tree);
    EXPECT_FALSE(read->settings.ports[3].spanning_tree);
}

TEST(SpanningTreeOf, WhatHasNoMeaningIsRefused) {
    EXPECT_EQ(
        faults_of("spanning_tree: {priority: 4096}\n"
                  "ports: [{device: ring:a, spanning_tree: {bpdu_guard: true}}]\n"),
        (Lines{"x.yaml:1:27: spanning_tree.priority: has no meaning without spanning_tree.mode; "
               "leave it out, or write mode: rstp beside it",
               "x.yaml:2:54: ports[0].spanning_tree.bpdu_guard: has no meaning without a spanning "
               "tree; leave it out, or write spanning_tree: {mode: rstp} for the switch"}));
    EXPECT_EQ(faults_of("spanning_tree: {mode: off, priority: 4096}\n"
                        "ports: [{device: ring:a, spanning_tree: {bpdu_guard: true}}]\n"),
              Lines{})
        << "off for a while";
    EXPECT_EQ(
        faults_of("spanning_tree: {mode: rstp}\nbpdus: forward\n"
                  "ports:\n"
                  "  - {device: ring:a, spanning_tree: {bpdu_filter: true, root_guard: true}}\n"
                  "  - {device: ring:b, spanning_tree: {recovery: 5s}}\n"
                  "  - {device: ring:c, format: afh_lite, spanning_tree: {cost: 5}}\n"),
        (Lines{"x.yaml:2:8: bpdus: with spanning_tree.mode the switch processes BPDUs itself; "
               "write drop, or spanning_tree: {mode: off}",
               "x.yaml:4:51: ports[0].spanning_tree.bpdu_filter: a port that ignores BPDUs needs "
               "no guard; write bpdu_filter: false, or no guard",
               "x.yaml:5:48: ports[1].spanning_tree.recovery: has no meaning without bpdu_guard; "
               "leave it out, or write bpdu_guard: true",
               "x.yaml:6:62: ports[2].spanning_tree.cost: a port with frames of format afh_lite is "
               "not in the spanning tree; leave it out, or write format: standard"}));
}

TEST(SpanningTreeOf, PrioritiesHaveStepsAndTimesFitEachOther) {
    EXPECT_EQ(faults_of("spanning_tree: {mode: rstp, priority: 5000}\n"
                        "ports: [{device: ring:a, spanning_tree: {priority: 17}}]\n"),
              (Lines{"x.yaml:1:39: spanning_tree.priority: 5000 is no multiple of 4096; write 4096 "
                     "or 8192",
                     "x.yaml:2:52: ports[0].spanning_tree.priority: 17 is no multiple of 16; write "
                     "16 or 32"}));
    EXPECT_EQ(faults_of("spanning_tree: {mode: rstp, forward_delay: 4s}\n" + one_port),
              (Lines{"x.yaml:1:44: spanning_tree.forward_delay: max_age of 20s is above twice the "
                     "forward_delay less a second, 6s; write a smaller max_age, or a larger "
                     "forward_delay"}));
    EXPECT_EQ(faults_of("spanning_tree: {mode: rstp, forward_delay: 4s, max_age: 6s}\n" + one_port),
              Lines{})
        << "twice a hello of 2 s and a second are 6 s";
}

TEST(SpanningTreeOf, MembersOfAnAggregationHaveTheSame) {
    EXPECT_EQ(faults_of("spanning_tree: {mode: rstp}\n"
                        "ports:\n"
                        "  - {name: a, device: ring:a}\n"
                        "  - {name: b, device: ring:b, spanning_tree: {cost: 9}}\n"
                        "aggregations: [{name: bond, ports: [a, b]}]\n"),
              (Lines{"x.yaml:5:40: aggregations[0].ports[1]: spanning_tree of b is not that of a; "
                     "write the same for all members"}));
}

}  // namespace
}  // namespace sluice::config
