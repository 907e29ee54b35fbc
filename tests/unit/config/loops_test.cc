#include "config/loops.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

std::string advice_of(const std::string& more) {
    const auto read =
        load_text(more +
                      "ports:\n"
                      "  - {name: up1, device: ring:a, vlan: {mode: trunk}}\n"
                      "  - {name: up2, device: ring:b, vlan: {mode: trunk, allowed: [5-9]}}\n"
                      "  - {name: host, device: ring:c, vlan: {mode: access, access: 5}}\n",
                  "x.yaml");
    EXPECT_TRUE(read) << to_string(read.error().front());
    if (!read) return "";
    const auto lines = advice_on_loops(*read);
    return lines.empty() ? "" : lines.front();
}

TEST(AdviceOnLoops, IsGivenOfTrunksThatShareAVlan) {
    EXPECT_EQ(advice_of("").substr(0, 40), "trunks up1, up2 share VLANs, such as 5: ");
}

TEST(AdviceOnLoops, IsNotGivenWhereSomethingWatches) {
    EXPECT_EQ(advice_of("spanning_tree: {mode: rstp}\n"), "");
    EXPECT_EQ(advice_of("defaults: {loop_guard: {action: shut}}\n"), "");
    EXPECT_NE(advice_of("defaults: {loop_guard: {action: warn}}\n"), "");
    EXPECT_EQ(advice_of("defaults: {isolated: true}\n"), "");
}

TEST(AdviceOnLoops, AnAggregationIsOneAndPortsWithoutTagsAreForHosts) {
    const auto bonded = load_text(
        "ports:\n"
        "  - {name: up1, device: ring:a, vlan: {mode: trunk}}\n"
        "  - {name: up2, device: ring:b, vlan: {mode: trunk}}\n"
        "aggregations: [{name: bond, ports: [up1, up2]}]\n",
        "x.yaml");
    ASSERT_TRUE(bonded);
    EXPECT_TRUE(advice_on_loops(*bonded).empty());
    const auto provider = load_text(
        "ports:\n"
        "  - {name: up1, device: ring:a, vlan: {mode: trunk}}\n"
        "  - {name: up2, device: ring:b, vlan: {mode: trunk, tpid: '0x88A8'}}\n",
        "x.yaml");
    ASSERT_TRUE(provider);
    EXPECT_TRUE(advice_on_loops(*provider).empty()) << "different networks";
    const auto plain = load_text(two_ports, "x.yaml");
    ASSERT_TRUE(plain);
    EXPECT_TRUE(advice_on_loops(*plain).empty());
}

TEST(UnwatchedVlan, IsOneThatBothPortsHave) {
    const auto vlan_of = [](const std::string& more, PortIndex one, PortIndex other) {
        const auto read =
            load_text(more +
                          "ports:\n"
                          "  - {name: up1, device: ring:a, vlan: {mode: trunk}}\n"
                          "  - {name: up2, device: ring:b, vlan: {mode: trunk, allowed: [5-9]}}\n"
                          "  - {name: host, device: ring:c, vlan: {mode: access, access: 7}}\n"
                          "  - {name: apart, device: ring:d, vlan: {mode: access, access: 9}}\n",
                      "x.yaml");
        return read ? unwatched_vlan(*read, one, other) : VlanId{9999};
    };
    EXPECT_EQ(vlan_of("", 0, 1), 5U);
    EXPECT_EQ(vlan_of("", 1, 2), 7U) << "an access port is one as well";
    EXPECT_EQ(vlan_of("", 2, 3), 0U);
    EXPECT_EQ(vlan_of("spanning_tree: {mode: rstp}\n", 0, 1), 0U);
    EXPECT_EQ(vlan_of("bpdus: forward\n", 0, 1), 0U) << "the neighbour's tree has both";
    EXPECT_EQ(vlan_of("defaults: {loop_guard: {action: shut}}\n", 0, 1), 0U);
    EXPECT_EQ(vlan_of("defaults: {isolated: true}\n", 0, 1), 0U);
    const auto bonded =
        load_text(two_ports + "aggregations: [{name: bond, ports: [p0, p1]}]\n", "x.yaml");
    ASSERT_TRUE(bonded) << to_string(bonded.error().front());
    EXPECT_EQ(unwatched_vlan(*bonded, 0, 1), 0U);
    const auto plain = load_text(two_ports, "x.yaml");
    ASSERT_TRUE(plain);
    EXPECT_EQ(unwatched_vlan(*plain, 0, 1), 1U);
}

}  // namespace
}  // namespace sluice::config
