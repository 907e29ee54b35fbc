#include "tools/snmp/switch_state.h"

#include <gtest/gtest.h>

#include "control/if_index.h"

namespace sluice::snmp {
namespace {

Json port(const char* name, unsigned index, const char* aggregation, uint64_t frames) {
    return {{"name", name},
            {"index", index},
            {"if_index", control::hashed_if_index(name)},
            {"device", index == 3 ? "vxlan:p0/192.0.2.1/7" : "af_packet:eth0"},
            {"description", ""},
            {"aggregation", aggregation},
            {"link", index == 1 ? "down" : "up"},
            {"admin_status", "up"},
            {"rate_bps", 10'000'000'000},
            {"max_frame", 1522},
            {"address", "02:00:00:00:00:01"},
            {"rx_frames", frames},
            {"rx_bytes", frames * 100}};
}

const Json three = {port("p0", 0, "bond", 5), port("p1", 1, "bond", 7), port("vx", 3, "", 9)};
const Json counted = {{{"port", "p1"}, {"rx_drp", 2}, {"tx_err", 3}}};

TEST(SwitchState, AggregationsComeBehindThePorts) {
    const auto found = interfaces_of(three, counted);
    std::vector<std::pair<std::string, uint32_t>> numbers;
    for (const Interface& each : found) numbers.emplace_back(each.name, each.number);
    EXPECT_EQ(numbers, (std::vector<std::pair<std::string, uint32_t>>{
                           {"p0", 1}, {"p1", 2}, {"vx", 4}, {"bond", 65}}));
    EXPECT_EQ(number_of(found, "bond"), 65U);
    EXPECT_EQ(number_of(found, "nobody"), 0U);
}

TEST(SwitchState, AnAggregationIsItsMembersTogether) {
    const auto found = interfaces_of(three, counted);
    const Interface& bond = found.back();
    EXPECT_EQ(bond.kind, Interface::Kind::aggregation);
    EXPECT_EQ(bond.if_index, control::hashed_if_index("bond"));
    EXPECT_EQ(bond.link, Interface::Link::up);
    EXPECT_EQ(bond.speed, 10'000'000'000U) << "of p0, as p1 is down";
    EXPECT_EQ(bond.in, (Counters{1200, 12, 2, 0}));
    EXPECT_EQ(bond.out, (Counters{0, 0, 0, 3}));
    EXPECT_EQ(bond.mtu, 1500U);
    EXPECT_EQ(found[2].kind, Interface::Kind::tunnel);
}

TEST(SwitchState, WhatMakesNoSenseIsLeftOut) {
    EXPECT_TRUE(interfaces_of({{"a", 1}}, nullptr).empty());
    EXPECT_TRUE(interfaces_of({1, nullptr, {{"name", "p"}, {"index", 64}}}, {1}).empty());
    EXPECT_EQ(interfaces_of({{{"name", "p"}}, {{"name", "p"}}}, {}).size(), 1U);
}

}  // namespace
}  // namespace sluice::snmp
