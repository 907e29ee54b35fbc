// Two ends of an aggregation, or several, as schedules: a turn is a tenth of a second, in which
// each end receives what the others sent in the turn before.
#include "control/lacp/aggregator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sluice::lacp {
namespace {

using namespace sluice::literals;

constexpr MacAddress ours{0x0200'0000'00A0};
constexpr MacAddress theirs{0x0200'0000'00B0};
constexpr BitsPerSecond slow = 1_Gbps;
constexpr BitsPerSecond fast = 10_Gbps;

struct End {
    Aggregator aggregator;
    std::string changes;  // of changes: `1+` attached, `1-` detached, `1!` refused
    std::map<PortIndex, Reason> refused;

    End(AggregatorSettings settings, PortSet ports)
        : aggregator(settings, ports, std::array<MacAddress, max_ports>{}) {}

    void advance(Nanos now) {
        for (const Change& change : aggregator.advance(now)) {
            changes += fmt::format("{}{}{}", changes.empty() ? "" : " ", change.port,
                                   "+-!"[static_cast<std::size_t>(change.what)]);
            if (change.what == ChangeKind::refused) refused[change.port] = change.why;
        }
    }
    [[nodiscard]] const Aggregator::Member& member(PortIndex port) const {
        return *std::ranges::find(aggregator.members(), port, &Aggregator::Member::number);
    }
    Aggregator::Member& member(PortIndex port) {
        return *std::ranges::find(aggregator.members(), port, &Aggregator::Member::number);
    }
    [[nodiscard]] uint64_t spoke(PortIndex port) const {
        return member(port).port.statistics().lacpdus_out;
    }
};

AggregatorSettings settings_of(MacAddress system, bool active = true, bool short_timeout = true) {
    return {.active = active, .short_timeout = short_timeout, .system = system};
}

// Ends and the cables between their ports.
class Network {
  public:
    struct Plug {
        End* end;
        PortIndex port;

        friend bool operator==(const Plug&, const Plug&) = default;
    };

    void connect(Plug a, Plug b, BitsPerSecond speed = fast) {
        cables_.push_back({a, b, true, true});
        for (const Plug& plug : {a, b}) {
            plug.end->aggregator.set_link(plug.port, true, speed, now);
            if (std::ranges::find(ends_, plug.end) == ends_.end()) ends_.push_back(plug.end);
        }
    }
    void set_link(Plug plug, bool up) {
        for (const Cable& cable : cables_) {
            if (cable.a != plug && cable.b != plug) continue;
            cable.a.end->aggregator.set_link(cable.a.port, up, fast, now);
            cable.b.end->aggregator.set_link(cable.b.port, up, fast, now);
        }
    }
    // Frames from `from` do not arrive, or arrive again.
    void silence(Plug from, bool silent) {
        for (Cable& cable : cables_) {
            if (cable.a == from) cable.a_to_b = !silent;
            if (cable.b == from) cable.b_to_a = !silent;
        }
    }
    void run(Nanos time) {
        for (const Nanos end = now + time; now < end; now += 100_ms) {
            for (End* end_of : ends_) end_of->advance(now);
            for (const Cable& cable : cables_) {
                pass(cable.a, cable.b, cable.a_to_b);
                pass(cable.b, cable.a, cable.b_to_a);
            }
        }
    }

    Nanos now = 1000_s;

  private:
    struct Cable {
        Plug a;
        Plug b;
        bool a_to_b;
        bool b_to_a;
    };

    void pass(const Plug& from, const Plug& to, bool arrives) {
        Port& port = from.end->member(from.port).port;
        while (const auto frame = port.next_frame(now)) {
            port.sent(*frame, true);
            if (arrives) to.end->aggregator.receive(to.port, *frame, now);
        }
    }

    std::vector<Cable> cables_;
    std::vector<End*> ends_;
};

struct Pair : Network {
    explicit Pair(AggregatorSettings of_us = settings_of(ours),
                  AggregatorSettings of_them = settings_of(theirs))
        : us(of_us, 0b110), them(of_them, 0b110) {
        connect({&us, 1}, {&them, 1});
        connect({&us, 2}, {&them, 2});
    }
    End us;
    End them;
};

TEST(Aggregator, BothEndsAttachTogetherOnceTheyHaveWaited) {
    Pair pair;
    pair.run(1900_ms);
    EXPECT_EQ(pair.us.changes, "");
    EXPECT_EQ(pair.us.member(1).why, Reason::waits);
    pair.run(2_s);
    EXPECT_EQ(pair.us.changes, "1+ 2+");
    EXPECT_EQ(pair.them.changes, "1+ 2+");
    EXPECT_EQ(pair.us.aggregator.taking(), 0b110U);
    EXPECT_EQ(pair.us.aggregator.sending(), 0b110U);
    constexpr State all = state_bits::activity | state_bits::timeout | state_bits::aggregation |
                          state_bits::synchronization | state_bits::collecting |
                          state_bits::distributing;
    EXPECT_EQ(pair.us.member(1).port.actor().state, all);
    EXPECT_EQ(pair.us.member(1).port.partner().state, all);
    EXPECT_EQ(pair.us.member(1).port.partner().system, theirs);
}

// No frame is sent to an end that does not collect yet.
TEST(Aggregator, AnEndSendsOnlyWhatTheOtherTakes) {
    Pair pair;
    for (int turn = 0; turn < 50; ++turn) {
        pair.run(100_ms);
        EXPECT_EQ(pair.us.aggregator.sending() & ~pair.them.aggregator.taking(), 0U) << turn;
        EXPECT_EQ(pair.them.aggregator.sending() & ~pair.us.aggregator.taking(), 0U) << turn;
    }
    EXPECT_EQ(pair.us.aggregator.sending(), 0b110U);
}

TEST(Aggregator, APassiveEndSpeaksWhenItIsSpokenTo) {
    Pair pair(settings_of(ours, false), settings_of(theirs, true));
    pair.run(4_s);
    EXPECT_EQ(pair.us.changes, "1+ 2+");
    EXPECT_EQ(pair.them.changes, "1+ 2+");
}

TEST(Aggregator, TwoPassiveEndsNeverSpeak) {
    Pair pair(settings_of(ours, false), settings_of(theirs, false));
    pair.run(100_s);
    EXPECT_EQ(pair.us.spoke(1) + pair.them.spoke(1), 0U);
    EXPECT_EQ(pair.us.changes, "");
    EXPECT_EQ(pair.us.member(1).why, Reason::no_partner);
}

TEST(Aggregator, SpeaksAsOftenAsTheOtherEndAsks) {
    Pair pair(settings_of(ours, true, false), settings_of(theirs, true, true));
    pair.run(10_s);
    const uint64_t we = pair.us.spoke(1);
    const uint64_t they = pair.them.spoke(1);
    pair.run(60_s);
    EXPECT_EQ(pair.us.spoke(1) - we, 60U) << "they ask for one a second";
    EXPECT_EQ(pair.them.spoke(1) - they, 2U) << "we are content with one in 30 s";
}

TEST(Aggregator, NeverSpeaksMoreThanThreeTimesASecond) {
    Pair pair;
    for (int turn = 0; turn < 300; ++turn) {
        AggregatorSettings other = settings_of(ours);
        other.system_priority = static_cast<uint16_t>(turn);
        pair.us.aggregator.configure(other);
        const uint64_t before = pair.us.spoke(1);
        pair.run(1_s);
        EXPECT_LE(pair.us.spoke(1) - before, 3U);
    }
}

TEST(Aggregator, AMemberWhoseLinkGoesLeavesAtOnceAndComesBack) {
    Pair pair;
    pair.run(4_s);
    pair.us.changes.clear();
    pair.set_link({&pair.us, 2}, false);
    pair.us.advance(pair.now);
    EXPECT_EQ(pair.us.changes, "2-");
    EXPECT_EQ(pair.us.aggregator.sending(), 0b010U);
    EXPECT_EQ(pair.us.member(2).why, Reason::link_down);
    pair.run(10_s);
    pair.set_link({&pair.us, 2}, true);
    pair.run(1900_ms);
    EXPECT_EQ(pair.us.aggregator.sending(), 0b010U);
    pair.run(1500_ms);
    EXPECT_EQ(pair.us.changes, "2- 2+");
}

TEST(Aggregator, AShortSilenceEndsItWithin3Seconds) {
    Pair pair;
    pair.run(4_s);
    pair.us.changes.clear();
    pair.silence({&pair.them, 2}, true);
    pair.run(1900_ms);
    EXPECT_EQ(pair.us.changes, "");
    pair.run(1300_ms);
    EXPECT_EQ(pair.us.changes, "2-");
    EXPECT_EQ(pair.us.member(2).why, Reason::silent);
    EXPECT_TRUE(pair.us.member(2).port.actor().has(state_bits::expired));
    pair.run(3_s);
    EXPECT_EQ(pair.us.member(2).why, Reason::no_partner);
    EXPECT_TRUE(pair.us.member(2).port.actor().has(state_bits::defaulted));
    EXPECT_EQ(pair.them.aggregator.sending(), 0b010U) << "it hears that we do not collect";
    pair.silence({&pair.them, 2}, false);
    pair.run(5_s);
    EXPECT_EQ(pair.us.changes, "2- 2+");
}

TEST(Aggregator, ALongSilenceEndsItAfter90Seconds) {
    Pair pair(settings_of(ours, true, false), settings_of(theirs));
    pair.run(4_s);
    pair.us.changes.clear();
    pair.silence({&pair.them, 1}, true);
    pair.run(58_s);
    EXPECT_EQ(pair.us.changes, "");
    pair.run(35_s);
    EXPECT_EQ(pair.us.changes, "1-");
}

TEST(Aggregator, APortOfAnotherSystemIsRefused) {
    Network network;
    End us(settings_of(ours), 0b1110);
    End them(settings_of(theirs), 0b0110);
    End stranger(settings_of({0x0200'0000'00C0}), 0b1000);
    network.connect({&us, 3}, {&stranger, 3});
    network.connect({&us, 1}, {&them, 1});
    network.connect({&us, 2}, {&them, 2});
    network.run(5_s);
    EXPECT_EQ(us.aggregator.sending(), 0b0110U) << "the group that carries most";
    EXPECT_EQ(us.refused, (std::map<PortIndex, Reason>{{3, Reason::other_partner}}));
    EXPECT_EQ(stranger.aggregator.taking() & stranger.aggregator.sending(), 0U);

    // Port 3 takes over when the other ports are gone, and stays.
    network.set_link({&us, 1}, false);
    network.set_link({&us, 2}, false);
    network.run(5_s);
    EXPECT_EQ(us.aggregator.sending(), 0b1000U);
    network.set_link({&us, 1}, true);
    network.set_link({&us, 2}, true);
    network.run(5_s);
    EXPECT_EQ(us.aggregator.sending(), 0b1000U);
    EXPECT_EQ(us.member(1).why, Reason::other_partner);
}

TEST(Aggregator, APortOfAnotherKeyIsRefused) {
    Network network;
    End us(settings_of(ours), 0b110);
    AggregatorSettings of_them = settings_of(theirs);
    End them(of_them, 0b010);
    of_them.key = 2;
    End other_of_theirs(of_them, 0b100);
    network.connect({&us, 1}, {&them, 1});
    network.connect({&us, 2}, {&other_of_theirs, 2});
    network.run(5_s);
    EXPECT_EQ(us.aggregator.sending(), 0b010U);
    EXPECT_EQ(us.changes, "2! 1+");
    EXPECT_EQ(us.member(2).why, Reason::other_key);
}

TEST(Aggregator, OfPortsOfSeveralSpeedsThoseThatCarryMostGo) {
    Network network;
    End us(settings_of(ours), 0b1110);
    End them(settings_of(theirs), 0b1110);
    network.connect({&us, 1}, {&them, 1}, slow);
    network.connect({&us, 2}, {&them, 2}, slow);
    network.connect({&us, 3}, {&them, 3}, fast);
    network.run(5_s);
    EXPECT_EQ(us.aggregator.sending(), 0b1000U);
    EXPECT_EQ(us.member(1).why, Reason::other_speed);
}

TEST(Aggregator, ACableThatLeadsBackIsRefused) {
    Network network;
    End us(settings_of(ours), 0b110);
    network.connect({&us, 1}, {&us, 2});
    network.run(10_s);
    EXPECT_EQ(us.aggregator.sending(), 0U);
    EXPECT_EQ(us.refused,
              (std::map<PortIndex, Reason>{{1, Reason::own_system}, {2, Reason::own_system}}));
}

TEST(Aggregator, WhatItIsCalledMayChangeWhileItRuns) {
    Pair pair;
    pair.run(4_s);
    AggregatorSettings other = settings_of(ours);
    other.key = 7;
    pair.us.aggregator.configure(other);
    pair.run(5_s);
    EXPECT_EQ(pair.us.aggregator.sending(), 0b110U);
    EXPECT_EQ(pair.them.member(1).port.partner().key, 7);
    EXPECT_EQ(pair.them.aggregator.sending(), 0b110U);
}

TEST(Aggregator, AMemberComesWhileTheOthersGoOn) {
    Network network;
    End us(settings_of(ours), 0b0110);
    End them(settings_of(theirs), 0b1110);
    network.connect({&us, 1}, {&them, 1});
    network.connect({&us, 2}, {&them, 2});
    network.run(4_s);
    us.aggregator.add(3, {});
    network.connect({&us, 3}, {&them, 3});
    network.run(1900_ms);
    EXPECT_EQ(us.changes, "1+ 2+");
    network.run(2_s);
    EXPECT_EQ(us.changes, "1+ 2+ 3+");
    EXPECT_EQ(them.changes, "1+ 2+ 3+");
    EXPECT_EQ(us.aggregator.sending(), 0b1110U);
}

TEST(Aggregator, AMemberThatIsTakenAwayLeavesTheOthersBe) {
    Pair pair;
    pair.run(4_s);
    Port gone = pair.us.aggregator.remove(1).port;
    EXPECT_EQ(pair.us.aggregator.ports(), 0b100U);
    pair.them.aggregator.receive(1, gone.farewell(), pair.now);
    pair.us.advance(pair.now);
    pair.them.advance(pair.now);
    EXPECT_EQ(pair.us.changes, "1+ 2+");
    EXPECT_EQ(pair.us.aggregator.sending(), 0b100U);
    EXPECT_EQ(pair.them.changes, "1+ 2+ 1-");
    EXPECT_EQ(pair.them.member(1).why, Reason::out_of_sync);
}

TEST(Port, AnswersAMarkerOnce) {
    Port port({.port = 1, .state = state_bits::activity}, {5});
    port.set_link(true, 1000_s);
    const Marker asked{.port = 9, .system = theirs, .transaction = 42};
    port.receive(frame_of(asked, theirs), 1000_s);
    const auto answer = port.next_frame(1000_s);
    ASSERT_TRUE(answer);
    const auto read = read_marker(std::span(*answer).subspan(14));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->is_response);
    EXPECT_EQ(read->transaction, 42U);
    port.sent(*answer, true);
    EXPECT_EQ(port.statistics().marker_responses_out, 1U);
    port.receive(*answer, 1000_s);  // a response is for nobody here
    const auto next = port.next_frame(1000_s);
    ASSERT_TRUE(next);
    EXPECT_EQ(kind_of(std::span(*next).subspan(14)), PduKind::lacp);
}

TEST(Port, ALacpduThatWasNotSentIsDueAgain) {
    Port port({.port = 1, .state = state_bits::activity}, {5});
    port.set_link(true, 1000_s);
    const auto first = port.next_frame(1000_s);
    ASSERT_TRUE(first);
    port.sent(*first, false);
    EXPECT_EQ(port.next_frame(1000_s), first);
    EXPECT_EQ(port.statistics().lacpdus_out, 0U);
}

TEST(Port, CountsWhatIsDamaged) {
    Port port({.port = 1, .state = state_bits::activity}, {5});
    port.set_link(true, 1000_s);
    Octets frame = frame_of(Lacpdu{}, theirs);
    frame[16] = 9;
    port.receive(frame, 1000_s);
    frame[14] = 77;
    port.receive(frame, 1000_s);
    EXPECT_EQ(port.statistics().illegal_in, 1U);
    EXPECT_EQ(port.statistics().unknown_in, 1U);
    EXPECT_EQ(port.statistics().lacpdus_in, 0U);
}

}  // namespace
}  // namespace sluice::lacp
