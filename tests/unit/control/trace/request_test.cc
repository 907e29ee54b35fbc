#include "control/trace/request.h"

#include <gtest/gtest.h>

#include "control/socket/request.h"

namespace sluice::control {
namespace {

TEST(TraceRequest, without_words_it_is_of_the_next_frame) {
    const auto parsed = parse_request(R"({"trace": {}})");
    ASSERT_TRUE(parsed);
    const auto& request = std::get<TraceRequest>(*parsed);
    EXPECT_EQ(request.filter.frames, 1U);
    EXPECT_EQ(request.within, std::chrono::seconds(10));
    EXPECT_FALSE(request.port || request.filter.source || request.filter.destination ||
                 request.filter.vlan || request.filter.priority);
}

TEST(TraceRequest, says_which_frames_how_many_and_for_how_long) {
    const auto parsed = parse_request(
        R"({"trace": {"port": "p1", "dst": "02:00:00:00:01:0a", "src": "70000", "vlan": 10,)"
        R"( "priority": 0, "frames": 64, "for_s": 60}})");
    ASSERT_TRUE(parsed);
    const auto& request = std::get<TraceRequest>(*parsed);
    EXPECT_EQ(request.port, "p1");
    EXPECT_EQ(request.filter.destination, MacAddress{0x0200'0000'010A});
    EXPECT_EQ(request.filter.source, MacAddress{70000});
    EXPECT_EQ(request.filter.vlan, VlanId{10});
    EXPECT_EQ(request.filter.priority, Priority{0});
    EXPECT_EQ(request.filter.frames, 64U);
    EXPECT_EQ(request.within, std::chrono::seconds(60));
}

TEST(TraceRequest, what_is_wrong_is_refused_by_its_key) {
    for (const auto& [key, value] : std::initializer_list<std::pair<std::string, std::string>>{
             {"port", "1"},
             {"dst", R"("02:00:00:00:01")"},
             {"dst", R"("02-00-00:00-01-00")"},
             {"src", R"("4294967296")"},
             {"src", R"("")"},
             {"vlan", "4095"},
             {"vlan", R"("1")"},
             {"priority", "8"},
             {"priority", "-1"},
             {"frames", "0"},
             {"frames", "65"},
             {"for_s", "61"},
             {"for_s", "1.5"}}) {
        const auto refused = parse_request(R"({"trace": {")" + key + R"(": )" + value + "}}");
        ASSERT_FALSE(refused) << key << value;
        EXPECT_TRUE(refused.error().starts_with(key + ": ")) << refused.error();
    }
    EXPECT_FALSE(parse_request(R"({"trace": {"ports": "p1"}})"));
    EXPECT_FALSE(parse_request(R"({"trace": true})"));
    EXPECT_FALSE(parse_request(R"({"trace": {}, "all": true})"));
}

TEST(WhatIfRequest, has_a_frame_and_a_port) {
    const auto parsed =
        parse_request(R"({"what_if": {"frame": "eth src 02:00:00:00:00:01 dst 02:00:00:00:00:02", )"
                      R"("port": "p1"}})");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(std::get<WhatIfRequest>(*parsed).port, "p1");
    EXPECT_EQ(std::get<WhatIfRequest>(*parsed).octets.size(), 60U);
    EXPECT_FALSE(parse_request(R"({"what_if": {"frame": "eth"}})"));
    EXPECT_FALSE(parse_request(R"({"what_if": {"frame": "eth", "port": "p1"}})"));
    EXPECT_FALSE(parse_request(R"({"what_if": "eth"})"));
}

}  // namespace
}  // namespace sluice::control
