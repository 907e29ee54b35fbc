#include "dataplane/tunnel/srv6.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::datagram;
using test::hex;
using test::ipv6_of;
using test::Octets;
using enum Refusal;

constexpr UnderlayAddresses here{.mac = {0x0200'0000'0001}, .ipv6 = ipv6_of(1, 1)};
constexpr Ipv6Address there = ipv6_of(2, 0xD2);
constexpr Srv6Tunnel direct{.segments = {there}, .count = 1};
constexpr Srv6Tunnel by_two{.segments = {ipv6_of(0xA, 1), ipv6_of(0xB, 1), there}, .count = 3};

Octets encapsulated(const Srv6Tunnel& tunnel, const Octets& inner = datagram()) {
    return test::encapsulated(Encapsulator(tunnel, here, {}, 1), inner);
}

uint32_t flow_label(const Octets& outer) { return read_32(&outer[14]) & 0xFFFFF; }

// `golden` is laid out with flow label 0.
void expect_made(const Octets& made, Octets golden) {
    const Octets inner = datagram();
    golden.insert(golden.end(), inner.begin(), inner.end());
    write_32(&golden[14], read_32(&golden[14]) | flow_label(made));
    EXPECT_EQ(made, golden);
}

// Built by scapy 2.5: Ether()/IPv6(tc=0x61,nh=143,...)/Raw, and with
// IPv6ExtHdrSegmentRouting(nh=143,segleft=2,lastentry=2 or 1,addresses=...) between.
TEST(Srv6, IsWrittenAsOthersBuildIt) {
    expect_made(encapsulated(direct),
                hex("0200000000fe 020000000001 86dd"
                    "66100000 0032 8f 40"
                    "20010db8000100000000000000000001 20010db80002000000000000000000d2"));
    expect_made(encapsulated(by_two),
                hex("0200000000fe 020000000001 86dd"
                    "66100000 005a 2b 40"
                    "20010db8000100000000000000000001 20010db8000a00000000000000000001"
                    "8f 04 04 02 01 00 0000"
                    "20010db80002000000000000000000d2 20010db8000b00000000000000000001"));
    Srv6Tunnel all = by_two;
    all.reduced = false;
    expect_made(encapsulated(all),
                hex("0200000000fe 020000000001 86dd"
                    "66100000 006a 2b 40"
                    "20010db8000100000000000000000001 20010db8000a00000000000000000001"
                    "8f 06 04 02 02 00 0000"
                    "20010db80002000000000000000000d2 20010db8000b00000000000000000001"
                    "20010db8000a00000000000000000001"));
}

TEST(Srv6, HasAHeaderOfOneSegmentWhereItIsNotReduced) {
    Srv6Tunnel whole = direct;
    whole.reduced = false;
    const Octets made = encapsulated(whole);
    EXPECT_EQ(made[20], 43);
    EXPECT_EQ(Octets(made.begin() + 54, made.begin() + 62), hex("8f 02 04 00 00 00 0000"));
}

// RFC 6437 3: not 0.
TEST(Srv6, KeepsAFlowInOneLabelAndSpreadsOthers) {
    std::set<uint32_t> labels;
    for (uint16_t flow = 0; flow < 64; ++flow) {
        const uint32_t label = flow_label(encapsulated(direct, datagram(flow)));
        EXPECT_EQ(label, flow_label(encapsulated(direct, datagram(flow))));
        EXPECT_NE(label, 0U);
        labels.insert(label);
    }
    EXPECT_GT(labels.size(), 60U);
    EXPECT_EQ(label_of(0), 16U);
    EXPECT_EQ(label_of(UINT64_MAX), 0xFFFFFU);
}

Srv6Ends ends() {
    Srv6Ends made;
    made.add({.local_sid = ipv6_of(2, 0xD3)}, 4);
    made.add({.local_sid = there}, 9);
    return made;
}

// A frame as the last segment receives it: directly, or with the header that penultimate segments
// leave.
Octets arrived(const Srv6Tunnel& tunnel) {
    Octets octets = encapsulated(tunnel);
    write_ipv6(&octets[38], there);
    if (octets[20] == 43) octets[57] = 0;
    return octets;
}

TEST(Srv6, FindsTheCarriedFrame) {
    Srv6Tunnel all = by_two;
    all.reduced = false;
    for (const auto& [tunnel, offset] :
         {std::pair(direct, 54), std::pair(by_two, 94), std::pair(all, 110)}) {
        Octets octets = arrived(tunnel);
        octets.resize(octets.size() + 9);  // padding
        const Arrival arrival = ends().look(octets);
        EXPECT_EQ(arrival.kind, ArrivalKind::carried);
        EXPECT_EQ(arrival.tunnel, 9);
        EXPECT_EQ(arrival.offset, offset);
        EXPECT_EQ(arrival.length, 50);
    }
}

TEST(Srv6, StepsOverWhatStandsBehindTheList) {
    Octets octets = arrived(by_two);
    const Octets padding = hex("04 06 000000000000");  // PadN (RFC 8754 2.1.1.2)
    octets.insert(octets.begin() + 94, padding.begin(), padding.end());
    octets[55] = 5;
    write_16(&octets[18], static_cast<uint16_t>(octets.size() - 54));
    EXPECT_EQ(ends().look(octets).offset, 102);
}

// A frame that is carried lies near enough to the front of its buffer to be filled up there.
TEST(Srv6, TakesNoHeaderOfMoreThan512Octets) {
    for (const std::size_t more : {472U, 480U}) {
        Octets octets = arrived(by_two);
        octets.insert(octets.begin() + 94, more, 0);
        octets[55] = static_cast<uint8_t>((40 + more) / 8 - 1);
        write_16(&octets[18], static_cast<uint16_t>(octets.size() - 54));
        const Arrival arrival = ends().look(octets);
        EXPECT_EQ(arrival.kind, more == 472 ? ArrivalKind::carried : ArrivalKind::refused) << more;
        EXPECT_EQ(arrival.why, more == 472 ? Refusal::none : malformed) << more;
    }
}

// RFC 8200 4.4.
TEST(Srv6, IgnoresARoutingHeaderOfAnotherTypeThatHasNothingLeft) {
    Octets octets = arrived(by_two);
    octets[56] = 253;
    EXPECT_EQ(ends().look(octets).offset, 94);
    const Octets other = hex("2b 00 fd 00 00000000");
    octets[56] = 4;
    octets.insert(octets.begin() + 54, other.begin(), other.end());
    write_16(&octets[18], static_cast<uint16_t>(octets.size() - 54));
    EXPECT_EQ(ends().look(octets).offset, 102) << "before one of segments";
}

TEST(Srv6, TakesNoMoreThan512OctetsOfSeveralHeaders) {
    Octets octets = arrived(direct);
    const Octets one = hex("2b 00 fd 00 00000000");
    for (int header = 0; header < 65; ++header) {
        octets.insert(octets.begin() + 54, one.begin(), one.end());
        if (header == 0) octets[54] = 143;
        octets[20] = 43;
        write_16(&octets[18], static_cast<uint16_t>(octets.size() - 54));
        const Arrival arrival = ends().look(octets);
        EXPECT_EQ(arrival.kind, header < 64 ? ArrivalKind::carried : ArrivalKind::refused);
    }
}

TEST(Srv6, TakesCongestionInside) {
    Octets octets = arrived(direct);
    octets[15] |= 3 << 4;
    ASSERT_EQ(ends().look(octets).kind, ArrivalKind::carried);
    EXPECT_EQ(octets[54 + 15], 3);
}

struct Case {
    std::string name;
    std::function<void(Octets&)> change;
    Refusal why;
};

class Srv6Illegal : public testing::TestWithParam<Case> {};

TEST_P(Srv6Illegal, IsRefusedUnderItsName) {
    Octets octets = arrived(by_two);
    GetParam().change(octets);
    test::Fenced fenced(octets);
    const Arrival arrival = ends().look(fenced.to_write());
    EXPECT_EQ(arrival.kind, ArrivalKind::refused);
    EXPECT_EQ(arrival.why, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Srv6, Srv6Illegal,
    testing::Values(Case{"version", [](Octets& o) { o[14] = 0x45; }, malformed},
                    Case{"longer_than_frame", [](Octets& o) { o.pop_back(); }, Refusal::length},
                    Case{"routing_cut", [](Octets& o) { write_16(&o[18], 7); }, malformed},
                    Case{"list_cut", [](Octets& o) { write_16(&o[18], 39); }, malformed},
                    Case{"list_too_long", [](Octets& o) { o[55] = 255; }, malformed},
                    Case{"another_type_goes_on",
                         [](Octets& o) {
                             o[56] = 0;
                             o[57] = 1;
                         },
                         Refusal::segments_left},
                    Case{"goes_on", [](Octets& o) { o[57] = 1; }, Refusal::segments_left},
                    Case{"fragment", [](Octets& o) { o[54] = 44; }, Refusal::fragment},
                    Case{"ping", [](Octets& o) { o[54] = 58; }, Refusal::next_header},
                    Case{"hop_by_hop", [](Octets& o) { o[20] = 0; }, Refusal::next_header},
                    Case{"inner", [](Octets& o) { write_16(&o[18], 40 + 13); }, inner_short},
                    Case{"congested",
                         [](Octets& o) {
                             o[15] |= 3 << 4;
                             o[94 + 15] = 0;
                         },
                         Refusal::ecn}),
    [](const auto& about) { return about.param.name; });

TEST(Srv6, IsNobodysWhereNoTunnelHasTheSid) {
    Octets octets = arrived(direct);
    octets[53] ^= 4;
    EXPECT_EQ(ends().look(octets).kind, ArrivalKind::others);
    octets[53] ^= 4;
    octets.resize(53);
    EXPECT_EQ(ends().look(octets).kind, ArrivalKind::others);
    EXPECT_TRUE(ends().has(there));
    EXPECT_FALSE(ends().has(ipv6_of(2, 1)));
}

}  // namespace
}  // namespace sluice
