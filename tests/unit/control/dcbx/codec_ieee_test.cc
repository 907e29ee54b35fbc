#include "control/dcbx/codec_ieee.h"

#include <gtest/gtest.h>

#include "tests/unit/control/dcbx/read_golden.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::golden_tlv;
using test::hex;

Advertisement read_one(const std::string& name) { return read_golden(name, read_ieee, write_ieee); }

TEST(CodecIeee, EtsConfiguration) {
    const auto said = read_one("ieee_ets");
    EXPECT_TRUE(said.ets->willing);
    EXPECT_EQ(said.ets->parameter, (Ets{.class_of = {0, 0, 0, 1, 0, 0, 2, 2},
                                        .bandwidth = {40, 60},
                                        .selection = {ets, ets},
                                        .max_classes = 3}));
}

TEST(CodecIeee, EtsConfigurationOfEightClasses) {
    const auto said = read_one("ieee_ets_eight");
    EXPECT_FALSE(said.ets->willing);
    EXPECT_EQ(said.ets->parameter,
              (Ets{.class_of = {0, 1, 2, 3, 4, 5, 6, 7},
                   .bandwidth = {10, 15, 25, 50},
                   .selection = {ets, ets, ets, ets, credit_based, strict, vendor, strict},
                   .max_classes = 8,
                   .credit_based_shaper = true}));
}

TEST(CodecIeee, NothingToShareNeedsNoPercentages) {
    EXPECT_EQ(read_one("ieee_ets_strict").ets->parameter.bandwidth, PerClass{});
}

TEST(CodecIeee, EtsRecommendation) {
    const auto said = read_one("ieee_recommendation");
    EXPECT_TRUE(said.recommendation->valid);
    EXPECT_FALSE(said.recommendation->bandwidth_only);
    EXPECT_EQ(said.recommendation->ets.bandwidth, (PerClass{30, 70}));
    EXPECT_EQ(said.recommendation->ets.class_of, (PerPriority{0, 0, 0, 1, 0, 0, 2, 2}));
}

TEST(CodecIeee, PfcConfiguration) {
    const auto said = read_one("ieee_pfc");
    EXPECT_EQ(*said.pfc, (Offered<Pfc>{{.enabled = 0x18, .capability = 8}, false}));
    EXPECT_EQ(*read_one("ieee_pfc_willing").pfc,
              (Offered<Pfc>{{.enabled = 0x08, .capability = 2, .macsec_bypass = true}, true}));
}

TEST(CodecIeee, ApplicationPriority) {
    using enum Selector;
    const auto said = read_one("ieee_application");
    EXPECT_EQ(said.application->parameter, (ApplicationTable{{ether_type, 0x8906, 3},
                                                             {tcp, 3260, 4},
                                                             {udp, 4791, 3},
                                                             {tcp_or_udp, 443, 2},
                                                             {dscp, 46, 6}}));
    const auto vlans = read_one("ieee_application_vlan");
    EXPECT_EQ(*vlans.application_vlan, (std::vector<ApplicationVlan>{{100, ether_type, 0x8906}}));
}

TEST(CodecIeee, CongestionNotification) {
    const auto said = read_one("ieee_congestion");
    EXPECT_EQ(said.congestion->parameter, (CongestionNotification{.enabled = 0x18, .ready = 0x08}));
}

// A faulty TLV is counted and has no other effect.
void expect_refused(Fault fault, uint8_t subtype, const std::string& payload) {
    FaultCounters faults;
    const std::vector<lldp::OrganisationalTlv> tlvs = {{0x0080C2, subtype, hex(payload)},
                                                       golden_tlv("ieee_congestion")};
    Advertisement said = read_ieee(tlvs, faults);
    EXPECT_TRUE(said.congestion) << "the rest of the frame counts";
    said.congestion.reset();
    EXPECT_EQ(said, Advertisement{}) << payload;
    EXPECT_EQ(faults[fault], 1U) << name(fault) << ": " << payload;
    EXPECT_EQ(faults.total(), 1U) << payload;
}

TEST(CodecIeee, AMalformedEtsIsAbsentAndCountedByItsName) {
    const std::string one_class = "02 00 00 00 00 00 00 00";
    for (const uint8_t subtype : {uint8_t{9}, uint8_t{10}}) {
        const auto refused = [&](Fault fault, const std::string& payload) {
            expect_refused(fault, subtype, payload);
        };
        refused(Fault::length, "");
        refused(Fault::length, "00 00000000 6400000000000000 02000000000000");
        refused(Fault::length, "00 00000000 6400000000000000 020000000000000000");
        refused(Fault::traffic_class, "00 00080000 6400000000000000" + one_class);
        refused(Fault::traffic_class, "00 0000000f 6400000000000000" + one_class);
        refused(Fault::bandwidth, "00 00000000 6300000000000000" + one_class);
        refused(Fault::bandwidth, "00 00000000 64ff010000000000" + one_class);
        refused(Fault::bandwidth, "00 00000000 0000000000000000" + one_class);
        refused(Fault::selection, "00 00000000 6400000000000000 0300000000000000");
        refused(Fault::selection, "00 00000000 6400000000000000 02000000000000fe");
    }
}

TEST(CodecIeee, WhatElseIsMalformed) {
    expect_refused(Fault::length, 11, "");
    expect_refused(Fault::length, 11, "08");
    expect_refused(Fault::length, 11, "08 18 00");
    expect_refused(Fault::traffic_class, 11, "09 18");
    expect_refused(Fault::length, 12, "");
    expect_refused(Fault::table_length, 12, "00 61");
    expect_refused(Fault::table_length, 12, "00 618906 61");
    expect_refused(Fault::table_length, 16, "0641 89");
}

TEST(CodecIeee, AnEntryThatIsNoneIsLeftOutOfItsTable) {
    FaultCounters faults;
    // Selectors 0, 6 and 7 are reserved; 1535 is a length, DSCP ends at 63, port 0 is none.
    const std::vector<lldp::OrganisationalTlv> tlvs = {
        {0x0080C2, 12, hex("00  608906 668906 678906  6105ff 650040 620000  618906")}};
    const auto said = read_ieee(tlvs, faults);
    EXPECT_EQ(said.application->parameter, (ApplicationTable{{Selector::ether_type, 0x8906, 3}}));
    EXPECT_EQ(faults[Fault::selector], 3U);
    EXPECT_EQ(faults[Fault::protocol], 3U);
}

TEST(CodecIeee, OfTwoTheFirstCountsEvenIfItIsMalformed) {
    FaultCounters faults;
    const std::vector<lldp::OrganisationalTlv> twice = {golden_tlv("ieee_pfc"),
                                                        golden_tlv("ieee_pfc_willing")};
    EXPECT_EQ(read_ieee(twice, faults).pfc->parameter.enabled, 0x18);
    const std::vector<lldp::OrganisationalTlv> cut = {{0x0080C2, 11, {}}, golden_tlv("ieee_pfc")};
    EXPECT_FALSE(read_ieee(cut, faults).pfc);
    EXPECT_EQ(faults[Fault::duplicate], 2U);
}

TEST(CodecIeee, OthersTlvsAreSkipped) {
    FaultCounters faults;
    const std::vector<lldp::OrganisationalTlv> others = {{0x00120F, 11, {}},
                                                         {0x0080C2, 1, {}},
                                                         {0x0080C2, 13, {}},
                                                         {0x0080C2, 200, {}},
                                                         {0x0080C2, 1, {}}};
    EXPECT_EQ(read_ieee(others, faults), Advertisement{});
    EXPECT_EQ(faults.total(), 0U);
}

TEST(CodecIeee, ATableIsWrittenAsFarAsItFits) {
    Advertisement said;
    said.application = {.parameter = ApplicationTable(300, {Selector::tcp, 3260, 4})};
    said.application->parameter.front() = {Selector::other_port, 80, 1};  // not of this dialect
    EXPECT_EQ(write_ieee(said).at(0).payload.size(), 1U + 3 * 168);
}

}  // namespace
}  // namespace sluice::dcbx
