#include "control/proof/cable_trial.h"

#include <gtest/gtest.h>

#include <deque>

#include "control/lldp/agent.h"

namespace sluice::control {
namespace {

constexpr TrialMark mark = {1, 2, 3, 4, 5, 6, 7, 8};
constexpr MacAddress address_of_p = {0x020000000001};
constexpr MacAddress address_of_q = {0x020000000002};
constexpr PortIndex p = 3;
constexpr PortIndex q = 5;

using Octets = std::vector<uint8_t>;
struct Sent {
    PortIndex port;
    Octets octets;
};

bool is_pause(const Octets& octets) { return read_16(&octets[12]) == mac_control_ether_type; }

class CableTrialTest : public testing::Test {
  protected:
    std::vector<Sent> round() {
        std::vector<Sent> sent;
        trial.send_round([&](PortIndex port, std::span<const uint8_t> octets) {
            sent.push_back({port, Octets(octets.begin(), octets.end())});
            return true;
        });
        return sent;
    }
    // Carries a round of frames over the cable, except those that `keeps` picks.
    void round_over(const std::function<bool(const Sent&)>& keeps) {
        for (const Sent& frame : round()) {
            if (!keeps(frame)) trial.receive(frame.port == p ? q : p, frame.octets);
        }
    }

    CableTrial trial{{CableEnd{p, address_of_p}, CableEnd{q, address_of_q}}, mark};
};

TEST_F(CableTrialTest, pauses_nobody_and_is_no_neighbour) {
    const std::vector<Sent> sent = round();
    ASSERT_EQ(sent.size(), 4U);
    for (const Sent& frame : sent) {
        EXPECT_GE(frame.octets.size(), 60U);
        EXPECT_EQ(read_address(&frame.octets[6]), frame.port == p ? address_of_p : address_of_q);
        if (is_pause(frame.octets)) {
            PauseFrame pause;
            EXPECT_EQ(read_pause_frame(frame.octets, {}, pause), Drop::none);
            EXPECT_EQ(pause.enabled, 0);
            EXPECT_TRUE(is_pause_trial(frame.octets));
        } else {
            lldp::Agent peer({});
            peer.set_link(true, Nanos(0));
            EXPECT_TRUE(peer.receive(frame.octets, Nanos(0)).empty());
            EXPECT_EQ(peer.statistics().frames_in, 1U);
            EXPECT_EQ(peer.statistics().frames_in_errors, 0U);
        }
    }
}

TEST_F(CableTrialTest, proves_what_arrives) {
    round_over([](const Sent&) { return false; });
    EXPECT_TRUE(trial.is_over());
    EXPECT_EQ(trial.seen(0), (Seen{true, true, true}));
    EXPECT_EQ(trial.seen(1), (Seen{true, true, true}));
    EXPECT_EQ(trial.from(0).pauses, 1U);
    EXPECT_EQ(trial.from(0).pauses_sent, 1U);
}

TEST_F(CableTrialTest, proves_nothing_of_what_does_not) {
    const auto pauses_of_p = [](const Sent& frame) {
        return frame.port == p && is_pause(frame.octets);
    };
    for (unsigned rounds = 0; rounds < CableTrial::most_rounds; ++rounds) {
        round_over(pauses_of_p);
        EXPECT_FALSE(trial.is_over());
    }
    round_over(pauses_of_p);
    EXPECT_TRUE(trial.is_over());
    EXPECT_EQ(trial.from(0).pauses_sent, CableTrial::most_rounds);
    EXPECT_EQ(trial.seen(0), (Seen{.receives = true, .sends = false, .lldp = true}));
    EXPECT_EQ(trial.seen(1), (Seen{.receives = false, .sends = true, .lldp = true}));
}

TEST_F(CableTrialTest, what_was_not_taken_was_not_sent) {
    trial.send_round([](PortIndex port, std::span<const uint8_t>) { return port == p; });
    EXPECT_EQ(trial.from(0).pauses_sent, 1U);
    EXPECT_EQ(trial.from(1).pauses_sent, 0U);
}

TEST_F(CableTrialTest, believes_no_other_frame) {
    const std::vector<Sent> sent = round();
    CableTrial other({CableEnd{p, address_of_p}, CableEnd{q, address_of_q}},
                     {1, 2, 3, 4, 5, 6, 7, 9 + 1});
    for (const Sent& frame : sent) {
        EXPECT_FALSE(other.receive(frame.port == p ? q : p, frame.octets));
        Octets shorter = frame.octets;
        shorter.resize(20);
        EXPECT_FALSE(trial.receive(frame.port == p ? q : p, shorter));
        Octets padded = frame.octets;
        padded.resize(padded.size() + 4);
        EXPECT_TRUE(trial.receive(p, padded) && trial.receive(7, padded));
    }
    EXPECT_EQ(trial.from(0).pauses, 0U) << "back by the same end, or by another port";
    EXPECT_EQ(trial.from(1).pauses, 1U);
}

TEST_F(CableTrialTest, tries_lldp_alone_where_pauses_are_a_nics) {
    trial = CableTrial({CableEnd{p, address_of_p}, CableEnd{q, address_of_q}}, mark, false);
    round_over([](const Sent& frame) { return is_pause(frame.octets); });
    EXPECT_TRUE(trial.is_over());
    EXPECT_EQ(trial.from(0).pauses_sent, 0U);
    EXPECT_EQ(trial.seen(0), (Seen{.lldp = true}));
}

// Both ends were given the same address.
TEST_F(CableTrialTest, ends_of_one_address_are_distinguished) {
    trial = CableTrial({CableEnd{p, address_of_p}, CableEnd{q, address_of_p}}, mark);
    round_over([](const Sent& frame) { return frame.port == q; });
    EXPECT_EQ(trial.seen(0), (Seen{.sends = true}));
    EXPECT_EQ(trial.seen(1), (Seen{.receives = true, .lldp = true}));
}

}  // namespace
}  // namespace sluice::control
