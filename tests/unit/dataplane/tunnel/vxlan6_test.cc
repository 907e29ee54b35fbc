#include "dataplane/tunnel/vxlan6.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::hex;
using test::ipv6_of;
using test::Octets;

const UnderlayAddresses here{.mac = {0x0200'0000'0001}, .ipv6 = ipv6_of(1, 1)};
const Vxlan6Tunnel tunnel{.remote = ipv6_of(2, 2), .vni = 0x123456};

Octets sent() { return test::encapsulated(Encapsulator(tunnel, here, {}, 1)); }

// Built by scapy 2.5: IPv6(src='2001:db8:1::1',dst='2001:db8:2::2',tc=(3*8)<<2|1,fl=...)/
// UDP(sport=...,dport=4789,chksum=0)/VXLAN(vni=0x123456,flags='Instance')/...
TEST(Vxlan6, IsWrittenAsOthersBuildIt) {
    const Octets made = sent();
    Octets golden =
        hex("0200000000fe 020000000001 86dd"
            "66100000 0042 11 40 20010db8000100000000000000000001"
            "20010db8000200000000000000000002"
            "c000 12b5 0042 0000"
            "08 000000 123456 00"
            "02000000000b 02000000000a 0800"
            "45 01 0024 0001 0000 40 11 66c5 0a000001 0a000002"
            "0001 0002 0010 5a33 6162636465666768");
    write_32(&golden[14], read_32(&golden[14]) | (read_32(&made[14]) & 0xFFFFF));
    write_16(&golden[54], read_16(&made[54]));
    EXPECT_EQ(made, golden);
    EXPECT_NE(read_32(&made[14]) & 0xFFFFF, 0U) << "a flow label";
    EXPECT_GE(read_16(&made[54]), 49152);
}

Vxlan6Ends ends() {
    Vxlan6Ends made(tunnel.remote);
    made.add({ipv6_of(9, 9), 7}, 4);
    made.add({here.ipv6, tunnel.vni}, 9);
    return made;
}

TEST(Vxlan6, FindsTheCarriedFrame) {
    Octets octets = sent();
    octets.resize(octets.size() + 9);  // padding
    const Arrival arrival = ends().look(octets);
    EXPECT_EQ(arrival.kind, ArrivalKind::carried);
    EXPECT_EQ(arrival.tunnel, 9);
    EXPECT_EQ(arrival.offset, 70);
    EXPECT_EQ(arrival.length, 50);
    octets[60] = 0x12;
    EXPECT_EQ(ends().look(octets).kind, ArrivalKind::carried) << "a checksum is not looked at";
}

TEST(Vxlan6, TakesCongestionInside) {
    Octets octets = sent();
    octets[15] |= 3 << 4;
    ASSERT_EQ(ends().look(octets).kind, ArrivalKind::carried);
    EXPECT_EQ(octets[70 + 15], 3);
}

// Between IPv6 and UDP: headers of these kinds, of eight octets each.
void put_before_udp(Octets& octets, std::vector<uint8_t> kinds) {
    uint8_t next = octets[20];
    for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
        octets.insert(octets.begin() + 54, {next, 0, 1, 4, 0, 0, 0, 0});
        next = *kind;
    }
    octets[20] = next;
    write_16(&octets[18], static_cast<uint16_t>(read_16(&octets[18]) + 8 * kinds.size()));
}

struct Case {
    std::string name;
    std::function<void(Octets&)> change;
    ArrivalKind kind;
    Refusal why = Refusal::none;
};

class Vxlan6Others : public testing::TestWithParam<Case> {};

TEST_P(Vxlan6Others, AreDistinguished) {
    Octets octets = sent();
    GetParam().change(octets);
    test::Fenced fenced(octets);
    const Arrival arrival = ends().look(fenced.to_write());
    EXPECT_EQ(arrival.kind, GetParam().kind);
    EXPECT_EQ(arrival.why, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Vxlan6, Vxlan6Others,
    testing::Values(
        Case{"cut_in_ip", [](Octets& o) { o.resize(53); }, ArrivalKind::others},
        Case{"to_another", [](Octets& o) { o[53] ^= 1; }, ArrivalKind::others},
        Case{"tcp", [](Octets& o) { o[20] = 6; }, ArrivalKind::others},
        Case{"another_port", [](Octets& o) { o[57] ^= 1; }, ArrivalKind::others},
        Case{"version", [](Octets& o) { o[14] = 0x45; }, ArrivalKind::refused, Refusal::malformed},
        Case{"cut_in_udp", [](Octets& o) { o.resize(61); }, ArrivalKind::refused,
             Refusal::malformed},
        Case{"fragment", [](Octets& o) { o[20] = 44; }, ArrivalKind::refused, Refusal::fragment},
        Case{"hop_by_hop_options", [](Octets& o) { put_before_udp(o, {0}); }, ArrivalKind::refused,
             Refusal::extension_header},
        Case{"options_and_routing",
             [](Octets& o) {
                 put_before_udp(o, {60, 43, 60});
             },
             ArrivalKind::refused, Refusal::extension_header},
        Case{"fragment_behind_options",
             [](Octets& o) {
                 put_before_udp(o, {0});
                 o[54] = 44;
             },
             ArrivalKind::refused, Refusal::fragment},
        Case{"another_port_behind_options",
             [](Octets& o) {
                 put_before_udp(o, {0});
                 o[65] ^= 1;
             },
             ArrivalKind::others},
        Case{"icmp_behind_options",
             [](Octets& o) {
                 put_before_udp(o, {0});
                 o[54] = 58;
             },
             ArrivalKind::others},
        Case{"cut_in_options",
             [](Octets& o) {
                 put_before_udp(o, {0});
                 o.resize(61);
             },
             ArrivalKind::refused, Refusal::malformed},
        Case{"options_beyond_the_frame",
             [](Octets& o) {
                 put_before_udp(o, {0});
                 o[55] = 255;
             },
             ArrivalKind::refused, Refusal::malformed},
        Case{"longer_than_frame", [](Octets& o) { o.pop_back(); }, ArrivalKind::refused,
             Refusal::length},
        Case{"no_vxlan", [](Octets& o) { write_16(&o[18], 15); }, ArrivalKind::refused,
             Refusal::length},
        Case{"udp_length", [](Octets& o) { o[59] ^= 1; }, ArrivalKind::refused, Refusal::length},
        Case{"no_vni", [](Octets& o) { o[62] = 0; }, ArrivalKind::refused, Refusal::no_vni},
        Case{"unknown_vni", [](Octets& o) { o[66] ^= 1; }, ArrivalKind::refused,
             Refusal::unknown_vni},
        Case{"other_source", [](Octets& o) { o[37] ^= 1; }, ArrivalKind::refused,
             Refusal::other_source}),
    [](const auto& about) { return about.param.name; });

TEST(Vxlan6, WithoutATunnelAllAreOthers) {
    Octets octets = sent();
    EXPECT_EQ(Vxlan6Ends(tunnel.remote).look(octets).kind, ArrivalKind::others);
}

}  // namespace
}  // namespace sluice
