#include "tools/sluice/capture/filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "control/capture/capture_request.h"
#include "tests/support/octets.h"

namespace sluice::cli {
namespace {

// The filter as sluiced would compile it.
control::CaptureFilter filter_of(const std::string& expression) {
    const auto program = compiled(expression);
    EXPECT_TRUE(program) << expression;
    const nlohmann::json request = {
        {"capture",
         {{"ports", {"p0"}}, {"of", {"in"}}, {"filter", nlohmann::json::parse(program->dump())}}}};
    return control::parse_capture(request).value().filter;
}

bool passes(const std::string& expression, const test::FrameSpec& spec) {
    const test::Octets octets = octets_of(spec);
    return filter_of(expression).passes(octets, octets.size());
}

TEST(CaptureFilter, AnExpressionMeansWhatItMeansToLibpcap) {
    const test::FrameSpec arp{.ether_type = 0x0806};
    const test::FrameSpec tagged_arp{.tag = test::Tag{.vlan = 10, .pcp = 3}, .ether_type = 0x0806};
    EXPECT_TRUE(passes("arp", arp));
    EXPECT_FALSE(passes("arp", tagged_arp));
    EXPECT_TRUE(passes("vlan and arp", tagged_arp));
    EXPECT_TRUE(passes("vlan 10", tagged_arp));
    EXPECT_FALSE(passes("vlan 11", tagged_arp));
    EXPECT_FALSE(passes("vlan", arp));
    EXPECT_TRUE(passes("ether[14] >> 5 == 3", tagged_arp));
    EXPECT_TRUE(passes("greater 60 and less 60", arp));
}

TEST(CaptureFilter, WhatMakesNoSenseIsRefused) {
    const auto refused = compiled("icmp and and");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, 2);
    EXPECT_TRUE(refused.error().lines.at(0).starts_with("--filter: ")) << refused.error().lines[0];
}

TEST(CaptureFilter, AnExpressionHasABound) {
    std::string expression = "ether[14] == 0";
    for (int n = 1; n < 600; ++n) {
        expression += " or ether[" + std::to_string(14 + n) + "] == " + std::to_string(n % 256);
    }
    const auto refused = compiled(expression);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().lines.at(0).find("of up to 512"), std::string::npos);
}

}  // namespace
}  // namespace sluice::cli
