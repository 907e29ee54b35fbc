#include "control/dcbx/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/loader.h"
#include "tests/support/dcbx_golden.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using test::golden_tlv;
using Tlvs = std::vector<lldp::OrganisationalTlv>;

config::Configuration read(std::string_view of_port) {
    auto configuration = config::load_text(
        fmt::format("ports:\n- {{name: a, device: 'null:1'{}}}\n- {{name: b, device: 'null:2'}}\n",
                    of_port),
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    return *configuration;
}

const std::string of_a =
    ", lossless: [4], scheduler: {dwrr: {0: 30, 3: 70}}, application: [{selector: tcp, protocol: "
    "3260, priority: 4}], dcbx: {mode: auto";

// Two ports, of which the first has a neighbour.
struct ManagedPort {
    explicit ManagedPort(const std::string& of_port, Abilities abilities = {})
        : publisher(read(of_port),
                    [this](const Settings& settings) { published.push_back(settings); }),
          manager(publisher, 0_s, recorded.sink, {{.are = abilities}, {}}),
          provider(manager.tlv_provider(0)) {}

    // Returns kinds and texts of the events.
    std::vector<std::string> receive(const Tlvs& tlvs) {
        const lldp::OrganisationalNeighbour neighbour{.source = {2}, .tlvs = tlvs};
        return receive_all({neighbour});
    }
    std::vector<std::string> receive_all(const std::vector<lldp::OrganisationalNeighbour>& all) {
        now += 10_s;
        sent = provider->neighbours(all, now);
        return announced();
    }
    std::vector<std::string> announced() {
        std::vector<std::string> lines;
        manager.apply_agreed(now);
        for (const RecordedEvents::Row& event : recorded.take()) {
            lines.push_back(event.kind + ": " + event.text);
        }
        return lines;
    }

    [[nodiscard]] dcbx::Offered<dcbx::Pfc> says_of_pfc() const {
        dcbx::FaultCounters faults;
        return *dcbx::read(dcbx::Dialect::ieee, provider->to_send(), faults).pfc;
    }

    std::vector<Settings> published;
    Publisher publisher;
    RecordedEvents recorded;
    DcbxManager manager;
    std::unique_ptr<lldp::TlvProvider> provider;
    Tlvs sent;
    Nanos now{0};
};
using Lines = std::vector<std::string>;

TEST(DcbxManager, SaysWhatAPortIsSetTo) {
    ManagedPort port(of_a + "}");
    dcbx::FaultCounters faults;
    const auto said = dcbx::read(dcbx::Dialect::ieee, port.provider->to_send(), faults);
    EXPECT_EQ(said.pfc->parameter, (dcbx::Pfc{.enabled = 0x10, .capability = 8}));
    EXPECT_FALSE(said.pfc->willing || said.ets->willing);
    EXPECT_EQ(said.ets->parameter.bandwidth, (dcbx::PerClass{30, 0, 0, 70}));
    EXPECT_EQ(said.ets->parameter.selection[4], dcbx::Selection::strict);
    EXPECT_EQ(said.recommendation->ets, said.ets->parameter);
    EXPECT_EQ(said.application->parameter,
              (dcbx::ApplicationTable{{dcbx::Selector::tcp, 3260, 4}}));
    EXPECT_EQ(faults.total(), 0U);
}

// The peer counts by PCP, and pauses frames with these PCPs.
TEST(DcbxManager, LosslessPrioritiesAreSaidByTheirPcps) {
    ManagedPort port(", lossless: [3], pcp_to_priority: [0, 1, 2, 0, 4, 3, 6, 7]");
    EXPECT_EQ(port.says_of_pfc().parameter.enabled, 0x20);
}

TEST(DcbxManager, WithoutFlowControlAPortIsNotCapableOfPfc) {
    ManagedPort port(", flow_control: none");
    dcbx::FaultCounters faults;
    const auto said = dcbx::read(dcbx::Dialect::ieee, port.provider->to_send(), faults);
    EXPECT_EQ(said.pfc->parameter, (dcbx::Pfc{.enabled = 0, .capability = 0}));
}

// The peer would believe a claim of PFC: it would go on sending, or would pause a port that obeys
// no pause.
TEST(DcbxManager, APortThatDoesNotKeepPfcIsNotCapableOfIt) {
    const dcbx::Pfc without = {.enabled = 0, .capability = 0};
    for (const Abilities half :
         {Abilities{.pfc_rx = PauseAbility::none}, Abilities{.pfc_tx = PauseAbility::none}}) {
        ManagedPort port(", dcbx: {willing: [pfc]}", half);
        EXPECT_EQ(port.says_of_pfc().parameter, without);
        EXPECT_FALSE(port.says_of_pfc().willing);
        port.receive({golden_tlv("ieee_pfc")});
        EXPECT_TRUE(port.published.empty()) << "nothing of the peer's is taken";
    }
    const Abilities unproven = {.pfc_rx = PauseAbility::unproven};
    EXPECT_EQ(ManagedPort(", dcbx: {willing: [pfc]}, pfc: {unproved: refuse}", unproven)
                  .says_of_pfc()
                  .parameter,
              without);
    EXPECT_TRUE(ManagedPort(", dcbx: {willing: [pfc]}", unproven).says_of_pfc().willing);
    EXPECT_EQ(ManagedPort(of_a + "}", unproven).says_of_pfc().parameter.enabled, 0x10);
}

TEST(DcbxManager, SettingsThatAskAPortForWhatItCannotDoAreRefusedWhole) {
    ManagedPort port("", {.pfc_tx = PauseAbility::none});
    const auto refused = port.manager.adopt(read(of_a + "}"), port.now);
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().size(), 1U);
    EXPECT_EQ(refused.error()[0].find("x.yaml:2:41: ports[0].lossless: null:1: it does not send"),
              0U)
        << refused.error()[0];
    EXPECT_EQ(port.publisher.running().settings.ports[0].pfc.lossless, 0);
    EXPECT_TRUE(port.manager.adopt(read(", default_vlan: 7"), port.now));
}

TEST(DcbxManager, APortThatIsNotWillingChangesNothingAndReportsWhatDiffers) {
    ManagedPort port(of_a + "}");
    EXPECT_EQ(port.receive({golden_tlv("ieee_pfc")}),
              (Lines{"dcbx_mismatch: pfc: 4 here, 3, 4 at the peer; set both ends alike, or one "
                     "willing"}));
    EXPECT_TRUE(port.published.empty());
    EXPECT_EQ(port.receive_all({}), (Lines{"dcbx_mismatch_over: pfc: 4"}));
}

TEST(DcbxManager, APeerThatSaysItIsInErrorIsNotFollowedAndThatIsReported) {
    ManagedPort port(of_a + ", willing: [application]}");
    const Lines lines = port.receive({golden_tlv("cee")});
    EXPECT_EQ(lines.back(),
              "dcbx_mismatch: application: tcp 3260: 4 here; the peer reports a DCBX error; check "
              "the peer");
    EXPECT_TRUE(port.published.empty());
}

// ETS whose shares make 99 %.
TEST(DcbxManager, WhatIsWrongWithAPeersTlvsIsReportedOnceAndWhenItIsOver) {
    ManagedPort port(of_a + "}");
    lldp::OrganisationalTlv wrong{0x0080C2, 9, {0, 0, 0, 0, 0, 99}};
    wrong.payload.resize(13);
    wrong.payload.resize(21, 2);
    EXPECT_EQ(port.receive({wrong}), Lines{"dcbx_fault: invalid DCBX TLVs from the peer "
                                           "(bandwidth): ignored; correct the peer's settings"});
    EXPECT_EQ(port.receive({wrong}), Lines{});
    const Lines lines = port.receive({golden_tlv("ieee_ets")});
    EXPECT_EQ(lines.back(), "dcbx_fault_over: the peer's DCBX TLVs are valid again");
}

TEST(DcbxManager, AWillingPortTakesAllInOneChangeAndGoesBackInOne) {
    ManagedPort port(of_a + ", willing: [ets, pfc]}");
    const Lines lines = port.receive(
        {golden_tlv("ieee_ets"), golden_tlv("ieee_recommendation"), golden_tlv("ieee_pfc")});
    EXPECT_EQ(lines,
              (Lines{"dcbx_applied: ets: 0, 1, 2, 4, 5: 30 %; 3: 70 %; 6, 7: strict, by the peer",
                     "dcbx_applied: pfc: 3, 4, by the peer"}));
    ASSERT_EQ(port.published.size(), 1U);
    const PortSettings& taken = port.published[0].ports[0];
    EXPECT_EQ(taken.pfc.lossless, 0x18);
    const auto& class_of = taken.scheduler.traffic_class;
    EXPECT_EQ(class_of[0], class_of[5]);
    EXPECT_EQ(taken.scheduler.weight[class_of[0]], 3);
    EXPECT_EQ(taken.scheduler.weight[class_of[3]], 7);
    EXPECT_EQ(taken.scheduler.discipline[class_of[7]], Discipline::strict);
    EXPECT_EQ(port.published[0].ports[1].pfc.lossless, 0);

    port.receive_all({});
    ASSERT_EQ(port.published.size(), 2U);
    EXPECT_EQ(port.published[1].ports[0].pfc.lossless, 0x10);
    EXPECT_EQ(port.published[1].ports[0].scheduler.weight[3], 70);
}

TEST(DcbxManager, AWillingPortClassifiesByThePeersApplicationsWhileThePeerSaysThem) {
    ManagedPort port(of_a + ", willing: [application]}");
    port.receive({golden_tlv("ieee_application")});
    ASSERT_EQ(port.published.size(), 1U);
    const ClassifySettings& taken = port.published[0].ports[0].classify;
    ASSERT_EQ(taken.application_count, 5);
    EXPECT_EQ(taken.applications[0].protocol, 0x8906);
    EXPECT_EQ(taken.applications[0].priority, 3);
    EXPECT_EQ(taken.order[1], PrioritySource::application);

    port.receive_all({});
    const ClassifySettings& written = port.published.back().ports[0].classify;
    EXPECT_EQ(written.application_count, 1);
    EXPECT_EQ(written.order[1], PrioritySource::dscp);
}

TEST(DcbxManager, ADefenceIsOnUntilThePeerPausesToo) {
    ManagedPort port(", lossless: [4], dcbx: {mode: draft0409, defend: true}");
    ASSERT_EQ(port.published.size(), 1U);
    EXPECT_EQ(port.published[0].ports[0].dcbx_defence, 0x10);
    EXPECT_EQ(port.published[0].ports[1].dcbx_defence, 0);
    EXPECT_EQ(
        port.announced(),
        (Lines{
            "dcbx_defence: pfc: frames received in 4 are discarded until the peer has PFC there"}));
    EXPECT_EQ(port.receive({golden_tlv("draft0409_pfc")}).back(),
              "dcbx_defence_over: pfc: received frames are no longer discarded");
    EXPECT_EQ(port.published.back().ports[0].dcbx_defence, 0);
    port.receive_all({});
    EXPECT_EQ(port.published.back().ports[0].dcbx_defence, 0x10);
}

TEST(DcbxManager, APortThatHoldsSendsNothingUntilThePeersDefencesAreOff) {
    ManagedPort port(", lossless: [4], dcbx: {mode: draft0409, hold: true}");
    EXPECT_EQ(port.published.back().ports[0].dcbx_held, 0x10);
    EXPECT_EQ(port.announced(), (Lines{"dcbx_hold: pfc: frames in 4 are held until the peer "
                                       "reports by LLDP that its defences are off there"}));
    auto defended = golden_tlv("draft0409_pfc_defended");
    defended.payload[2] = 0x10;
    port.receive({defended});
    EXPECT_EQ(port.published.back().ports[0].dcbx_held, 0x10);
    EXPECT_EQ(port.receive({golden_tlv("draft0409_pfc_defended")}),
              (Lines{"dcbx_hold_over: pfc: frames to the peer are no longer held"}));
    EXPECT_EQ(port.published.back().ports[0].dcbx_held, 0);
    port.receive_all({});
    EXPECT_EQ(port.published.back().ports[0].dcbx_held, 0x10);
}

TEST(DcbxManager, TheSameAgainPublishesAndReportsNothing) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    port.receive({golden_tlv("ieee_pfc")});
    EXPECT_TRUE(port.receive({golden_tlv("ieee_pfc")}).empty());
    EXPECT_EQ(port.published.size(), 1U);
}

TEST(DcbxManager, ASecondNeighbourEndsAnAgreementUntilOneRemains) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    const lldp::OrganisationalNeighbour one{
        .source = {2}, .chassis_id = {1}, .tlvs = {golden_tlv("ieee_pfc")}};
    const lldp::OrganisationalNeighbour two{
        .source = {3}, .chassis_id = {2}, .tlvs = {golden_tlv("ieee_pfc")}};
    EXPECT_EQ(port.receive_all({one}), (Lines{"dcbx_applied: pfc: 3, 4, by the peer"}));
    EXPECT_EQ(
        port.receive_all({one, two}),
        (Lines{
            "dcbx_many_peers: 2 neighbours speak DCBX, so all are ignored; disable DCBX on all but "
            "one",
            "dcbx_reverted: pfc: 4, as configured; 2 neighbours speak DCBX, so all are ignored"}));
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x10);
    EXPECT_EQ(port.receive_all({one}),
              (Lines{"dcbx_many_peers_over: one neighbour is left that speaks DCBX",
                     "dcbx_applied: pfc: 3, 4, by the peer"}));
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x18);
}

TEST(DcbxManager, ANeighbourWithoutDcbxLeavesAnAgreementAlone) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    const lldp::OrganisationalNeighbour one{
        .source = {2}, .chassis_id = {1}, .tlvs = {golden_tlv("ieee_pfc")}};
    const lldp::OrganisationalNeighbour plain{.source = {3}, .chassis_id = {2}};
    port.receive_all({one});
    EXPECT_EQ(port.receive_all({plain, one}), Lines{});
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x18);
    EXPECT_EQ(port.receive_all({plain}), (Lines{"dcbx_reverted: pfc: 4, as configured"}));
}

TEST(DcbxManager, MorePrioritiesThanThePeerCanPauseAreReportedAndTaken) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    auto tlv = golden_tlv("ieee_pfc");
    tlv.payload = {2, 0x38};
    EXPECT_EQ(port.receive({tlv}),
              (Lines{"dcbx_applied: pfc: 3, 4, 5, by the peer",
                     "dcbx_mismatch: pfc: 3, 4, 5 here, and the peer can pause 2 at a time; make "
                     "fewer lossless"}));
    tlv.payload = {3, 0x38};
    EXPECT_EQ(port.receive({tlv}), (Lines{"dcbx_mismatch_over: pfc: 3, 4, 5"}));
}

TEST(DcbxManager, NewSettingsAreAdvertised) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    port.receive({golden_tlv("ieee_pfc")});
    ASSERT_TRUE(port.manager.adopt(read(", lossless: [5], dcbx: {willing: []}"), port.now));
    EXPECT_EQ(port.announced().at(0), "dcbx_reverted: pfc: 5, as configured");
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x20);
    dcbx::FaultCounters faults;
    const auto said = dcbx::read(dcbx::Dialect::ieee, port.provider->to_send(), faults);
    EXPECT_EQ(said.pfc->parameter.enabled, 0x20);
    EXPECT_FALSE(said.pfc->willing);
}

TEST(DcbxManager, ALackOfRoomIsReportedOnce) {
    ManagedPort port(", lossless: [4], dcbx: {willing: [pfc]}, speed: 400G, pfc: {cable: 1km}");
    auto tlv = golden_tlv("ieee_pfc");
    tlv.payload[1] = 0xFF;
    const Lines lines = port.receive({tlv});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].rfind("dcbx_mismatch: pfc: 4 here, 0, 1, 2, 3", 0), 0U) << lines[0];
    EXPECT_EQ(
        lines[1].rfind("dcbx_refused: the buffer has no headroom for lossless priorities 0, ", 0),
        0U)
        << lines[1];
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x10);
    EXPECT_TRUE(port.manager.lacks_room(0));
    EXPECT_TRUE(port.announced().empty());
    EXPECT_EQ(port.published.size(), 1U) << "it is not tried without end";
}

TEST(DcbxManager, APortThatLacksRoomSaysItsOwnUntilThePeerAsksForLess) {
    ManagedPort port(", lossless: [4], dcbx: {willing: [pfc]}, speed: 400G, pfc: {cable: 1km}");
    auto tlv = golden_tlv("ieee_pfc");
    tlv.payload[1] = 0xFF;
    port.receive({tlv});
    EXPECT_EQ(port.says_of_pfc().parameter.enabled, 0x10);
    EXPECT_FALSE(port.says_of_pfc().willing);
    tlv.payload[1] = 0x20;
    EXPECT_EQ(port.receive({tlv}),
              (Lines{"dcbx_applied: pfc: 5, by the peer", "dcbx_mismatch_over: pfc: 5"}));
    EXPECT_FALSE(port.manager.lacks_room(0));
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x20);
    EXPECT_EQ(port.says_of_pfc().parameter.enabled, 0x20);
    EXPECT_TRUE(port.says_of_pfc().willing);
}

// A willing peer of a higher address, which has its way.
TEST(DcbxManager, APortThatLacksRoomFollowsWhenAWillingPeerAsksForLess) {
    ManagedPort port(", lossless: [4], dcbx: {willing: [pfc]}, speed: 400G, pfc: {cable: 1km}");
    auto tlv = golden_tlv("ieee_pfc_willing");
    tlv.payload[1] = 0xFF;
    EXPECT_EQ(port.receive({tlv}).size(), 2U);
    EXPECT_TRUE(port.manager.lacks_room(0));
    EXPECT_EQ(port.says_of_pfc().parameter.enabled, 0x10);
    EXPECT_TRUE(port.says_of_pfc().willing)
        << "not to be willing is to be followed, though it obeys no pause";
    tlv.payload[1] = 0x20;
    EXPECT_EQ(port.receive({tlv}).front(), "dcbx_applied: pfc: 5, by the peer");
    EXPECT_FALSE(port.manager.lacks_room(0));
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x20);
}

TEST(DcbxManager, APortThatLacksRoomComesToRestWithACeePeerUntilThatAsksForLess) {
    ManagedPort port(
        ", lossless: [4], dcbx: {mode: cee, willing: [pfc]}, speed: 400G, pfc: {cable: 1km}");
    ManagedPort peer(", lossless: [0, 1, 2, 3, 4, 5, 6, 7], dcbx: {mode: cee}, speed: 10G");
    // Returns the port's reports while frames are exchanged.
    const auto talk = [&] {
        Lines all;
        for (int frame = 0; frame < 6; ++frame) {
            peer.receive(port.provider->to_send());
            for (std::string& line : port.receive(peer.provider->to_send())) all.push_back(line);
        }
        return all;
    };
    talk();
    EXPECT_TRUE(port.manager.lacks_room(0));
    const Tlvs said = port.provider->to_send();
    EXPECT_EQ(talk(), Lines{});
    EXPECT_EQ(port.provider->to_send(), said);
    EXPECT_EQ(port.published.size(), 1U) << "it is not tried without end";

    ASSERT_TRUE(peer.manager.adopt(read(", lossless: [5], dcbx: {mode: cee}"), peer.now));
    EXPECT_EQ(talk(), (Lines{"dcbx_applied: pfc: 5, by the peer", "dcbx_mismatch_over: pfc: 5"}));
    EXPECT_FALSE(port.manager.lacks_room(0));
    EXPECT_EQ(port.published.back().ports[0].pfc.lossless, 0x20);
}

TEST(DcbxManager, NewSettingsAndWhatIsAgreedOnAreOneChange) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    port.receive({golden_tlv("ieee_pfc")});
    port.published.clear();
    ASSERT_TRUE(port.manager.adopt(read(", lossless: [5], dcbx: {willing: []}"), port.now));
    port.announced();
    ASSERT_EQ(port.published.size(), 1U);
    EXPECT_EQ(port.published[0].ports[0].pfc.lossless, 0x20);
    ASSERT_TRUE(port.manager.adopt(read(", lossless: [6], dcbx: {willing: [pfc]}"), port.now));
    port.announced();
    ASSERT_EQ(port.published.size(), 2U);
    EXPECT_EQ(port.published[1].ports[0].pfc.lossless, 0x18) << "and never 6";
}

TEST(DcbxManager, APeerThatChangesWithEveryFrameDoesNotFillTheLog) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    std::size_t event_count = 0;
    for (uint8_t mask = 0; mask < 200; ++mask) {
        auto tlv = golden_tlv("ieee_pfc");
        tlv.payload[1] = mask;
        const lldp::OrganisationalNeighbour neighbour{.source = {2}, .tlvs = {tlv}};
        port.provider->neighbours(std::span(&neighbour, 1), port.now);
        event_count += port.announced().size();
    }
    EXPECT_LE(event_count, EventSink::burst);
    port.now += 10_s;
    EXPECT_EQ(port.announced(), (Lines{"dcbx_applied: pfc: 0, 1, 2, 6, 7, by the peer"}))
        << "what it came to";
}

TEST(DcbxManager, ToDisableItEndsWhatWasAgreedOn) {
    ManagedPort port(of_a + ", willing: [pfc]}");
    ASSERT_EQ(port.receive({golden_tlv("ieee_pfc")}).size(), 1U);
    ASSERT_TRUE(port.manager.adopt(read(", lossless: [4], dcbx: {mode: disabled}"), port.now));
    EXPECT_EQ(port.announced(), (Lines{"dcbx_reverted: pfc: 4, as configured"}));
    EXPECT_TRUE(port.announced().empty());
}

TEST(DcbxManager, ToDisableItEndsThatThereAreManyPeersThoughTheyAreStillThere) {
    ManagedPort port(of_a + "}");
    const lldp::OrganisationalNeighbour one{
        .source = {2}, .chassis_id = {1}, .tlvs = {golden_tlv("ieee_application")}};
    lldp::OrganisationalNeighbour two = one;
    two.chassis_id = {2};
    const Lines many = {
        "dcbx_many_peers: 2 neighbours speak DCBX, so all are ignored; disable DCBX on all but "
        "one"};
    EXPECT_EQ(port.receive_all({one, two}), many);
    ASSERT_TRUE(port.manager.adopt(read(", dcbx: {mode: disabled}"), port.now));
    EXPECT_EQ(port.announced(), (Lines{"dcbx_many_peers_over: DCBX is disabled here"}));
    ASSERT_TRUE(port.manager.adopt(read(of_a + "}"), port.now));
    EXPECT_EQ(port.announced(), many) << "they were there all the time";
    EXPECT_EQ(port.receive_all({}),
              (Lines{"dcbx_many_peers_over: no neighbour is left that speaks DCBX"}));
}

TEST(DcbxManager, ToDisableItEndsAMismatch) {
    ManagedPort port(of_a + "}");
    ASSERT_EQ(port.receive({golden_tlv("ieee_pfc")}).size(), 1U);
    ASSERT_TRUE(port.manager.adopt(read(", lossless: [4], dcbx: {mode: disabled}"), port.now));
    EXPECT_EQ(port.announced(), (Lines{"dcbx_mismatch_over: pfc: 4"}));
}

}  // namespace
}  // namespace sluice::control
