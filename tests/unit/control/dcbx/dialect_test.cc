#include "control/dcbx/dialect.h"

#include <gtest/gtest.h>

#include "tests/support/dcbx_golden.h"

namespace sluice::dcbx {
namespace {

using enum Dialect;
using test::golden_tlv;

std::vector<lldp::OrganisationalTlv> frame(std::initializer_list<const char*> names) {
    std::vector<lldp::OrganisationalTlv> tlvs;
    for (const char* name : names) tlvs.push_back(golden_tlv(name));
    return tlvs;
}

TEST(Dialect, SubtypeAndLengthDecideTheDialect) {
    for (const Dialect ambiguous : {ieee, draft0409}) {
        for (const char* name : {"ieee_congestion", "ieee_ets", "ieee_ets_strict",
                                 "ieee_recommendation", "ieee_application_vlan"}) {
            EXPECT_EQ(dialect_of(golden_tlv(name), ambiguous), ieee) << name;
        }
        for (const char* name :
             {"draft0409_classes", "draft0409_ets", "draft0409_recommendation",
              "draft0409_recommendation_later", "draft0409_pfc_defended", "draft0409_congestion"}) {
            EXPECT_EQ(dialect_of(golden_tlv(name), ambiguous), draft0409) << name;
        }
        EXPECT_EQ(dialect_of(golden_tlv("cee"), ambiguous), cee);
        for (const char* name : {"ieee_pfc", "draft0409_pfc", "ieee_application"}) {
            EXPECT_EQ(dialect_of(golden_tlv(name), ambiguous), ambiguous) << name;
        }
    }
}

TEST(Dialect, OthersTlvsAreOfNone) {
    using Tlv = lldp::OrganisationalTlv;
    EXPECT_FALSE(dialect_of(Tlv{0x0080C2, 1, {0, 1}}, ieee));
    EXPECT_FALSE(dialect_of(Tlv{0x0080C2, 13, {0, 1, 2, 3, 4}}, ieee)) << "another standard's";
    EXPECT_FALSE(dialect_of(Tlv{0x001B21, 1, {}}, ieee)) << "what came before CEE";
    EXPECT_FALSE(dialect_of(Tlv{0x00120F, 9, {}}, ieee));
}

TEST(Dialect, EtsInTheSameFrameSaysWhatIsAmbiguous) {
    EXPECT_EQ(resolve(frame({"ieee_pfc", "draft0409_ets"}), ieee), draft0409);
    EXPECT_EQ(resolve(frame({"ieee_pfc", "ieee_ets"}), draft0409), ieee);
    EXPECT_EQ(resolve(frame({"draft0409_ets", "ieee_ets"}), draft0409), ieee);
    EXPECT_EQ(resolve(frame({"ieee_pfc"}), draft0409), draft0409) << "else what the port speaks";
    EXPECT_EQ(resolve(frame({"ieee_pfc"}), ieee), ieee);
    EXPECT_EQ(resolve(frame({"ieee_pfc"}), cee), ieee);
}

TEST(Dialect, AnAutomaticPortFallsBackToCeeAlone) {
    const auto chosen = [](std::initializer_list<const char*> names) {
        return choose(Mode::automatic, frame(names));
    };
    EXPECT_EQ(chosen({}), ieee);
    EXPECT_EQ(chosen({"ieee_pfc"}), ieee);
    EXPECT_EQ(chosen({"cee"}), cee);
    EXPECT_EQ(chosen({"cee", "ieee_pfc"}), ieee) << "some switches send both";
    EXPECT_EQ(chosen({"cee", "ieee_ets"}), ieee);
    EXPECT_EQ(chosen({"draft0409_ets", "draft0409_pfc"}), ieee) << "never 0409v3";
    EXPECT_EQ(chosen({"draft0409_ets", "draft0409_pfc", "cee"}), cee);
}

TEST(Dialect, APortThatIsConfiguredSpeaksTheDialectOfItsSettings) {
    const auto both = frame({"cee", "ieee_ets", "draft0409_ets"});
    EXPECT_EQ(choose(Mode::ieee, both), ieee);
    EXPECT_EQ(choose(Mode::draft0409, both), draft0409);
    EXPECT_EQ(choose(Mode::cee, both), cee);
}

TEST(Dialect, WhatIsSaidInAnotherDialectIsCountedAndNotRead) {
    FaultCounters faults;
    const auto said = read(ieee, frame({"draft0409_ets", "draft0409_pfc", "cee"}), faults);
    EXPECT_EQ(said, Advertisement{});
    EXPECT_EQ(faults[Fault::other_dialect], 3U);
    EXPECT_EQ(faults.total(), 3U);
}

TEST(Dialect, EachIsReadAndWrittenByItsCodec) {
    const auto whole = [](Dialect dialect, std::initializer_list<const char*> names) {
        FaultCounters faults;
        EXPECT_EQ(write(dialect, read(dialect, frame(names), faults)), frame(names));
        EXPECT_EQ(faults.total(), 0U);
    };
    whole(ieee, {"ieee_congestion", "ieee_ets", "ieee_recommendation", "ieee_pfc",
                 "ieee_application", "ieee_application_vlan"});
    whole(draft0409, {"draft0409_classes", "draft0409_ets", "draft0409_recommendation",
                      "draft0409_pfc", "draft0409_application", "draft0409_congestion"});
    whole(cee, {"cee"});
}

TEST(Dialect, ALengthOfNoDialectIsAFaultOfTheOneInUse) {
    const std::vector<lldp::OrganisationalTlv> tlvs = {{0x0080C2, 9, {1, 2, 3}}};
    for (const Dialect dialect : {ieee, draft0409}) {
        FaultCounters faults;
        read(dialect, tlvs, faults);
        EXPECT_EQ(faults[Fault::length], 1U);
    }
}

}  // namespace
}  // namespace sluice::dcbx
