#include "control/dcbx/agent.h"

#include <gtest/gtest.h>

#include "tests/support/dcbx_golden.h"
#include "tests/support/dcbx_pair.h"
#include "tests/unit/control/dcbx/bridge.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::DcbxPair;
using test::golden_tlv;
using namespace literals;

Local station() {
    return {.ets = {.class_of = {0, 0, 0, 0, 0, 0, 0, 0}, .bandwidth = {100}, .selection = {ets}},
            .willing = {.ets = true, .pfc = true, .application = true}};
}

lldp::OrganisationalNeighbour neighbour(std::initializer_list<const char*> names,
                                        uint8_t number = 1) {
    lldp::OrganisationalNeighbour from{.source = {0x020000000100U + number},
                                       .chassis_id = {number}};
    for (const char* name : names) from.tlvs.push_back(golden_tlv(name));
    return from;
}

struct Port {
    explicit Port(Mode mode, Local local = bridge()) {
        local.address = {0x020000000001};
        agent.configure(mode, local, 0_s);
    }
    auto receive(std::vector<lldp::OrganisationalNeighbour> all, Nanos now = 1_s) {
        return agent.neighbours(all, now);
    }
    [[nodiscard]] const FeatureStatus& pfc() const { return DcbxPair::row(agent, Feature::pfc); }
    Agent agent;
};

TEST(Agent, DisabledItSaysNothingAndWhatIsSetHolds) {
    Port port(Mode::disabled);
    EXPECT_TRUE(port.receive({neighbour({"ieee_pfc"})}).empty());
    EXPECT_TRUE(port.agent.status().empty());
    EXPECT_EQ(port.agent.operational().pfc, 0x08);
    EXPECT_EQ(port.agent.operational().ets, bridge().ets);
}

TEST(Agent, OneThatIsNotWillingSaysWhatItIsSetToAndRecommendsIt) {
    Port port(Mode::ieee);
    FaultCounters faults;
    const auto said = read(Dialect::ieee, port.agent.to_send(), faults);
    EXPECT_EQ(faults.total(), 0U);
    EXPECT_EQ(*said.ets, (Offered<Ets>{.parameter = bridge().ets}));
    EXPECT_EQ(said.recommendation->ets, bridge().ets);
    EXPECT_EQ(*said.pfc, (Offered<Pfc>{.parameter = bridge().pfc}));
    EXPECT_EQ(said.application->parameter, bridge().application);
}

// Shares of 99 %: the TLV counts as absent, and no answer is awaited.
TEST(Agent, WhatIsAtFaultIsNamedWhileItIs) {
    Port port(Mode::ieee);
    auto peer = neighbour({"ieee_pfc"}, 1);
    peer.tlvs.push_back(
        {0x0080C2, 9, {0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2}});
    port.receive({peer});
    EXPECT_EQ(port.agent.present_faults()[Fault::bandwidth], 1U);
    EXPECT_EQ(port.agent.faults()[Fault::bandwidth], 1U);
    for (const FeatureStatus& row : port.agent.status()) {
        if (row.feature != Feature::ets) continue;
        EXPECT_FALSE(row.peer);
        EXPECT_FALSE(row.pending);
    }
    port.receive({neighbour({"ieee_pfc"}, 1)});
    EXPECT_EQ(port.agent.present_faults().total(), 0U);
    EXPECT_EQ(port.agent.faults()[Fault::bandwidth], 1U);
}

TEST(Agent, AMismatchIsReportedAndCountedWhenItBegins) {
    Port port(Mode::ieee);
    port.receive({neighbour({"ieee_pfc"})}, 5_s);  // 3 and 4, not willing
    EXPECT_TRUE(port.pfc().mismatch);
    EXPECT_FALSE(port.pfc().pending);
    EXPECT_EQ(port.pfc().peer, FeatureValue(PrioritySet{0x18}));
    EXPECT_EQ(port.agent.operational().pfc, 0x08) << "not willing";
    EXPECT_EQ(port.agent.mismatches(Feature::pfc), 1U);
    EXPECT_EQ(port.agent.mismatch_since(Feature::pfc), 5_s);
    port.receive({neighbour({"ieee_pfc", "ieee_congestion"})}, 6_s);
    EXPECT_EQ(port.agent.mismatches(Feature::pfc), 1U) << "the same one";
    EXPECT_EQ(port.agent.mismatch_since(Feature::pfc), 5_s);
    port.receive({}, 7_s);
    EXPECT_FALSE(port.pfc().mismatch);
    EXPECT_FALSE(port.agent.mismatch_since(Feature::pfc));
    port.receive({neighbour({"ieee_pfc"})}, 8_s);
    EXPECT_EQ(port.agent.mismatches(Feature::pfc), 2U);
}

TEST(Agent, AWillingOneTakesAndGoesBackWhenTheNeighbourGoes) {
    Port port(Mode::ieee, station());
    port.receive({neighbour({"ieee_ets", "ieee_recommendation", "ieee_pfc", "ieee_application"})});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    EXPECT_EQ(port.agent.operational().ets.bandwidth, (PerClass{30, 70}));
    EXPECT_EQ(port.agent.operational().application.size(), 5U);
    EXPECT_TRUE(port.pfc().from_peer);
    EXPECT_EQ(port.agent.changes(), 2U) << "as it is set to, and as the peer says";
    port.receive({});
    EXPECT_EQ(port.agent.operational().pfc, 0);
    EXPECT_EQ(port.agent.operational().ets, station().ets);
    EXPECT_TRUE(port.agent.operational().application.empty());
    EXPECT_EQ(port.agent.changes(), 3U);
}

TEST(Agent, OfSeveralNeighboursNoneIsListenedToUntilOneRemains) {
    Port port(Mode::ieee, station());
    const auto one = neighbour({"ieee_pfc"}, 1);
    const auto two = neighbour({"ieee_pfc_willing"}, 2);
    port.receive({one});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    port.receive({one, two});
    EXPECT_EQ(port.agent.operational().pfc, 0);
    EXPECT_FALSE(port.pfc().peer);
    EXPECT_FALSE(port.pfc().pending);
    EXPECT_EQ(port.agent.faults()[Fault::many_neighbours], 1U);
    port.receive({one, two, neighbour({}, 3)});
    EXPECT_EQ(port.agent.faults()[Fault::many_neighbours], 1U) << "it began once";
    port.receive({one});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
}

TEST(Agent, WhoSpeaksNoDcbxIsNobodysPeer) {
    Port port(Mode::ieee, station());
    const auto peer = neighbour({"ieee_pfc"}, 1);
    auto plain = neighbour({}, 2);
    plain.tlvs = {{0x0080C2, 1, {0, 1}}, {0x00120F, 1, {3, 0, 0, 0, 0}}};  // its VLAN, its PHY
    port.receive({peer, plain});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    EXPECT_EQ(port.agent.peers(), 1U);
    port.receive({plain, peer, neighbour({}, 3)});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    EXPECT_EQ(port.agent.faults()[Fault::many_neighbours], 0U);
    port.receive({plain, peer, neighbour({"cee"}, 3)});
    EXPECT_EQ(port.agent.operational().pfc, 0) << "of whichever dialect";
    EXPECT_EQ(port.agent.peers(), 2U);
    port.receive({plain});
    EXPECT_EQ(port.agent.peers(), 0U);
    EXPECT_FALSE(port.pfc().pending);
}

TEST(Agent, TheSameSettingsAgainChangeNothing) {
    Port port(Mode::ieee, station());
    const auto said = port.receive({neighbour({"ieee_pfc", "draft0409_classes"})});
    const auto faults = port.agent.faults();
    const auto changes = port.agent.changes();
    EXPECT_EQ(port.receive({neighbour({"ieee_pfc", "draft0409_classes"})}), said);
    Local same = station();
    same.address = {0x020000000001};
    port.agent.configure(Mode::ieee, same, 2_s);
    EXPECT_EQ(port.agent.to_send(), said);
    EXPECT_EQ(port.agent.changes(), changes);
    EXPECT_EQ(port.agent.faults(), faults);
}

TEST(Agent, NewSettingsHoldAtOnceAndKeepWhatThePeerSaid) {
    Port port(Mode::ieee, bridge());
    port.receive({neighbour({"ieee_pfc"})});
    Local willing = bridge();
    willing.willing.pfc = true;
    port.agent.configure(Mode::ieee, willing, 2_s);
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    port.agent.configure(Mode::disabled, willing, 3_s);
    EXPECT_EQ(port.agent.operational().pfc, 0x08);
    EXPECT_TRUE(port.agent.to_send().empty());
    port.agent.configure(Mode::ieee, willing, 4_s);
    EXPECT_EQ(port.agent.operational().pfc, 0x18) << "the neighbour is still there";
}

TEST(Agent, AutomaticSpeaksCeeOnlyToThoseWhoSpeakNothingElse) {
    Port port(Mode::automatic);
    EXPECT_EQ(port.agent.dialect(), Dialect::ieee);
    port.receive({neighbour({"draft0409_ets", "draft0409_pfc"})});
    EXPECT_EQ(port.agent.dialect(), Dialect::ieee);
    EXPECT_FALSE(port.pfc().peer);
    EXPECT_EQ(port.agent.faults()[Fault::other_dialect], 2U);
    const auto said = port.receive({neighbour({"cee"})});
    EXPECT_EQ(port.agent.dialect(), Dialect::cee);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].oui, 0x001B21U);
    EXPECT_EQ(port.pfc().peer, FeatureValue(PrioritySet{0x08}));
    port.receive({neighbour({"cee", "ieee_pfc"})});
    EXPECT_EQ(port.agent.dialect(), Dialect::ieee);
    port.receive({neighbour({"cee"})});
    port.receive({});
    EXPECT_EQ(port.agent.dialect(), Dialect::ieee) << "it starts anew";
}

TEST(Agent, AMalformedTlvIsAsIfItWereAbsent) {
    Port port(Mode::ieee, station());
    auto from = neighbour({"ieee_pfc"});
    port.receive({from});
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    from.tlvs[0].payload.pop_back();
    port.receive({from});
    EXPECT_EQ(port.agent.operational().pfc, 0);
    EXPECT_EQ(port.agent.faults()[Fault::length], 1U);
}

TEST(Agent, WhatItRefusesOfPfcItNeitherHasNorSays) {
    Port port(Mode::ieee, station());
    port.receive({neighbour({"ieee_pfc"})});
    ASSERT_EQ(port.agent.asked_pfc(), 0x18);
    port.agent.refuse_pfc(true, 2_s);
    EXPECT_EQ(port.agent.operational().pfc, 0);
    EXPECT_TRUE(port.pfc().mismatch);
    EXPECT_FALSE(port.pfc().from_peer);
    EXPECT_EQ(port.agent.asked_pfc(), 0x18) << "the peer still does";
    FaultCounters faults;
    const auto said = read(Dialect::ieee, port.agent.to_send(), faults);
    EXPECT_EQ(said.pfc->parameter.enabled, 0);
    EXPECT_FALSE(said.pfc->willing);
    EXPECT_TRUE(said.ets->willing);
    port.agent.refuse_pfc(false, 3_s);
    EXPECT_EQ(port.agent.operational().pfc, 0x18);
    port.agent.refuse_pfc(true, 4_s);
    port.receive({});
    EXPECT_FALSE(port.agent.asked_pfc());
}

// The peer keeps sending its own wish, so the agent follows it as soon as the peer asks for less.
TEST(Agent, ARefusalComesToRestWithAWillingPeerAndEndsWhenThatAsksForLess) {
    Local one = station();
    one.pfc.enabled = 0x08;
    Local two = station();
    two.pfc.enabled = 0x7E;
    DcbxPair pair(Mode::ieee, one, Mode::ieee, two);
    pair.talk();
    ASSERT_EQ(pair.one.asked_pfc(), 0x7E);
    pair.one.refuse_pfc(true, 1_s);
    pair.talk();
    EXPECT_EQ(pair.two.operational().pfc, 0x7E) << "its own";
    EXPECT_EQ(pair.one.operational().pfc, 0x08);
    EXPECT_TRUE(DcbxPair::row(pair.one, Feature::pfc).mismatch);
    EXPECT_EQ(pair.one.asked_pfc(), 0x7E);

    two.pfc.enabled = 0x10;
    two.address = DcbxPair::address_two;
    pair.two.configure(Mode::ieee, two, 2_s);
    pair.talk();
    ASSERT_EQ(pair.one.asked_pfc(), 0x10);
    pair.one.refuse_pfc(false, 3_s);
    pair.talk();
    EXPECT_EQ(pair.one.operational().pfc, 0x10);
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::pfc).mismatch);
}

TEST(Agent, OfAPeersApplicationsWhatTheSwitchCanKeepHolds) {
    ApplicationTable table = {{Selector::other_port, 7, 1}};
    for (uint16_t port = 1; port <= 40; ++port) table.push_back({Selector::tcp, port, 4});
    Port port(Mode::draft0409, station());
    auto from = neighbour({});
    from.tlvs =
        write(Dialect::draft0409, {.application = Offered<ApplicationTable>{.parameter = table}});
    port.receive({from});
    const ApplicationTable& holds = port.agent.operational().application;
    ASSERT_EQ(holds.size(), 32U);
    EXPECT_EQ(holds.front(), (Application{Selector::tcp, 1, 4}));
    EXPECT_EQ(port.agent.faults()[Fault::not_classified], 1U);
    EXPECT_EQ(port.agent.faults()[Fault::table_full], 8U);
}

TEST(Agent, TwoIeeePortsWillingAboutApplicationsKeepTheirOwn) {
    Local one = bridge();
    one.willing.application = true;
    Local two = one;
    two.application = {{Selector::tcp, 3260, 5}};
    DcbxPair pair(Mode::ieee, one, Mode::ieee, two);
    pair.talk();
    EXPECT_EQ(pair.one.operational().application, one.application);
    EXPECT_EQ(pair.two.operational().application, two.application);
    two.willing.application = false;
    two.address = DcbxPair::address_two;
    pair.two.configure(Mode::ieee, two, 1_s);
    pair.talk();
    EXPECT_EQ(pair.one.operational().application, two.application);
}

struct Dialects : testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(Each, Dialects,
                         testing::Values(Mode::ieee, Mode::draft0409, Mode::cee, Mode::automatic));

TEST_P(Dialects, AStationDoesAsItsBridgeSaysAndTheyComeToRest) {
    DcbxPair pair(GetParam(), bridge(), GetParam(), station());
    pair.talk();
    EXPECT_EQ(pair.two.operational().pfc, 0x08);
    EXPECT_EQ(pair.two.operational().application, bridge().application);
    EXPECT_EQ(pair.one.operational(),
              (Operational{.ets = bridge().ets, .pfc = 0x08, .application = bridge().application}));
    for (const Agent* agent : {&pair.one, &pair.two}) {
        for (const FeatureStatus& row : agent->status()) {
            EXPECT_FALSE(row.pending && row.feature != Feature::application) << name(row.feature);
        }
        EXPECT_EQ(agent->faults().total(), 0U);
    }
}

TEST_P(Dialects, TwoBridgesThatAgreeHaveNothingToReport) {
    DcbxPair pair(GetParam(), bridge(), GetParam(), bridge());
    pair.talk();
    for (const Agent* agent : {&pair.one, &pair.two}) {
        for (const FeatureStatus& row : agent->status()) {
            EXPECT_EQ(agent->mismatches(row.feature), 0U);
            EXPECT_FALSE(row.pending);
        }
    }
}

TEST_P(Dialects, TwoBridgesThatDifferBothReportIt) {
    Local other = bridge();
    other.pfc.enabled = 0x18;
    DcbxPair pair(GetParam(), bridge(), GetParam(), other);
    pair.talk();
    EXPECT_TRUE(DcbxPair::row(pair.one, Feature::pfc).mismatch);
    EXPECT_TRUE(DcbxPair::row(pair.two, Feature::pfc).mismatch);
    EXPECT_EQ(pair.one.operational().pfc, 0x08) << "each keeps its own";
    EXPECT_EQ(pair.two.operational().pfc, 0x18);
}

TEST_P(Dialects, BothWillingComeToRest) {
    Local one = station();
    one.pfc.enabled = 0x08;
    Local two = station();
    two.pfc.enabled = 0x10;
    DcbxPair pair(GetParam(), one, GetParam(), two);
    pair.talk();
    const bool by_address = GetParam() == Mode::ieee || GetParam() == Mode::automatic;
    EXPECT_EQ(pair.one.operational().pfc, by_address ? 0x10 : 0x08);
    EXPECT_EQ(pair.two.operational().pfc, 0x10);
    EXPECT_EQ(DcbxPair::row(pair.one, Feature::pfc).mismatch.has_value(), !by_address);
}

// In CEE the peer's Error is the answer to the refusal, and so no reason to end it.
TEST_P(Dialects, ARefusalOfAPeerThatIsNotWillingComesToRestAndEndsOnceThereIsRoom) {
    Local one = station();
    one.pfc.enabled = 0x08;
    Local two = bridge();
    two.pfc.enabled = 0x7E;
    DcbxPair pair(GetParam(), one, GetParam(), two);
    const auto talk_without_room = [&] {
        const std::string ladder = pair.talk();
        pair.one.refuse_pfc(pair.one.asked_pfc().has_value(), 1_s);
        return ladder;
    };
    talk_without_room();
    EXPECT_NE(talk_without_room(), "") << "the refusal is told";
    EXPECT_TRUE(pair.one.refuses_pfc());
    EXPECT_EQ(talk_without_room(), "") << "once";
    EXPECT_TRUE(pair.one.refuses_pfc());
    EXPECT_EQ(pair.one.operational().pfc, 0x08);
    EXPECT_EQ(pair.two.operational().pfc, 0x7E);
    EXPECT_TRUE(DcbxPair::row(pair.one, Feature::pfc).mismatch);

    pair.one.refuse_pfc(false, 2_s);
    pair.talk();
    EXPECT_EQ(pair.one.operational().pfc, 0x7E);
    EXPECT_FALSE(DcbxPair::row(pair.one, Feature::pfc).mismatch);
    EXPECT_FALSE(DcbxPair::row(pair.two, Feature::pfc).mismatch);
}

TEST(Agent, ACeeFeatureThatThePeerLacksIsInErrorAndSaysSo) {
    Port port(Mode::cee);
    const auto said = port.receive({neighbour({"cee_control"})});
    EXPECT_TRUE(port.pfc().mismatch);
    EXPECT_EQ(port.agent.operational().pfc, 0x08);
    FaultCounters faults;
    const auto read = dcbx::read(Dialect::cee, said, faults);
    EXPECT_TRUE(read.pfc->error);
    EXPECT_TRUE(read.ets->error);
    EXPECT_EQ(read.control->ackno, 1U);
}

TEST(Agent, ACeeFeatureThatIsNoLongerSpokenOfIsNoLongerInError) {
    Port port(Mode::cee);
    port.receive({neighbour({"cee_control"})});
    const auto& application = [&]() -> const FeatureStatus& {
        return DcbxPair::row(port.agent, Feature::application);
    };
    ASSERT_TRUE(application().mismatch) << "the peer speaks, but not of applications";
    Local silent = bridge();
    silent.application.clear();
    port.agent.configure(Mode::cee, silent, 2_s);
    EXPECT_FALSE(application().mismatch);
    port.agent.configure(Mode::cee, bridge(), 3_s);
    EXPECT_TRUE(application().mismatch);
}

}  // namespace
}  // namespace sluice::dcbx
