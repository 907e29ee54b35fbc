#include "dataplane/tunnel/mpls.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "tests/support/encapsulated.h"

namespace sluice {
namespace {

using test::datagram;
using test::hex;
using test::Octets;
using enum Refusal;

constexpr UnderlayAddresses here{.mac = {0x0200'0000'0001}};
constexpr MplsTunnel with_word{.labels = {16001, 16002, 100}, .count = 3};
constexpr MplsTunnel with_entropy{
    .labels = {16001, 100}, .count = 2, .control_word = false, .entropy_label = true};

Octets encapsulated(const MplsTunnel& tunnel, const Octets& inner = datagram(),
                    const OuterMarks& marks = {}) {
    return test::encapsulated(Encapsulator(tunnel, here, marks, 1), inner);
}

uint32_t entropy(const Octets& outer) { return read_32(&outer[22]) >> 12; }

// Built by scapy 2.5: Ether()/MPLS(label=16001,cos=3,s=0,ttl=255)/...
TEST(Mpls, IsWrittenAsOthersBuildIt) {
    const Octets inner = datagram();
    Octets golden =
        hex("0200000000fe 020000000001 8847"
            "03e816ff 03e826ff 000647ff 00000000");
    golden.insert(golden.end(), inner.begin(), inner.end());
    EXPECT_EQ(encapsulated(with_word), golden);
    const Octets made = encapsulated(with_entropy);
    golden =
        hex("0200000000fe 020000000001 8847"
            "03e816ff 000076ff 00000600 000647ff");
    write_32(&golden[22], read_32(&golden[22]) | entropy(made) << 12);
    golden.insert(golden.end(), inner.begin(), inner.end());
    EXPECT_EQ(made, golden);
}

TEST(Mpls, SaysThePriorityByTheTableItIsGiven) {
    OuterMarks marks;
    marks.tcs[3] = 5;
    const Octets made = encapsulated(with_word, datagram(), marks);
    for (const std::size_t entry : {14U, 18U, 22U}) EXPECT_EQ(made[entry + 2] >> 1 & 7, 5);
}

// RFC 6790 4.2: an entropy label is none of the reserved labels.
TEST(Mpls, KeepsAFlowInOneEntropyLabelAndSpreadsOthers) {
    std::set<uint32_t> labels;
    for (uint16_t flow = 0; flow < 64; ++flow) {
        const uint32_t label = entropy(encapsulated(with_entropy, datagram(flow)));
        EXPECT_EQ(label, entropy(encapsulated(with_entropy, datagram(flow))));
        EXPECT_GE(label, 16U);
        labels.insert(label);
    }
    EXPECT_GT(labels.size(), 60U);
}

MplsEnds ends() {
    MplsEnds made;
    made.add({.control_word = false, .local_label = 99}, 4);
    made.add({.control_word = true, .local_label = 100}, 9);
    return made;
}

// A frame as earlier switches leave it: with the tunnel's label alone, with or without an entropy
// label.
Octets arrived(uint32_t label, bool entropy_label = false) {
    return encapsulated({.labels = {label},
                         .count = 1,
                         .control_word = label == 100,
                         .entropy_label = entropy_label});
}

TEST(Mpls, FindsTheCarriedFrame) {
    for (const bool entropy_label : {false, true}) {
        const int before = entropy_label ? 8 : 0;
        Octets octets = arrived(100, entropy_label);
        Arrival arrival = ends().look(octets);
        EXPECT_EQ(arrival.kind, ArrivalKind::carried);
        EXPECT_EQ(arrival.tunnel, 9);
        EXPECT_EQ(arrival.offset, 22 + before);
        EXPECT_EQ(arrival.length, 50);
        octets = arrived(99, entropy_label);
        arrival = ends().look(octets);
        EXPECT_EQ(arrival.tunnel, 4);
        EXPECT_EQ(arrival.offset, 18 + before);
        EXPECT_EQ(arrival.length, 50);
    }
}

TEST(Mpls, IgnoresASequenceNumber) {
    Octets octets = arrived(100);
    write_32(&octets[18], 0x0FFF'1234);
    EXPECT_EQ(ends().look(octets).kind, ArrivalKind::carried);
}

struct Case {
    std::string name;
    std::function<void(Octets&)> change;
    Refusal why;
};

class MplsIllegal : public testing::TestWithParam<Case> {};

TEST_P(MplsIllegal, IsRefusedUnderItsName) {
    Octets octets = arrived(100, true);
    GetParam().change(octets);
    test::Fenced fenced(octets);
    const Arrival arrival = ends().look(fenced.to_write());
    EXPECT_EQ(arrival.kind, ArrivalKind::refused);
    EXPECT_EQ(arrival.why, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Mpls, MplsIllegal,
    testing::Values(
        Case{"stack_cut", [](Octets& o) { o.resize(17); }, malformed},
        Case{"entropy_cut", [](Octets& o) { o.resize(21); }, malformed},
        Case{"bottom_cut", [](Octets& o) { o.resize(25); }, malformed},
        Case{"word_cut", [](Octets& o) { o.resize(29); }, malformed},
        Case{"entropy_at_bottom", [](Octets& o) { o[20] |= 1; }, malformed},
        Case{"label", [](Octets& o) { o[23] ^= 1; }, unknown_label},
        Case{"transport_label", [](Octets& o) { write_32(&o[14], 16001U << 12); }, unknown_label},
        Case{"not_bottom", [](Octets& o) { o[24] &= 0xFE; }, not_bottom},
        Case{"associated_channel", [](Octets& o) { o[26] = 0x10; }, Refusal::control_word},
        Case{"inner", [](Octets& o) { o.resize(30 + 13); }, inner_short}),
    [](const auto& about) { return about.param.name; });

TEST(Mpls, IsNobodysWhereThereIsNoTunnel) {
    Octets octets = arrived(100);
    EXPECT_EQ(MplsEnds().look(octets).kind, ArrivalKind::others);
}

}  // namespace
}  // namespace sluice
