// The loop guard by its probes, and with a switch under it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/loader.h"
#include "control/loop_guard/guard.h"
#include "control/loop_guard/manager.h"
#include "dataplane/shard.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using loop_guard::Guard;
using loop_guard::State;
using Action = config::LoopGuardAction;

constexpr Nanos begin = 1000_s;

Guard guard_of(std::vector<Action> actions) {
    std::vector<config::LoopGuardConfig> ports;
    for (const Action action : actions) ports.push_back({action, 10_s});
    Guard guard;
    guard.configure(ports);
    return guard;
}

TEST(LoopGuard, SendsAProbeASecondWhereItIsOn) {
    Guard guard = guard_of({Action::shut, Action::off});
    int sent = 0;
    for (Nanos now = begin; now < begin + 10_s; now += 100_ms) {
        sent += guard.take_due(0, now) ? 1 : 0;
        EXPECT_FALSE(guard.take_due(1, now));
    }
    EXPECT_EQ(sent, 10);
    EXPECT_TRUE(guard.is_on());
    EXPECT_FALSE(guard_of({Action::off, Action::off}).is_on());
}

TEST(LoopGuard, OfTwoPortsInALoopOneGoesOn) {
    Guard guard = guard_of({Action::shut, Action::shut});
    const auto change = guard.receive({1, 0}, 1, begin);
    ASSERT_TRUE(change);
    EXPECT_EQ(change->port, 1);
    EXPECT_EQ(change->other, 0);
    EXPECT_EQ(change->state, State::shut);
    EXPECT_FALSE(guard.receive({1, 1}, 0, begin)) << "the same loop the other way round";
    EXPECT_EQ(guard.shut(), only(1));
}

TEST(LoopGuard, IsOverForAPortThatSettingsOpen) {
    Guard guard = guard_of({Action::shut, Action::shut, Action::shut});
    ASSERT_TRUE(guard.receive({1, 0}, 1, begin));
    const std::vector<config::LoopGuardConfig> same(3, {Action::shut, 20_s});
    EXPECT_TRUE(guard.configure(same).empty());
    EXPECT_EQ(guard.shut(), only(1));
    const std::vector<config::LoopGuardConfig> off(3, {Action::off, 20_s});
    const auto over = guard.configure(off);
    ASSERT_EQ(over.size(), 1);
    EXPECT_EQ(over[0].port, 1);
    EXPECT_EQ(over[0].state, State::clear);
    EXPECT_EQ(guard.shut(), PortSet{0});
    EXPECT_TRUE(guard.configure(same).empty());
}

TEST(LoopGuard, ShutsTheEndThatIsToBeShut) {
    EXPECT_EQ(guard_of({Action::shut, Action::warn}).receive({1, 1}, 0, begin)->port, 0);
    EXPECT_EQ(guard_of({Action::shut, Action::off}).receive({1, 0}, 1, begin)->port, 0);
    Guard warns = guard_of({Action::warn, Action::off});
    EXPECT_EQ(warns.receive({1, 0}, 1, begin)->state, State::looped);
    EXPECT_EQ(warns.shut(), PortSet{0});
    EXPECT_FALSE(warns.receive({1, 1}, 0, begin)) << "of a port that is not guarded any more";
}

TEST(LoopGuard, OpensOnceNoneCameBackForTheRecovery) {
    Guard guard = guard_of({Action::shut});
    ASSERT_TRUE(guard.receive({1, 0}, 0, begin));
    ASSERT_FALSE(guard.receive({1, 0}, 0, begin + 8_s));
    EXPECT_TRUE(guard.advance(begin + 17_s).empty());
    const auto over = guard.advance(begin + 18_s);
    ASSERT_EQ(over.size(), 1U);
    EXPECT_EQ(over[0].state, State::clear);
    EXPECT_EQ(guard.shut(), PortSet{0});
    EXPECT_TRUE(guard.receive({1, 0}, 0, begin + 19_s)) << "and is shut again";
}

TEST(LoopGuard, ALoopThatIsOnlyReportedIsOverAfterThreeProbes) {
    Guard guard = guard_of({Action::warn});
    ASSERT_TRUE(guard.receive({1, 0}, 0, begin));
    EXPECT_TRUE(guard.advance(begin + 2999_ms).empty());
    EXPECT_EQ(guard.advance(begin + 3_s).size(), 1U);
}

TEST(LoopGuard, WhatIsNoLongerGuardedIsNoLongerShut) {
    Guard guard = guard_of({Action::shut});
    ASSERT_TRUE(guard.receive({1, 0}, 0, begin));
    guard.configure(std::vector<config::LoopGuardConfig>{{Action::shut, 20_s}});
    EXPECT_EQ(guard.shut(), only(0)) << "another recovery is no reason";
    guard.configure(std::vector<config::LoopGuardConfig>{{Action::off, 20_s}});
    EXPECT_EQ(guard.shut(), PortSet{0});
}

TEST(LoopGuardManager, ShutsAPortByProbesThatTheSwitchReceives) {
    auto configuration = config::load_text(
        "defaults: {loop_guard: {action: shut}}\n"
        "ports: [{name: a, device: 'null:1'}, {name: b, device: 'null:2'}]\n",
        "x.yaml");
    ASSERT_TRUE(configuration);
    configuration->settings.ports[0].address = {0x0200'0000'00A2};
    configuration->settings.ports[1].address = {0x0200'0000'00A1};
    Switch dataplane(configuration->settings);
    for (PortIndex port = 0; port < 2; ++port) dataplane.set_link(port, true);
    RecordedEvents recorded;
    LoopGuardManager manager(dataplane, *configuration, recorded.sink);
    configuration->settings.ports[1].address = {0x0200'0000'0001};  // another port, by now
    manager.configure(*configuration, begin);
    manager.tick(begin);
    EXPECT_TRUE(recorded.take().empty());
    const auto sent = dataplane.shard(0).control_frame(0);
    const auto probe = read_loop_probe(sent);
    ASSERT_TRUE(probe);
    EXPECT_EQ(probe->port, 0);
    EXPECT_EQ(probe->sender & ~(uint64_t{1} << 63), 0x0200'0000'00A1U) << "as it began";
    EXPECT_EQ(read_address(&sent[6]), (MacAddress{0x0200'0000'00A2}));

    std::vector<uint8_t> octets(sent.begin(), sent.end());
    Frame frame{.handle = &octets, .data = octets.data(), .length = 60};
    Released released;
    dataplane.shard(0).receive(1, std::span(&frame, 1), begin, released);
    manager.tick(begin);
    const auto events = recorded.take();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "loop_detected");
    EXPECT_EQ(events[0].port, "1");
    EXPECT_EQ(events[0].severity, Severity::warning);
    EXPECT_NE(events[0].text.find("loop to a"), std::string::npos);
    EXPECT_EQ(manager.state(1), State::shut);
    EXPECT_EQ(manager.state(0), State::clear);
}

TEST(LoopGuardManager, LooksForNoLoopThatTheSpanningTreeHasCut) {
    const auto configuration = config::load_text(
        "defaults: {loop_guard: {action: shut}}\n"
        "ports: [{name: a, device: 'null:1'}, {name: b, device: 'null:2'}]\n",
        "x.yaml");
    ASSERT_TRUE(configuration);
    Switch dataplane(configuration->settings);
    for (PortIndex port = 0; port < 2; ++port) dataplane.set_link(port, true);
    dataplane.set_spanning_tree(only(1), 0);
    RecordedEvents recorded;
    LoopGuardManager manager(dataplane, *configuration, recorded.sink);
    manager.tick(begin);
    EXPECT_TRUE(recorded.take().empty());
    EXPECT_FALSE(dataplane.shard(0).control_frame(0).empty());
    EXPECT_TRUE(dataplane.shard(0).control_frame(1).empty());
}

}  // namespace
}  // namespace sluice::control
