#include "control/trace/frame_description.h"

#include <gtest/gtest.h>

#include "dataplane/ingress/parse.h"
#include "tests/support/octets.h"

namespace sluice::control {
namespace {

using test::Octets;
using test::station;

const std::string ends = "eth src 02:00:00:00:01:00 dst 02:00:00:00:01:01";

Headers headers_of(const std::string& words) {
    const auto octets = parse_frame(words);
    EXPECT_TRUE(octets) << words;
    Headers headers;
    EXPECT_EQ(parse(*octets, headers), Drop::none) << words;
    return headers;
}

TEST(FrameDescription, ends_alone_are_the_shortest_frame) {
    EXPECT_EQ(parse_frame(ends), test::octets_of(test::FrameSpec{}));
}

TEST(FrameDescription, a_tag_is_of_a_vlan_or_a_priority) {
    const Headers tagged = headers_of(ends + " vlan 10 pcp 3");
    EXPECT_TRUE(tagged.tagged);
    EXPECT_EQ(tagged.vlan, 10);
    EXPECT_EQ(tagged.pcp, 3);
    EXPECT_EQ(headers_of(ends + " pcp 7").vlan, 0);
    const auto service = parse_frame(ends + " service vlan 10");
    EXPECT_EQ(read_16(&(*service)[12]), 0x88A8);
}

TEST(FrameDescription, a_dscp_makes_it_ip) {
    const Headers four = headers_of(ends + " dscp 26");
    EXPECT_EQ(four.ether_type, 0x0800);
    EXPECT_EQ(four.dscp, 26);
    const Headers six = headers_of(ends + " type 0x86dd dscp 46 vlan 2");
    EXPECT_EQ(six.dscp, 46);
    EXPECT_EQ(six.network_offset, 18);
    const auto roce = parse_frame(ends + " udp 4791 dscp 26");
    Headers headers;
    ASSERT_EQ(parse(*roce, headers), Drop::none);
    EXPECT_TRUE(is_roce(*roce, headers));
    const auto web = parse_frame(ends + " tcp 80");
    EXPECT_EQ(transport_of(*web, 14).protocol, tcp_protocol);
    EXPECT_EQ(transport_of(*web, 14).destination_port, 80);
}

TEST(FrameDescription, a_length_pads_and_never_cuts) {
    EXPECT_EQ(parse_frame(ends + " length 1500")->size(), 1500U);
    EXPECT_EQ(parse_frame(ends + " length 14")->size(), 14U);
    EXPECT_EQ(parse_frame(ends + " length 14 vlan 1")->size(), 18U);
}

TEST(FrameDescription, what_is_wrong_is_named_with_what_would_be_right) {
    const auto why = [](const std::string& words) {
        const auto frame = parse_frame(words);
        return frame ? "nothing" : frame.error();
    };
    EXPECT_NE(why("").find("does not begin with eth"), std::string::npos);
    EXPECT_NE(why("eth src 02:00:00:00:01:00").find("both"), std::string::npos);
    EXPECT_NE(why("eth dst 02:00").find("dst: no address"), std::string::npos);
    EXPECT_NE(why(ends + " vlan 4095").find("from 0 to 4094"), std::string::npos);
    EXPECT_NE(why(ends + " vlan").find("vlan: no such number"), std::string::npos);
    EXPECT_NE(why(ends + " colour red").find("no word"), std::string::npos);
    EXPECT_NE(why(ends + " type 0x88b5 dscp 3").find("with type 0x0800"), std::string::npos);
    EXPECT_NE(why(ends + " udp 1 tcp 1").find("one of both"), std::string::npos);
    EXPECT_NE(why(ends + " length 9601").find("to 9600"), std::string::npos);
}

}  // namespace
}  // namespace sluice::control
