// A port that speaks CEE, and what its peer says of features: differs, has off, is in error about.
#include "control/dcbx/protocol_cee.h"

#include <gtest/gtest.h>

#include "tests/support/dcbx_pair.h"
#include "tests/unit/control/dcbx/bridge.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using test::DcbxPair;

Local willing() {
    Local local = bridge();
    local.pfc.enabled = 0;
    local.willing = {.ets = true, .pfc = true, .application = true};
    return local;
}

// A peer that is not willing, and has acknowledged our parameters.
Advertisement peer() {
    return {
        .control = Control{.seqno = 1, .ackno = 1},
        .ets = Offered<Ets>{.parameter = bridge().ets},
        .pfc = Offered<Pfc>{.parameter = {.enabled = 0x18}},
        .application = Offered<ApplicationTable>{.parameter = {{Selector::ether_type, 0x8906, 4}}}};
}

struct Port {
    explicit Port(const Local& local) { protocol.set_local(local); }
    Port& receive(const Advertisement& said) {
        protocol.receive(PeerSays{.address = {2}, .said = said});
        return *this;
    }
    [[nodiscard]] FeatureStatus row(Feature feature) const {
        return protocol.status().at(static_cast<std::size_t>(feature));
    }
    ProtocolCee protocol;
};

TEST(ProtocolCee, PriorityGroupsThatDifferFit) {
    for (const bool ready : {false, true}) {
        Local local = bridge();
        local.willing.ets = ready;
        Advertisement other = peer();
        other.ets = {.parameter = {.class_of = {0, 1, 2, 3, 4, 5, 6, 7},
                                   .bandwidth = {100},
                                   .selection = {ets}},
                     .willing = ready};
        Port port(local);
        port.receive(other);
        EXPECT_FALSE(port.protocol.advertise().ets->error) << "which would switch them off there";
        EXPECT_FALSE(port.row(Feature::ets).mismatch);
        EXPECT_EQ(port.protocol.operational().ets, bridge().ets) << "each keeps its own";
        other.ets.reset();
        EXPECT_TRUE(port.receive(other).protocol.advertise().ets->error)
            << "none at all is an error";
    }
}

TEST(ProtocolCee, AFeatureThatThePeerHasOffIsNoErrorAndIsReported) {
    for (const Local& local : {bridge(), willing()}) {
        Advertisement off = peer();
        off.ets->enabled = off.pfc->enabled = off.application->enabled = false;
        Port port(local);
        port.receive(off);
        const Advertisement said = port.protocol.advertise();
        EXPECT_FALSE(said.ets->error || said.pfc->error || said.application->error);
        for (const FeatureStatus& row : port.protocol.status()) {
            EXPECT_FALSE(row.mismatch) << name(row.feature);
            EXPECT_FALSE(row.pending) << name(row.feature);
            EXPECT_FALSE(row.from_peer) << name(row.feature);
            EXPECT_TRUE(row.peer) << name(row.feature);
            EXPECT_EQ(row.peer_enabled, false) << name(row.feature);
        }
        EXPECT_EQ(port.row(Feature::pfc).peer, FeatureValue(PrioritySet{0x18}));
        EXPECT_EQ(port.protocol.operational().pfc, local.pfc.enabled);
        EXPECT_EQ(port.receive(peer()).row(Feature::pfc).peer_enabled, true);
    }
}

TEST(ProtocolCee, APortThatHasNoPfcSaysThatItIsOffAndThatIsNoErrorEither) {
    Local without = bridge();
    without.pfc = {.enabled = 0, .capability = 0};
    Port port(without);
    port.receive(peer());
    EXPECT_FALSE(port.protocol.advertise().pfc->enabled);
    EXPECT_FALSE(port.protocol.advertise().pfc->error);
    EXPECT_FALSE(port.row(Feature::pfc).mismatch);
    EXPECT_TRUE(Port(bridge()).protocol.advertise().pfc->enabled);
}

TEST(ProtocolCee, AWillingPortDoesNotFollowAPeerThatIsInError) {
    Port port(willing());
    port.receive(peer());
    ASSERT_EQ(port.protocol.operational().pfc, 0x18);
    Advertisement in_error = peer();
    in_error.ets->error = in_error.pfc->error = in_error.application->error = true;
    port.receive(in_error);
    EXPECT_EQ(port.protocol.operational(),
              (Operational{.ets = willing().ets, .application = willing().application}));
    const Advertisement said = port.protocol.advertise();
    EXPECT_FALSE(said.ets->error || said.pfc->error || said.application->error)
        << "the peer is, not this port";
    for (const FeatureStatus& row : port.protocol.status()) {
        EXPECT_EQ(row.mismatch, Mismatch::peer_error) << name(row.feature);
        EXPECT_EQ(row.peer_error, true) << name(row.feature);
    }
    port.receive(peer());
    EXPECT_EQ(port.protocol.operational().pfc, 0x18);
    EXPECT_EQ(port.row(Feature::pfc).peer_error, false);
}

TEST(ProtocolCee, ThePeersErrorIsReportedWhereNobodyFollowsToo) {
    Advertisement in_error = peer();
    in_error.pfc = {.parameter = {.enabled = 0x08}, .error = true};
    EXPECT_EQ(Port(bridge()).receive(in_error).row(Feature::pfc).mismatch, Mismatch::peer_error);
    in_error.pfc->parameter.enabled = 0x10;
    EXPECT_EQ(Port(bridge()).receive(in_error).row(Feature::pfc).mismatch, Mismatch::differs);
    in_error.pfc->enabled = false;
    EXPECT_FALSE(Port(bridge()).receive(in_error).row(Feature::pfc).mismatch) << "it is off";
}

// A peer that speaks of applications is in error about a port that does not.
TEST(ProtocolCee, ThePeersErrorAboutWhatThePortDoesNotSpeakOfIsNoMismatch) {
    Local silent = bridge();
    silent.application.clear();
    Advertisement in_error = peer();
    in_error.application->error = true;
    const FeatureStatus row = Port(silent).receive(in_error).row(Feature::application);
    EXPECT_FALSE(row.mismatch);
    EXPECT_EQ(row.peer_error, true) << "it is shown";
}

TEST(ProtocolCee, WhyAFeatureDoesNotFitIsReported) {
    Advertisement without = peer();
    without.pfc.reset();
    EXPECT_EQ(Port(bridge()).receive(without).row(Feature::pfc).mismatch, Mismatch::missing);
    EXPECT_EQ(Port(bridge()).receive(peer()).row(Feature::pfc).mismatch, Mismatch::differs);
    EXPECT_FALSE(Port(bridge()).receive(without).row(Feature::pfc).peer_error);
}

TEST(ProtocolCee, AnErrorThatIsOverIsFollowedAgainAndBothComeToRest) {
    Local other = bridge();
    other.pfc.enabled = 0x10;
    DcbxPair pair(Mode::cee, bridge(), Mode::cee, other);
    pair.talk();
    ASSERT_EQ(DcbxPair::row(pair.two, Feature::pfc).peer_error, true);
    other.willing.pfc = true;
    other.address = DcbxPair::address_two;
    pair.two.configure(Mode::cee, other, Nanos(0));
    pair.talk();
    EXPECT_EQ(pair.two.operational().pfc, 0x08);
    for (const Agent* agent : {&pair.one, &pair.two}) {
        EXPECT_FALSE(DcbxPair::row(*agent, Feature::pfc).mismatch);
        EXPECT_EQ(DcbxPair::row(*agent, Feature::pfc).peer_error, false);
    }
}

}  // namespace
}  // namespace sluice::dcbx
