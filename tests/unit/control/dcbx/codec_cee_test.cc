#include "control/dcbx/codec_cee.h"

#include <gtest/gtest.h>

#include "tests/support/dcbx_golden.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::golden_tlv;
using test::hex;

const std::string control = "020a 0000 00000001 00000000 ";
const std::string pfc = "0606 00008000 0808 ";

struct Read {
    Advertisement said;
    FaultCounters faults;
};

Read read_payload(const std::string& payload) {
    Read read;
    const std::vector<lldp::OrganisationalTlv> tlvs = {{0x001B21, 2, hex(payload)}};
    read.said = read_cee(tlvs, read.faults);
    return read;
}

TEST(CodecCee, GoldenTlvWithEverySubTlv) {
    FaultCounters faults;
    const std::vector tlvs = {golden_tlv("cee")};
    const auto said = read_cee(tlvs, faults);
    EXPECT_EQ(faults.total(), 0U);
    EXPECT_EQ(*said.control, (Control{.seqno = 5, .ackno = 3}));
    EXPECT_TRUE(said.ets->willing);
    EXPECT_EQ(said.ets->parameter, (Ets{.class_of = {0, 0, 0, 1, 0, 0, 7, 7},
                                        .bandwidth = {40, 60},
                                        .selection = {ets, ets},
                                        .max_classes = 3}));
    EXPECT_EQ(*said.pfc, (Offered<Pfc>{{.enabled = 0x08, .capability = 2}, false}));
    EXPECT_TRUE(said.application->error);
    EXPECT_EQ(said.application->parameter, (ApplicationTable{{Selector::ether_type, 0x8906, 3},
                                                             {Selector::tcp_or_udp, 3260, 4}}));
    EXPECT_EQ(write_cee(said), tlvs);
}

TEST(CodecCee, ControlAlone) {
    FaultCounters faults;
    const std::vector tlvs = {golden_tlv("cee_control")};
    Advertisement expected;
    expected.control = {.seqno = 1};
    EXPECT_EQ(read_cee(tlvs, faults), expected);
    EXPECT_EQ(write_cee(expected), tlvs);
}

TEST(CodecCee, WithoutControlNothingIsSaid) {
    EXPECT_EQ(read_payload(pfc).said, Advertisement{});
    EXPECT_EQ(read_payload(pfc).faults[Fault::control_missing], 1U);
    EXPECT_EQ(read_payload("").faults[Fault::control_missing], 1U);
    EXPECT_TRUE(write_cee({}).empty());
}

TEST(CodecCee, AWalkThatLeavesItsTlvSaysNothing) {
    for (const std::string end : {"06", "0606", "0606 00008000 08", "0fff", "fe01"}) {
        const auto read = read_payload(control + end);
        EXPECT_EQ(read.said, Advertisement{}) << end;
        EXPECT_EQ(read.faults[Fault::sub_tlv_overrun], 1U) << end;
    }
}

TEST(CodecCee, AWalkOfEmptySubTlvsEnds) {
    std::string many = control;
    for (int n = 0; n < 200; ++n) many += "0000";
    EXPECT_TRUE(read_payload(many + pfc).said.pfc);
}

void expect_refused(Fault fault, const std::string& feature) {
    const auto [said, faults] = read_payload(control + feature);
    Advertisement expected;
    expected.control = {.seqno = 1};
    EXPECT_EQ(said, expected) << feature;
    EXPECT_EQ(faults[fault], 1U) << name(fault) << ": " << feature;
    EXPECT_EQ(faults.total(), 1U) << feature;
}

TEST(CodecCee, AMalformedSubTlvIsAbsentAndCountedByItsName) {
    expect_refused(Fault::sub_tlv_length, "0400");
    expect_refused(Fault::sub_tlv_length, "0605 00008000 08");
    expect_refused(Fault::sub_tlv_length, "0607 00008000 0808 00");
    expect_refused(Fault::sub_tlv_length, "0803 000080");
    expect_refused(Fault::table_length, "0809 00008000 8906001b21");
    expect_refused(Fault::version, "0606 01018000 0808");
    expect_refused(Fault::traffic_class, "0606 00008000 0809");
    expect_refused(Fault::traffic_class, "0411 00008000 00000000 6400000000000000 09");
    expect_refused(Fault::traffic_class, "0411 00008000 e0000000 6400000000000000 08");
    expect_refused(Fault::bandwidth, "0411 00008000 00000000 6400000000000001 08");
    EXPECT_EQ(read_payload("020a 0100 00000001 00000000").faults[Fault::version], 1U);
    EXPECT_EQ(read_payload("0209 0000 00000001 000000").faults[Fault::sub_tlv_length], 1U);
}

TEST(CodecCee, OfTwoTheFirstCounts) {
    const auto read = read_payload(control + pfc + "0606 00008000 1008");
    EXPECT_EQ(read.said.pfc->parameter.enabled, 0x08);
    EXPECT_EQ(read.faults[Fault::duplicate], 1U);
    FaultCounters faults;
    const std::vector tlvs = {golden_tlv("cee_control"), golden_tlv("cee")};
    EXPECT_FALSE(read_cee(tlvs, faults).pfc);
    EXPECT_EQ(faults[Fault::duplicate], 1U);
}

TEST(CodecCee, OtherFeaturesAreSkipped) {
    // A PFC of another subtype, a logical link of type 5, a type that nobody has.
    const auto read = read_payload(control + "0606 00008001 1008  0a04 00008000  fe00 " + pfc);
    EXPECT_EQ(read.said.pfc->parameter.enabled, 0x08);
    EXPECT_EQ(read.faults.total(), 0U);
}

TEST(CodecCee, AnApplicationHasASetOfPriorities) {
    auto read = read_payload(control + "080a 00008000  8906 001b21 0a");
    const ApplicationTable table = {{Selector::ether_type, 0x8906, 1},
                                    {Selector::ether_type, 0x8906, 3}};
    EXPECT_EQ(read.said.application->parameter, table);
    EXPECT_EQ(write_cee(read.said).at(0).payload, hex(control + "080a 00008000  8906 001b21 0a"));
}

TEST(CodecCee, AProtocolThatIsNamedTwiceHasBothSetsOfPriorities) {
    auto read =
        read_payload(control + "0816 00008000  8906 001b21 18  8914 001b21 08  8906 001b21 12");
    const ApplicationTable table = {{Selector::ether_type, 0x8906, 1},
                                    {Selector::ether_type, 0x8906, 3},
                                    {Selector::ether_type, 0x8906, 4},
                                    {Selector::ether_type, 0x8914, 3}};
    EXPECT_EQ(read.said.application->parameter, table);
    const auto written = write_cee(read.said);
    EXPECT_EQ(written.at(0).payload,
              hex(control + "0810 00008000  8906 001b21 1a  8914 001b21 08"));
    FaultCounters faults;
    EXPECT_EQ(read_cee(written, faults).application->parameter, table);
}

TEST(CodecCee, AnEntryThatIsNoneIsLeftOutOfItsTable) {
    // Selector 2, another OUI, port 0, no priority.
    const auto read = read_payload(control +
                                   "081c 00008000  8906 021b21 08  8906 001b22 08"
                                   "  0000 011b21 08  8906 001b21 00");
    EXPECT_TRUE(read.said.application->parameter.empty());
    EXPECT_EQ(read.faults[Fault::selector], 2U);
    EXPECT_EQ(read.faults[Fault::protocol], 2U);
}

TEST(CodecCee, WhatCeeCannotSayIsLeftOut) {
    Advertisement said;
    said.control = Control{};
    said.ets = {.parameter = {.class_of = {0, 1}, .selection = {credit_based, strict}}};
    said.application = {.parameter = {{Selector::dscp, 46, 6},
                                      {Selector::other_port, 80, 1},
                                      {Selector::tcp, 3260, 4},
                                      {Selector::udp, 3260, 5}}};
    FaultCounters faults;
    const auto read = read_cee(write_cee(said), faults);
    EXPECT_EQ(faults.total(), 0U);
    EXPECT_EQ(read.application->parameter,
              (ApplicationTable{{Selector::tcp_or_udp, 3260, 4}, {Selector::tcp_or_udp, 3260, 5}}));
    EXPECT_EQ(read.ets->parameter.selection.at(read.ets->parameter.class_of[0]), strict);
}

TEST(CodecCee, ATableIsWrittenAsFarAsItFits) {
    Advertisement said;
    said.control = Control{};
    said.application = Offered<ApplicationTable>{};
    for (uint16_t port = 1; port <= 300; ++port) {
        said.application->parameter.push_back({Selector::tcp_or_udp, port, 1});
    }
    const auto tlvs = write_cee(said);
    EXPECT_LE(tlvs.at(0).payload.size(), lldp::longest_organisational);
    FaultCounters faults;
    EXPECT_EQ(read_cee(tlvs, faults).application->parameter.size(), 81U);
    EXPECT_EQ(faults.total(), 0U);
}

}  // namespace
}  // namespace sluice::dcbx
