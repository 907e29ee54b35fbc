#include "control/lldp/agent.h"

#include <gtest/gtest.h>

#include "tests/unit/control/lldp/frames.h"

namespace sluice::lldp {
namespace {

using namespace literals;
using test::hex;

constexpr Nanos begin = 1000_s;

AgentSettings settings_of(Mode mode = Mode::both) {
    AgentSettings settings;
    settings.mode = mode;
    settings.address = {0x0200000000FF};
    settings.local = lldpdu_of("us", "p0");
    return settings;
}

Agent linked(Mode mode = Mode::both) {
    Agent agent(settings_of(mode));
    agent.set_link(true, begin);
    return agent;
}

// All that go out at `now`.
std::vector<Octets> sent(Agent& agent, Nanos now) {
    std::vector<Octets> frames;
    agent.expire(now);
    while (auto frame = agent.next_frame(now)) frames.push_back(std::move(*frame));
    return frames;
}

// Reads a frame of ours, which must be an LLDPDU.
Lldpdu said(const Octets& frame) {
    TlvCounts counts;
    return read_lldpdu(std::span(frame).subspan(14), counts).value();
}

// A minute of it, so that no frame is due.
Nanos settle(Agent& agent) {
    Nanos now = begin;
    for (; now < begin + 60_s; now += 1_s) sent(agent, now);
    sent(agent, begin + 63_s);
    return begin + 64_s;
}

MacAddress destination_in(const Octets& frame) { return read_address(frame.data()); }

TEST(Agent, sends_to_each_of_its_destinations) {
    AgentSettings settings = settings_of();
    settings.destinations =
        only(Destination::nearest_bridge) | only(Destination::nearest_customer_bridge);
    Agent agent(settings);
    agent.set_link(true, begin);
    const auto frames = sent(agent, begin);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(destination_in(frames[0]), lldp_address);
    EXPECT_EQ(destination_in(frames[1]), bridge_group_address);
    EXPECT_EQ(said(frames[0]), said(frames[1]));
    EXPECT_EQ(agent.statistics().frames_out, 2U);

    agent.stop(begin + 1_s);
    const auto shutdowns = sent(agent, begin + 1_s);
    ASSERT_EQ(shutdowns.size(), 2U);
    for (const Octets& frame : shutdowns) EXPECT_EQ(said(frame).ttl, 0);
    EXPECT_EQ(destination_in(shutdowns[1]), bridge_group_address);
}

TEST(Agent, a_frame_that_was_not_sent_is_due_again_to_all) {
    AgentSettings settings = settings_of();
    settings.destinations =
        only(Destination::nearest_bridge) | only(Destination::nearest_non_tpmr_bridge);
    Agent agent(settings);
    agent.set_link(true, begin);
    auto first = agent.next_frame(begin);
    ASSERT_TRUE(first);
    agent.requeue(std::move(*first), begin);
    EXPECT_EQ(agent.statistics().frames_out, 0U);
    std::size_t frames = 0;
    for (Nanos now = begin; frames == 0 && now < begin + 5_s; now += 100_ms) {
        frames = sent(agent, now).size();
    }
    EXPECT_EQ(frames, 2U);
}

TEST(Agent, hears_each_address_and_hands_on_those_of_the_nearest_bridge) {
    Agent agent = linked();
    for (const Destination to : {Destination::nearest_bridge, Destination::nearest_non_tpmr_bridge,
                                 Destination::nearest_customer_bridge}) {
        Octets frame = frame_of(lldpdu_of("peer"));
        write_address(frame.data(), address_of(to));
        const NeighbourChanges changes = agent.receive(frame, begin);
        ASSERT_EQ(changes.size(), 1U);
        EXPECT_EQ(changes[0].what, NeighbourEvent::added);
        EXPECT_EQ(changes[0].neighbour.to, to);
    }
    EXPECT_EQ(agent.neighbours().size(), 3U);
    EXPECT_EQ(agent.organisational().size(), 1U) << "DCBX is of the nearest bridge";
}

TEST(Agent, sends_a_whole_frame) {
    Agent agent = linked();
    const auto frames = sent(agent, begin);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0], hex("0180C200000E 0200000000FF 88CC"
                             "0203 07 7573  0403 05 7030  0602 0079  0000"
                             "00000000000000000000 00000000000000000000 00000000000000000000"));
    EXPECT_EQ(agent.statistics().frames_out, 1U);
}

TEST(Agent, is_silent_without_a_link) {
    Agent agent(settings_of());
    EXPECT_TRUE(sent(agent, begin).empty());
    EXPECT_EQ(agent.deadline(), never);
    agent.set_link(true, begin);
    EXPECT_EQ(sent(agent, begin).size(), 1U);
    agent.set_link(false, begin + 1_s);
    EXPECT_TRUE(sent(agent, begin + 100_s).empty());
}

TEST(Agent, says_a_ttl_that_outlives_its_interval) {
    AgentSettings settings = settings_of();
    settings.times.interval = 10_s;
    settings.hold = 3;
    Agent agent(settings);
    agent.set_link(true, begin);
    EXPECT_EQ(said(sent(agent, begin)[0]).ttl, 31);
    settings.times.interval = 3600_s;
    settings.hold = 100;
    agent.configure(settings, begin + 1_s);
    EXPECT_EQ(said(sent(agent, begin + 1_s)[0]).ttl, 65535);
}

TEST(Agent, does_what_its_mode_says) {
    for (const auto& [mode, sends, receives] :
         {std::tuple{Mode::disabled, false, false}, std::tuple{Mode::tx, true, false},
          std::tuple{Mode::rx, false, true}, std::tuple{Mode::both, true, true}}) {
        Agent agent = linked(mode);
        EXPECT_EQ(!sent(agent, begin).empty(), sends);
        agent.receive(frame_of(lldpdu_of("a")), begin);
        EXPECT_EQ(!agent.neighbours().empty(), receives);
        EXPECT_EQ(agent.statistics().frames_in, receives ? 1U : 0U);
    }
}

TEST(Agent, takes_a_frame_tagged_or_not) {
    Agent agent = linked();
    EXPECT_EQ(agent.receive(frame_of(lldpdu_of("a")), begin).size(), 1U);
    EXPECT_EQ(agent.receive(frame_of(lldpdu_of("b"), "8100E000 88CC"), begin).size(), 1U);
    EXPECT_EQ(agent.receive(frame_of(lldpdu_of("c"), "88A80000 81000000 88CC"), begin).size(), 1U);
    EXPECT_TRUE(agent.receive(frame_of(lldpdu_of("d"), "88CD"), begin).empty());
    EXPECT_TRUE(agent.receive(hex("0180C200000E 02000000AA01 8100"), begin).empty());
    Octets elsewhere = frame_of(lldpdu_of("d"));
    elsewhere[5] = 0x02;  // slow protocols
    EXPECT_TRUE(agent.receive(elsewhere, begin).empty());
    EXPECT_EQ(agent.statistics().frames_in, 3U);
    EXPECT_EQ(agent.neighbours()[0].source, peer);
}

TEST(Agent, counts_frames_that_it_discards) {
    Agent agent = linked();
    agent.receive(frame_with(hex("0403 05 7030")), begin);
    agent.receive(frame_with({}), begin);
    Octets half = frame_of(lldpdu_of("a"));
    half.insert(half.end() - 2, {0xFE, 0x01, 0x00});
    agent.receive(half, begin);
    EXPECT_EQ(agent.statistics().frames_in, 3U);
    EXPECT_EQ(agent.statistics().frames_discarded, 2U);
    EXPECT_EQ(agent.statistics().frames_in_errors, 3U);
    EXPECT_EQ(agent.statistics().tlvs.discarded, 1U);
    EXPECT_EQ(agent.neighbours().size(), 1U);
}

TEST(Agent, forgets_a_neighbour_that_ages_or_shuts_down) {
    Agent agent = linked();
    agent.receive(frame_of(lldpdu_of("a", "1", 10)), begin);
    agent.receive(frame_of(lldpdu_of("b", "1", 20)), begin);
    EXPECT_TRUE(agent.expire(begin + 9_s).empty());
    EXPECT_EQ(agent.expire(begin + 10_s).size(), 1U);
    EXPECT_EQ(agent.statistics().ageouts, 1U);
    EXPECT_EQ(agent.receive(frame_of(lldpdu_of("b", "1", 0)), begin + 11_s).size(), 1U);
    EXPECT_EQ(agent.statistics().ageouts, 1U);
    EXPECT_TRUE(agent.neighbours().empty());
}

TEST(Agent, forgets_its_neighbours_with_its_link) {
    Agent agent = linked();
    agent.receive(frame_of(lldpdu_of("a")), begin);
    const auto changes = agent.set_link(false, begin + 1_s);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].what, NeighbourEvent::removed);
    EXPECT_TRUE(agent.neighbours().empty());
}

TEST(Agent, keeps_four_neighbours_and_reports_more) {
    Agent agent = linked();
    for (int n = 0; n < 100; ++n) {
        agent.receive(frame_of(lldpdu_of(std::to_string(n))), begin);
    }
    EXPECT_EQ(agent.neighbours().size(), most_neighbours);
    EXPECT_EQ(agent.statistics().frames_discarded, 96U);
    EXPECT_EQ(agent.statistics().frames_in_errors, 0U);
    EXPECT_TRUE(agent.too_many_neighbours(begin + 119_s));
    EXPECT_FALSE(agent.too_many_neighbours(begin + 120_s));
}

TEST(Agent, greets_a_new_neighbour_fast) {
    Agent agent = linked();
    const Nanos now = settle(agent);
    EXPECT_TRUE(sent(agent, now).empty());
    agent.receive(frame_of(lldpdu_of("a")), now);
    EXPECT_EQ(sent(agent, now).size(), 1U);
    EXPECT_EQ(agent.deadline(), now + 1_s);
    agent.receive(frame_of(lldpdu_of("a")), now);
    EXPECT_TRUE(sent(agent, now).empty());
}

TEST(Agent, shuts_down_when_it_stops) {
    Agent agent = linked();
    sent(agent, begin);
    agent.receive(frame_of(lldpdu_of("a")), begin);
    EXPECT_EQ(agent.stop(begin + 1_s).size(), 1U);
    EXPECT_EQ(agent.deadline(), Nanos(0));
    const auto frames = sent(agent, begin + 1_s);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(said(frames[0]), lldpdu_of("us", "p0", 0));
    EXPECT_TRUE(sent(agent, begin + 100_s).empty());
}

TEST(Agent, starts_again_no_sooner_than_its_shutdown_is_sent) {
    Agent agent = linked();
    sent(agent, begin);
    agent.configure(settings_of(Mode::rx), begin + 1_s);
    EXPECT_EQ(sent(agent, begin + 1_s).size(), 1U);
    agent.configure(settings_of(Mode::both), begin + 2_s);
    EXPECT_TRUE(sent(agent, begin + 2_s).empty());
    EXPECT_EQ(agent.deadline(), begin + 3_s);
    EXPECT_EQ(said(sent(agent, begin + 3_s).at(0)).ttl, 121);
}

TEST(Agent, shuts_down_as_whom_it_was_before_it_gets_another_name) {
    Agent agent = linked();
    sent(agent, begin);
    AgentSettings next = settings_of();
    next.local.chassis_id = named(ChassisIdSubtype::local, "others");
    agent.configure(next, begin + 1_s);
    const auto frames = sent(agent, begin + 1_s);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(said(frames[0]), lldpdu_of("us", "p0", 0));
    EXPECT_EQ(said(sent(agent, begin + 3_s).at(0)).chassis_id, next.local.chassis_id);
}

TEST(Agent, sends_a_change_of_what_it_says_at_once) {
    Agent agent = linked();
    const Nanos now = settle(agent);
    AgentSettings next = settings_of();
    agent.configure(next, now);
    EXPECT_TRUE(sent(agent, now).empty());
    next.local.system_name = "sw1";
    agent.configure(next, now);
    EXPECT_EQ(said(sent(agent, now).at(0)).system_name, "sw1");
}

TEST(Agent, carries_for_others_what_it_does_not_read) {
    Agent agent = linked();
    const Nanos now = settle(agent);
    const std::vector<OrganisationalTlv> pfc = {{0x0080C2, 11, hex("0808")}};
    agent.set_organisational(pfc, now);
    EXPECT_EQ(said(sent(agent, now).at(0)).organisational, pfc);
    agent.set_organisational(pfc, now + 1_s);
    EXPECT_TRUE(sent(agent, now + 1_s).empty());
    AgentSettings next = settings_of();
    next.local.system_name = "sw1";
    agent.configure(next, now + 2_s);
    EXPECT_EQ(said(sent(agent, now + 2_s).at(0)).organisational, pfc);

    Lldpdu theirs = lldpdu_of("a");
    theirs.organisational = {{0xABCDEF, 1, hex("01")}, {0x0080C2, 11, hex("8808")}};
    agent.receive(frame_of(theirs), now);
    const auto received = agent.organisational();
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].source, peer);
    EXPECT_EQ(received[0].chassis_id, theirs.chassis_id);
    EXPECT_EQ(received[0].tlvs, theirs.organisational);
}

TEST(Agent, counts_frames_that_do_not_hold_all) {
    AgentSettings settings = settings_of();
    settings.longest = 523;
    Agent agent(settings);
    agent.set_link(true, begin);
    agent.set_organisational({{0x0080C2, 1, Octets(500)}, {0x0080C2, 2, Octets(500)}}, begin);
    EXPECT_LE(sent(agent, begin).at(0).size(), 14U + 523U);
    EXPECT_EQ(agent.statistics().lldpdu_length_errors, 1U);
}

}  // namespace
}  // namespace sluice::lldp
