#include "dataplane/tunnel/decapsulator.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "dataplane/tunnel/tunnel_ecn.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;
using enum Refusal;

constexpr MacAddress own{0x0200'0000'00FE};
constexpr Ipv4Address local{0xC633'6402};
constexpr Ipv4Address remote{0xC000'0201};
constexpr Ipv6Address own6 = test::ipv6_of(1, 1);
constexpr Ipv6Address sid = test::ipv6_of(1, 0xD2);

Decapsulator decapsulator() {
    Decapsulator made({.mac = own, .ipv4 = local, .ipv6 = own6});
    made.add(VxlanTunnel{{0xC000'0299}, 7});
    made.add(VxlanTunnel{remote, 0x123456});
    made.add(Srv6Tunnel{.local_sid = sid});
    made.add(MplsTunnel{.local_label = 100});
    return made;
}

// A frame from `remote`, with outer ECT(1) and an inner datagram with ECT(1).
Octets outer() {
    return hex(
        "0200000000fe 020000000001 0800"
        "45 61 0056 0000 4000 40 11 4dff c0000201 c6336402"
        "c000 12b5 0042 0000"
        "08 000000 123456 00"
        "02000000000b 02000000000a 0800"
        "45 01 0024 0001 0000 40 11 66c5 0a000001 0a000002"
        "0001 0002 0010 5a33 6162636465666768");
}

void make_checksum_right(Octets& octets, std::size_t at) {
    const std::size_t header = std::size_t{4} * (octets[at] & 0x0F);
    write_16(&octets[at + 10], 0);
    uint32_t sum = 0;
    for (std::size_t word = 0; word < header; word += 2) sum += read_16(&octets[at + word]);
    while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
    write_16(&octets[at + 10], static_cast<uint16_t>(~sum));
}

Arrival look(Octets octets) { return decapsulator().look(octets); }

TEST(Decapsulator, FindsTheCarriedFrame) {
    const Arrival arrival = look(outer());
    EXPECT_EQ(arrival.kind, ArrivalKind::carried);
    EXPECT_EQ(arrival.tunnel, 1);
    EXPECT_EQ(arrival.offset, 50);
    EXPECT_EQ(arrival.length, 50);
}

TEST(Decapsulator, StepsOverOptionsAndLeavesPaddingBehind) {
    Octets octets = outer();
    const Octets options = hex("01010101");
    octets.insert(octets.begin() + 34, options.begin(), options.end());
    octets[14] = 0x46;
    write_16(&octets[16], 0x56 + 4);
    make_checksum_right(octets, 14);
    octets.insert(octets.end(), 9, 0);
    const Arrival arrival = look(octets);
    EXPECT_EQ(arrival.kind, ArrivalKind::carried);
    EXPECT_EQ(arrival.offset, 54);
    EXPECT_EQ(arrival.length, 50);
}

// RFC 7348 5: it may be accepted without being verified.
TEST(Decapsulator, DoesNotLookAtAUdpChecksum) {
    Octets octets = outer();
    write_16(&octets[40], 0xBEEF);
    EXPECT_EQ(look(octets).kind, ArrivalKind::carried);
}

TEST(Decapsulator, IgnoresReservedBits) {
    Octets octets = outer();
    octets[42] = 0xFF;
    octets[43] = octets[49] = 0xFF;
    EXPECT_EQ(look(octets).kind, ArrivalKind::carried);
}

struct Case {
    std::string name;
    std::function<void(Octets&)> change;
    Refusal why;
    bool needs_sum = true;  // its IPv4 checksum made right
};

class Illegal : public testing::TestWithParam<Case> {};

TEST_P(Illegal, IsRefusedUnderItsName) {
    Octets octets = outer();
    GetParam().change(octets);
    if (GetParam().needs_sum && octets.size() > 34) make_checksum_right(octets, 14);
    const Arrival arrival = look(octets);
    EXPECT_EQ(arrival.kind, ArrivalKind::refused);
    EXPECT_EQ(arrival.why, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Decapsulator, Illegal,
    testing::Values(
        Case{"version", [](Octets& o) { o[14] = 0x65; }, malformed, false},
        Case{"short_ihl", [](Octets& o) { o[14] = 0x44; }, malformed, false},
        Case{"cut_in_udp", [](Octets& o) { o.resize(41); }, malformed, false},
        Case{"checksum", [](Octets& o) { o[24] ^= 1; }, header_checksum, false},
        Case{"longer_than_frame", [](Octets& o) { o.pop_back(); }, Refusal::length},
        Case{"total_too_short", [](Octets& o) { write_16(&o[16], 35); }, Refusal::length},
        Case{"udp_disagrees", [](Octets& o) { write_16(&o[38], 0x41); }, Refusal::length},
        Case{"first_fragment", [](Octets& o) { write_16(&o[20], 0x2000); }, fragment},
        Case{"later_fragment", [](Octets& o) { write_16(&o[20], 0x0001); }, fragment},
        Case{"no_flag", [](Octets& o) { o[42] = 0xF7; }, no_vni},
        Case{"vni", [](Octets& o) { o[47] ^= 1; }, unknown_vni},
        Case{"source", [](Octets& o) { write_32(&o[26], 0xC000'0299); }, other_source},
        Case{"vni_of_another", [](Octets& o) { write_32(&o[46], 7U << 8); }, other_source},
        Case{"inner",
             [](Octets& o) {
                 o.resize(63);
                 write_16(&o[16], 49);
                 write_16(&o[38], 29);
             },
             inner_short},
        Case{"congested",
             [](Octets& o) {
                 o[15] |= 3;
                 o[65] = 0;
             },
             Refusal::ecn}),
    [](const auto& about) { return about.param.name; });

TEST(Decapsulator, LeavesToTheBridgeWhatIsNotForIt) {
    const auto kind_of = [](const std::function<void(Octets&)>& change) {
        Octets octets = outer();
        change(octets);
        return look(octets).kind;
    };
    EXPECT_EQ(kind_of([](Octets& o) { o[5] ^= 1; }), ArrivalKind::others);               // its MAC
    EXPECT_EQ(kind_of([](Octets& o) { o[33] ^= 1; }), ArrivalKind::others);              // address
    EXPECT_EQ(kind_of([](Octets& o) { o[23] = 6; }), ArrivalKind::others);               // TCP
    EXPECT_EQ(kind_of([](Octets& o) { write_16(&o[36], 4790); }), ArrivalKind::others);  // port
    EXPECT_EQ(kind_of([](Octets& o) { write_16(&o[12], 0x8100); }), ArrivalKind::others);
    EXPECT_EQ(kind_of([](Octets& o) { o.resize(33); }), ArrivalKind::others);
}

TEST(Decapsulator, FindsArpAboutItsAddressAlone) {
    Octets arp =
        hex("ffffffffffff 020000000001 0806"
            "0001 0800 06 04 0001 020000000001 c0000201 000000000000 c6336402");
    EXPECT_EQ(look(arp).kind, ArrivalKind::neighbour);
    arp[41] ^= 1;
    EXPECT_EQ(look(arp).kind, ArrivalKind::others);
    arp[41] ^= 1;
    std::copy_n(arp.begin() + 28, 4, arp.begin() + 38);
    EXPECT_EQ(look(arp).kind, ArrivalKind::announcement) << "of the station's own";
    write_32(&arp[38], 0xC633'6402);
    arp[18] = 8;
    EXPECT_EQ(look(arp).kind, ArrivalKind::others);
    arp[18] = 6;
    arp.pop_back();
    EXPECT_EQ(look(arp).kind, ArrivalKind::others);
}

// Built by scapy 2.5: ICMPv6ND_NS(tgt='2001:db8:1::1'), and ICMPv6ND_NA of 2001:db8:1::fe.
Octets solicitation() {
    return hex(
        "3333ff000001 020000000001 86dd"
        "60000000 0020 3a ff 20010db80001000000000000000000fe ff0200000000000000000001ff000001"
        "87 00 1a2d 00000000 20010db8000100000000000000000001 01 01 020000000001");
}
Octets advertisement() {
    return hex(
        "0200000000fe 020000000001 86dd"
        "60000000 0020 3a ff 20010db80001000000000000000000fe 20010db8000100000000000000000001"
        "88 00 0000 60000000 20010db80001000000000000000000fe 02 01 020000000001");
}

TEST(Decapsulator, FindsDiscoveryOfItsAddressesAlone) {
    const auto kind_of = [](Octets octets, std::size_t at, uint8_t changed) {
        octets[at] ^= changed;
        return look(octets).kind;
    };
    EXPECT_EQ(look(solicitation()).kind, ArrivalKind::neighbour);
    EXPECT_EQ(kind_of(solicitation(), 77, 1 ^ 0xD2), ArrivalKind::neighbour) << "a SID";
    EXPECT_EQ(kind_of(solicitation(), 77, 2), ArrivalKind::others) << "another's";
    EXPECT_EQ(kind_of(solicitation(), 21, 1), ArrivalKind::others) << "from beyond the link";
    EXPECT_EQ(kind_of(solicitation(), 54, 2), ArrivalKind::others) << "a router's";
    EXPECT_EQ(kind_of(solicitation(), 0, 0x31), ArrivalKind::others) << "to another station";
    EXPECT_EQ(look(advertisement()).kind, ArrivalKind::neighbour);
    EXPECT_EQ(kind_of(advertisement(), 0, 1), ArrivalKind::announcement) << "to a group";
    EXPECT_EQ(kind_of(advertisement(), 0, 2), ArrivalKind::others) << "to another station";
    EXPECT_EQ(kind_of(advertisement(), 53, 2), ArrivalKind::others) << "to another address";
    Octets cut = solicitation();
    cut.resize(77);
    EXPECT_EQ(look(cut).kind, ArrivalKind::others);
}

TEST(Decapsulator, DistinguishesTunnelsOfEachKind) {
    Octets srv6 = hex(
        "0200000000fe 020000000001 86dd"
        "60000000 000e 8f 40 20010db8000200000000000000000001 20010db80001000000000000000000d2");
    srv6.resize(srv6.size() + 14);
    EXPECT_EQ(look(srv6).tunnel, 2);
    Octets mpls = hex("0200000000fe 020000000001 8847 000641ff 00000000");
    mpls.resize(60);
    EXPECT_EQ(look(mpls).kind, ArrivalKind::carried);
    EXPECT_EQ(look(mpls).tunnel, 3);
    mpls[5] ^= 1;
    EXPECT_EQ(look(mpls).kind, ArrivalKind::others);
}

Octets tagged(Octets octets, std::string_view tag = "8100 e04d") {
    const Octets inserted = hex(tag);
    octets.insert(octets.begin() + 12, inserted.begin(), inserted.end());
    return octets;
}

TEST(Decapsulator, InAVlanTakesWhatHasItsTagAndNothingElse) {
    Decapsulator made({.mac = own, .ipv4 = local, .ipv6 = own6, .vlan = 77});
    made.add(VxlanTunnel{remote, 0x123456});
    made.add(MplsTunnel{.local_label = 100});
    const auto look_at = [&](Octets octets) { return made.look(octets); };
    const Arrival arrival = look_at(tagged(outer()));
    EXPECT_EQ(arrival.kind, ArrivalKind::carried);
    EXPECT_EQ(arrival.offset, 54);
    EXPECT_EQ(arrival.length, 50);
    Octets mpls = tagged(hex("0200000000fe 020000000001 8847 000641ff 00000000"));
    mpls.resize(60);
    EXPECT_EQ(look_at(mpls).offset, 26);
    EXPECT_EQ(look_at(tagged(solicitation())).kind, ArrivalKind::neighbour);
    EXPECT_EQ(look_at(tagged(advertisement())).kind, ArrivalKind::neighbour);
    Octets refused = tagged(outer());
    refused.pop_back();
    EXPECT_EQ(look_at(refused).why, length);
    EXPECT_EQ(look_at(outer()).kind, ArrivalKind::others);
    EXPECT_EQ(look_at(solicitation()).kind, ArrivalKind::others);
    EXPECT_EQ(look_at(tagged(outer(), "8100 e04e")).kind, ArrivalKind::others);
    EXPECT_EQ(look_at(tagged(outer(), "88a8 e04d")).kind, ArrivalKind::others);
    EXPECT_EQ(look_at(tagged(tagged(outer()))).kind, ArrivalKind::others) << "one tag too many";
    Octets cut = tagged(outer());
    cut.resize(17);
    test::Fenced fenced(cut);
    EXPECT_EQ(made.look(fenced.to_write()).kind, ArrivalKind::others);
}

TEST(Decapsulator, LeavesMplsToTheBridgeWhereNoTunnelHasIt) {
    Decapsulator without({.mac = own, .ipv4 = local});
    without.add(VxlanTunnel{remote, 7});
    Octets mpls = hex("0200000000fe 020000000001 8847 000641ff 00000000");
    mpls.resize(60);
    EXPECT_EQ(without.look(mpls).kind, ArrivalKind::others);
}

TEST(Decapsulator, EveryRefusalHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (std::size_t why = 0; why < refusal_kinds; ++why) {
        names.insert(name_of(static_cast<Refusal>(why)));
    }
    EXPECT_EQ(names.size(), refusal_kinds);
}

// RFC 6040 figure 4: a row an inner one, in the order Not-ECT, ECT(0), ECT(1), CE; so the columns.
TEST(TunnelEcn, GoesOutAsTheTableSays) {
    using enum EcnField;
    constexpr std::array<EcnField, 4> order = {not_ect, ect_0, ect_1, ce};
    using Row = std::array<std::optional<EcnField>, 4>;
    const std::array<Row, 4> table = {Row{not_ect, not_ect, not_ect, std::nullopt},
                                      Row{ect_0, ect_0, ect_1, ce}, Row{ect_1, ect_1, ect_1, ce},
                                      Row{ce, ce, ce, ce}};
    for (std::size_t inner = 0; inner < 4; ++inner) {
        for (std::size_t outer = 0; outer < 4; ++outer) {
            EXPECT_EQ(ecn_out_of_tunnel(order[inner], order[outer]), table[inner][outer])
                << inner << " " << outer;
        }
    }
}

TEST(TunnelEcn, IsWrittenWithItsChecksum) {
    Octets octets = outer();
    octets[15] |= 3;
    make_checksum_right(octets, 14);
    ASSERT_EQ(decapsulator().look(octets).kind, ArrivalKind::carried);
    EXPECT_EQ(octets[65], 3);
    Octets right = octets;
    make_checksum_right(right, 64);
    EXPECT_EQ(octets, right);
}

TEST(TunnelEcn, SaysNothingOfAFrameWithoutIp) {
    Octets octets = outer();
    octets[15] |= 3;
    make_checksum_right(octets, 14);
    write_16(&octets[62], 0x8808);
    Octets before = octets;
    EXPECT_EQ(decapsulator().look(octets).kind, ArrivalKind::carried);
    EXPECT_EQ(octets, before);
}

}  // namespace
}  // namespace sluice
