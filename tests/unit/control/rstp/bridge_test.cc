// Bridges that speak RSTP, as schedules in virtual time: who becomes root, how fast a ring heals,
// what hosts wait for, and what a change tells others.
#include "control/rstp/bridge.h"

#include <gtest/gtest.h>

#include "tests/support/bridged_network.h"

namespace sluice::rstp {
namespace {

using namespace sluice::literals;
using Network = test::BridgedNetwork;

bool settled(const Network& network) {
    return network.spans() && network.agree_on_root() && !network.has_loop();
}

struct Ring : Network {
    std::size_t a, b, c;
    std::size_t ab, bc, ca;

    explicit Ring(bool c_is_rapid = true)
        : a(add(0xA)),
          b(add(0xB)),
          c(add(0xC, 32768, c_is_rapid)),
          ab(connect(a, b)),
          bc(connect(b, c)),
          ca(connect(c, a)) {}
};

TEST(RstpBridge, TwoLinksBetweenTwoAreOneForwardingAndOneDiscarding) {
    Network network;
    const auto a = network.add(0xA);
    const auto b = network.add(0xB);
    network.connect(a, b);
    network.connect(a, b);
    EXPECT_LT(network.run_until(10_s, [&] { return settled(network); }), 1_s);
    network.run(10_s);
    EXPECT_TRUE(settled(network));
    EXPECT_EQ(network.role(a, 0), Role::designated);
    EXPECT_EQ(network.role(a, 1), Role::designated);
    EXPECT_EQ(network.role(b, 0), Role::root);
    EXPECT_EQ(network.role(b, 1), Role::alternate);
    EXPECT_EQ(network.state(b, 1), State::discarding);
}

TEST(RstpBridge, AClosedPortForwardsToAHostAfterThreeSecondsAndOneOfEdgeAtOnce) {
    Network network;
    const auto a = network.add(0xA);
    const PortIndex host = network.add_host(a);
    const PortIndex edge = network.add_host(a, {.edge = Edge::on});
    const PortIndex slow = network.add_host(a, {.edge = Edge::off});
    network.step();
    EXPECT_EQ(network.state(a, edge), State::forwarding);
    EXPECT_EQ(network.state(a, host), State::discarding);
    network.run(2900_ms);
    EXPECT_EQ(network.state(a, host), State::discarding);
    network.run(200_ms);
    EXPECT_EQ(network.state(a, host), State::forwarding) << "nobody answered a proposal";
    EXPECT_EQ(network.bridges[a].topology_changes(), 0U);
    // The greatest age, in which any bridge would speak, and a hello as it learns.
    network.run(16_s);
    EXPECT_EQ(network.state(a, slow), State::discarding);
    network.run(2_s);
    EXPECT_EQ(network.state(a, slow), State::learning);
    network.run(2_s);
    EXPECT_EQ(network.state(a, slow), State::forwarding);
}

TEST(RstpBridge, ARingOfThreeHealsWithoutATimer) {
    Ring ring;
    EXPECT_LT(ring.run_until(10_s, [&] { return settled(ring); }), 1_s);
    ring.run(10_s);
    EXPECT_EQ(ring.bridges[ring.b].root(), ring.bridges[ring.a].id());
    EXPECT_FALSE(ring.carries(ring.cables[ring.bc]));
    ring.set(ring.ab, false);
    EXPECT_LE(ring.run_until(10_s, [&] { return settled(ring); }), 200_ms);
    ring.run(10_s);
    // And the link that comes back closes no loop, not for a turn.
    ring.set(ring.ab, true);
    for (int turns = 0; turns < 500; ++turns) {
        ring.step();
        ASSERT_FALSE(ring.has_loop()) << turns;
    }
    EXPECT_TRUE(settled(ring));
    EXPECT_FALSE(ring.carries(ring.cables[ring.bc]));
}

TEST(RstpBridge, TheRootThatFallsSilentIsForgottenAfterThreeHellos) {
    Ring ring;
    ring.run(10_s);
    // Its cables stay up, and nothing comes by them.
    ring.set(ring.ca, false);
    ring.run(10_s);
    ring.cables[ring.ab].ends[0] = {ring.a, 7};  // a port that is not there
    const Nanos took = ring.run_until(
        30_s, [&] { return ring.bridges[ring.c].root() == ring.bridges[ring.b].id(); });
    EXPECT_GE(took, 4_s);
    EXPECT_LE(took, 7_s);
}

TEST(RstpBridge, AChangeHasOthersForgetAddresses) {
    Ring ring;
    ring.run(10_s);
    for (Bridge& bridge : ring.bridges) (void)bridge.take_changes();
    const uint64_t before = ring.bridges[ring.a].topology_changes();
    ring.flushed.clear();
    ring.set(ring.ab, false);
    ring.run(1_s);
    PortSet by_a = 0;
    for (std::size_t n = 0; n < ring.flushed.size(); n += 3) by_a |= ring.flushed[n + ring.a];
    EXPECT_EQ(by_a, 0U) << "what came by that port is news of it";
    EXPECT_EQ(ring.bridges[ring.a].topology_changes(), before + 1);
    EXPECT_TRUE(ring.bridges[ring.a].last_topology_change());
    bool noticed = false;
    for (const Change& change : ring.bridges[ring.a].take_changes()) {
        noticed |= change.what == ChangeKind::topology_change && change.port == 1;
    }
    EXPECT_TRUE(noticed);
}

TEST(RstpBridge, ToANeighbourOfStpItSpeaksStpAndWaitsTheForwardDelay) {
    Ring ring(false);
    ring.run(2_s);
    EXPECT_FALSE(settled(ring));
    EXPECT_LE(ring.run_until(60_s, [&] { return settled(ring); }), 50_s);
    ring.run(5_s);
    EXPECT_TRUE(settled(ring));
    EXPECT_FALSE(ring.bridges[ring.a].port(1)->send_rstp);
    EXPECT_TRUE(ring.bridges[ring.a].port(0)->send_rstp);
    // The change is reported by TCN and its acknowledgement.
    ring.set(ring.ab, false);
    EXPECT_LE(ring.run_until(60_s, [&] { return settled(ring); }), 50_s);
    ring.run(5_s);
    EXPECT_GT(ring.bridges[ring.a].port(1)->counts.topology_changes_in, 0U);
}

TEST(RstpBridge, OfPathsTheCheapestIsTakenAndPortsByTheirPriority) {
    Network network;
    const auto a = network.add(0xA);
    const auto b = network.add(0xB);
    network.connect(a, b, {}, {.cost = 200'000});
    network.connect(a, b, {}, {.cost = 2'000});
    network.connect(a, b, {.priority = 16}, {.cost = 2'000});
    network.run(10_s);
    EXPECT_EQ(network.role(b, 0), Role::alternate);
    EXPECT_EQ(network.role(b, 1), Role::alternate);
    EXPECT_EQ(network.role(b, 2), Role::root);
    EXPECT_EQ(network.bridges[b].root_cost(), 2'000U);
    network.bridges[b].set_port(0, {.cost = 1}, network.now);
    network.run(10_s);
    EXPECT_EQ(network.role(b, 0), Role::root);
    EXPECT_TRUE(settled(network));
}

TEST(RstpBridge, OfALowerPriorityItBecomesRoot) {
    Ring ring;
    ring.run(5_s);
    ring.bridges[ring.c].configure({.address = {0xC}, .priority = 4096, .times = {}}, ring.now);
    EXPECT_LT(ring.run_until(10_s, [&] { return settled(ring); }), 1_s);
    EXPECT_TRUE(ring.bridges[ring.c].is_root());
    ring.run(10_s);
    EXPECT_TRUE(settled(ring));
}

TEST(RstpBridge, BpduGuardShutsThePortUntilItsLinkGoesOrNoneCameForItsRecovery) {
    Network network;
    const auto a = network.add(0xB);
    const auto b = network.add(0xA);
    const auto cable = network.connect(a, b, {.edge = Edge::on, .bpdu_guard = true});
    network.run(1_s);
    EXPECT_TRUE(network.bridges[a].port(0)->guarded);
    EXPECT_EQ(network.state(a, 0), State::discarding);
    EXPECT_EQ(network.role(a, 0), Role::disabled);
    auto changes = network.bridges[a].take_changes();
    ASSERT_FALSE(changes.empty());
    EXPECT_EQ(changes[0].what, ChangeKind::guard_shut);
    network.run(60_s);
    EXPECT_TRUE(network.bridges[a].port(0)->guarded);
    network.bridges[a].set_port(0, {.edge = Edge::on, .bpdu_guard = true, .recovery = 5_s},
                                network.now);
    network.run(20_s);
    EXPECT_TRUE(network.bridges[a].port(0)->guarded) << "BPDUs go on to come";
    network.cables[cable].one_way = true;
    network.run(6_s);
    EXPECT_FALSE(network.bridges[a].port(0)->guarded);
    EXPECT_EQ(network.state(a, 0), State::forwarding);
    network.cables[cable].one_way = false;
    network.run(3_s);
    EXPECT_TRUE(network.bridges[a].port(0)->guarded);
    network.set(cable, false);
    network.step();
    EXPECT_FALSE(network.bridges[a].port(0)->guarded);
    changes = network.bridges[a].take_changes();
    EXPECT_EQ(changes.front().what, ChangeKind::guard_over);
}

TEST(RstpBridge, RootGuardKeepsAPortFromTheRootAndItGoesOnWhenTheClaimIsOver) {
    Network network;
    const auto a = network.add(0xB);
    const auto stranger = network.add(0xA);
    network.connect(a, stranger, {.root_guard = true});
    network.run(10_s);
    EXPECT_TRUE(network.bridges[a].is_root());
    EXPECT_EQ(network.role(a, 0), Role::alternate);
    EXPECT_EQ(network.state(a, 0), State::discarding);
    EXPECT_TRUE(network.bridges[a].is_kept_from_root(*network.bridges[a].port(0)));
    network.bridges[stranger].configure({.address = {0xA}, .priority = 61440, .times = {}},
                                        network.now);
    network.run(2_s);
    EXPECT_EQ(network.state(a, 0), State::forwarding);
    bool refused = false;
    bool over = false;
    for (const Change& change : network.bridges[a].take_changes()) {
        refused |= change.what == ChangeKind::root_refused;
        over |= change.what == ChangeKind::root_refused_over;
    }
    EXPECT_FALSE(refused || over) << "it began and ended between two looks";
}

TEST(RstpBridge, BpduFilterNeitherSendsNorBelieves) {
    Network network;
    const auto a = network.add(0xB);
    const auto stranger = network.add(0xA);
    network.connect(a, stranger, {.bpdu_filter = true});
    network.run(10_s);
    EXPECT_TRUE(network.bridges[a].is_root());
    EXPECT_EQ(network.state(a, 0), State::forwarding);
    EXPECT_EQ(network.bridges[a].port(0)->counts.bpdus_out, 0U);
    EXPECT_EQ(network.bridges[a].port(0)->counts.bpdus_in, 0U);
    EXPECT_GT(network.bridges[a].port(0)->counts.filtered_in, 2U);
}

TEST(RstpBridge, ANeighbourThatDoesNotHearItIsDisputed) {
    Network network;
    const auto a = network.add(0xA);
    const auto b = network.add(0xB);
    const auto cable = network.connect(b, a);
    network.cables[cable].one_way = true;  // BPDUs of a, the root, never reach b
    network.run(60_s);
    EXPECT_EQ(network.role(a, 0), Role::designated);
    EXPECT_NE(network.state(a, 0), State::forwarding);
}

TEST(RstpBridge, APortThatHearsItselfDiscards) {
    Bridge bridge({.address = {0xA}, .times = {}});
    Nanos now = 1_s;
    bridge.set_port(0, {}, now);
    bridge.set_link(0, true, now);
    std::vector<Octets> under_way;
    for (int turn = 0; turn < 3000; ++turn, now += 20_ms) {
        for (const Octets& frame : std::exchange(under_way, {})) bridge.receive(0, frame, now);
        bridge.advance(now);
        bridge.transmit(now, [&](PortIndex, const Bpdu& bpdu) {
            under_way.push_back(frame_of(bpdu, {0xA}));
            return true;
        });
        ASSERT_NE(bridge.port(0)->state(), State::forwarding) << turn;
    }
}

TEST(RstpBridge, ABackupPortIsNoLoop) {
    Network network;
    const auto a = network.add(0xA);
    network.connect(a, a);
    network.run(20_s);
    EXPECT_EQ(network.role(a, 0), Role::designated);
    EXPECT_EQ(network.role(a, 1), Role::backup);
    EXPECT_EQ(network.state(a, 1), State::discarding);
}

TEST(RstpBridge, SendsNoMoreThanItsHoldCountAndOneASecond) {
    Network network;
    const auto a = network.add(0xA);
    const auto b = network.add(0xB);
    const auto cable = network.connect(a, b);
    for (int turns = 0; turns < 500; ++turns) {
        network.set(cable, turns % 2 == 0);
        network.step();
    }
    EXPECT_LE(network.bridges[a].port(0)->counts.bpdus_out, 10U + 6 + 1);
}

// Its ports were synced with its earlier information, which was better.
TEST(RstpBridge, AgreesToWorseInformationOnceItsNeighboursDo) {
    Bridge bridge({.address = {0xB}, .times = {}});
    for (const PortIndex port : {PortIndex{0}, PortIndex{1}}) {
        bridge.set_port(port, {}, 1_s);
        bridge.set_link(port, true, 1_s);
    }
    const auto hear_root = [&](uint32_t cost, Nanos now) {
        bridge.receive(0,
                       frame_of({.proposal = cost == 0,
                                 .forwarding = cost != 0,
                                 .priority = {.root = bridge_id(0, {1}),
                                              .cost = cost,
                                              .bridge = bridge_id(0, {2}),
                                              .port = port_id(128, 1)},
                                 .times = {}},
                                {2}),
                       now);
    };
    const auto hear_agreement = [&](Nanos now) {
        bridge.receive(1,
                       frame_of({.role = MessageRole::root,
                                 .agreement = true,
                                 .priority = bridge.port(1)->designated,
                                 .times = {}},
                                {0xC}),
                       now);
    };
    hear_root(0, 2_s);
    hear_agreement(2_s);
    EXPECT_TRUE(bridge.port(0)->agree);
    EXPECT_EQ(bridge.port(1)->state(), State::forwarding);
    hear_root(100'000, 3_s);
    EXPECT_EQ(bridge.root_port(), 0);
    EXPECT_EQ(bridge.port(1)->state(), State::forwarding);
    EXPECT_FALSE(bridge.port(1)->synced);
    EXPECT_FALSE(bridge.port(0)->agree);
    hear_agreement(3_s);
    EXPECT_TRUE(bridge.port(0)->agree);
}

TEST(RstpBridge, ABpduThatIsReadAfterItsLinkWentShutsNothing) {
    Bridge bridge({.address = {0xB}, .times = {}});
    bridge.set_port(0, {.edge = Edge::on, .bpdu_guard = true}, 1_s);
    const Octets frame = frame_of({.priority = {.bridge = bridge_id(0, {2})}, .times = {}}, {2});
    bridge.receive(0, frame, 1_s);
    bridge.set_link(0, true, 2_s);
    EXPECT_EQ(bridge.port(0)->state(), State::forwarding);
    bridge.receive(0, frame, 3_s);
    EXPECT_TRUE(bridge.port(0)->guarded);
}

// A neighbour that repeats an old root is not believed beyond the maximum age.
TEST(RstpBridge, WhatIsTooOldIsNotBelieved) {
    Bridge bridge({.address = {0xB}, .times = {}});
    bridge.set_port(0, {}, 1_s);
    bridge.set_link(0, true, 1_s);
    Bpdu old{.priority = {.root = bridge_id(0, {1}),
                          .cost = 0,
                          .bridge = bridge_id(0, {1}),
                          .port = port_id(128, 1)},
             .times = {.message_age = 20_s}};
    bridge.receive(0, frame_of(old, {1}), 2_s);
    bridge.advance(2_s);
    EXPECT_TRUE(bridge.is_root());
    old.times.message_age = 18_s;
    bridge.receive(0, frame_of(old, {1}), 2_s);
    EXPECT_FALSE(bridge.is_root());
    EXPECT_EQ(bridge.root_port(), 0);
}

}  // namespace
}  // namespace sluice::rstp
