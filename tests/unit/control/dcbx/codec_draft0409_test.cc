#include "control/dcbx/codec_draft0409.h"

#include <gtest/gtest.h>

#include "tests/unit/control/dcbx/read_golden.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::golden_tlv;
using test::hex;

Advertisement read_one(const std::string& name) {
    return read_golden(name, read_draft0409, write_draft0409);
}

TEST(CodecDraft0409, TrafficClassesSupported) {
    EXPECT_EQ(read_one("draft0409_classes").classes_supported, 3);
    EXPECT_EQ(read_one("draft0409_classes_eight").classes_supported, 8);
}

TEST(CodecDraft0409, GroupsBecomeClasses) {
    const auto said = read_one("draft0409_ets");
    EXPECT_TRUE(said.ets->willing);
    // Strict gets the highest class that is free, and the upper AVB group the next.
    EXPECT_EQ(said.ets->parameter,
              (Ets{.class_of = {0, 0, 0, 1, 6, 5, 7, 7},
                   .bandwidth = {40, 60},
                   .selection = {ets, ets, strict, strict, strict, credit_based, credit_based}}));
}

TEST(CodecDraft0409, EtsRecommendation) {
    const auto now = read_one("draft0409_recommendation").recommendation;
    EXPECT_TRUE(now->valid);
    EXPECT_TRUE(now->bandwidth_only);
    EXPECT_EQ(now->ets.bandwidth, (PerClass{30, 70}));
    EXPECT_FALSE(read_one("draft0409_recommendation_later").recommendation->valid);
}

TEST(CodecDraft0409, PriorityBasedFlowControlOfEitherLength) {
    EXPECT_EQ(*read_one("draft0409_pfc").pfc,
              (Offered<Pfc>{{.enabled = 0x18, .capability = 3}, true}));
    const auto defended = read_one("draft0409_pfc_defended").pfc;
    EXPECT_EQ(defended->parameter, (Pfc{.enabled = 0x18, .capability = 8}));
    EXPECT_EQ(defended->defences_on, 0x08);
}

TEST(CodecDraft0409, ApplicationPriority) {
    using enum Selector;
    const auto said = read_one("draft0409_application");
    EXPECT_TRUE(said.application->willing);
    EXPECT_EQ(said.application->parameter, (ApplicationTable{{ether_type, 0x8906, 3},
                                                             {tcp, 3260, 4},
                                                             {udp, 4791, 3},
                                                             {tcp_or_udp, 443, 2},
                                                             {other_port, 80, 1}}));
}

TEST(CodecDraft0409, CongestionNotification) {
    const auto said = read_one("draft0409_congestion");
    EXPECT_TRUE(said.congestion->willing);
    EXPECT_EQ(said.congestion->parameter.enabled, 0x10);
    EXPECT_EQ(said.congestion->defences_on, 0x10);
}

void expect_refused(Fault fault, uint8_t subtype, const std::string& payload) {
    FaultCounters faults;
    const std::vector<lldp::OrganisationalTlv> tlvs = {{0x0080C2, subtype, hex(payload)}};
    EXPECT_EQ(read_draft0409(tlvs, faults), Advertisement{}) << payload;
    EXPECT_EQ(faults[fault], 1U) << name(fault) << ": " << payload;
    EXPECT_EQ(faults.total(), 1U) << payload;
}

TEST(CodecDraft0409, AMalformedTlvIsAbsentAndCountedByItsName) {
    expect_refused(Fault::length, 8, "03 00");
    expect_refused(Fault::length, 9, "00 00000000 64000000000000");
    expect_refused(Fault::length, 10, "01 6400000000000000 00");
    expect_refused(Fault::length, 11, "08");
    expect_refused(Fault::length, 11, "08 18 00 00");
    expect_refused(Fault::length, 12, "");
    expect_refused(Fault::length, 13, "00 10");
    expect_refused(Fault::table_length, 12, "00 6089");
    expect_refused(Fault::traffic_class, 9, "00 00080000 6400000000000000");
    expect_refused(Fault::traffic_class, 9, "00 000000c0 6400000000000000");
    expect_refused(Fault::bandwidth, 9, "00 00000000 6500000000000000");
    expect_refused(Fault::bandwidth, 9, "00 ffffffff 0000000000000000");
    expect_refused(Fault::bandwidth, 10, "01 6300000000000000");
}

TEST(CodecDraft0409, EntriesOfReservedSelectorsAreIgnored) {
    FaultCounters faults;
    const std::vector<lldp::OrganisationalTlv> tlvs = {
        {0x0080C2, 12, hex("00  658906 668906 678906  608906")}};
    EXPECT_EQ(read_draft0409(tlvs, faults).application->parameter.size(), 1U);
    EXPECT_EQ(faults[Fault::selector], 3U);
}

TEST(CodecDraft0409, OfTwoTheFirstCounts) {
    FaultCounters faults;
    const std::vector tlvs = {golden_tlv("draft0409_pfc"), golden_tlv("draft0409_pfc_defended")};
    EXPECT_TRUE(read_draft0409(tlvs, faults).pfc->willing);
    EXPECT_EQ(faults[Fault::duplicate], 1U);
}

TEST(CodecDraft0409, APortOfStrictPriorityStillMakesAHundred) {
    Advertisement said;
    said.ets = {.parameter = {.class_of = {0, 1, 2, 3, 4, 5, 6, 7}}};
    FaultCounters faults;
    const auto read = read_draft0409(write_draft0409(said), faults);
    EXPECT_EQ(faults.total(), 0U);
    for (const uint8_t number : read.ets->parameter.class_of) {
        EXPECT_EQ(read.ets->parameter.selection.at(number), strict);
    }
}

}  // namespace
}  // namespace sluice::dcbx
