// One link in slots, beside what can be worked out by hand.
#include "tools/sim/credits/link.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::sim {
namespace {

// Notes on flow control: rate 1, delay 3, buffer 6; at 0 the receiver has just taken 3 cells and
// stalls, and the sender has 3 credits.
constexpr unsigned delay = 3;
constexpr unsigned bdp = 2 * delay;
LinkSettings toy() {
    return {.delay = delay, .room = 6, .credits = 3, .returning = 3, .stalls = {{}}};
}

std::string under_way(const Link& link) {
    std::string text;
    for (const uint64_t cell : link.cells_under_way()) text += std::to_string(cell);
    text += ' ';
    for (const uint32_t credits : link.signals_under_way()) text += std::to_string(credits);
    return text;
}

TEST(Link, TheToyExampleCellByCell) {
    Link link(toy());
    std::string lines;
    for (int n = 0; n < 10; ++n) {
        const LinkSlot slot = link.step();
        lines += std::to_string(slot.slot) + ": credits " + std::to_string(slot.credits) + ", " +
                 under_way(link) + ", buffer " + std::to_string(slot.buffered) +
                 (slot.held ? ", held\n" : "\n");
    }
    EXPECT_EQ(lines,
              "0: credits 2, 100 003, buffer 0\n"
              "1: credits 1, 210 030, buffer 0\n"
              "2: credits 0, 321 300, buffer 0\n"
              "3: credits 2, 432 000, buffer 1\n"
              "4: credits 1, 543 000, buffer 2\n"
              "5: credits 0, 654 000, buffer 3\n"
              "6: credits 0, 065 000, buffer 4, held\n"
              "7: credits 0, 006 000, buffer 5, held\n"
              "8: credits 0, 000 000, buffer 6, held\n"
              "9: credits 0, 000 000, buffer 6, held\n");
    const LinkOutcome outcome = simulate(toy(), 100);
    EXPECT_EQ(outcome.sent, 6U);
    EXPECT_EQ(outcome.lost, 0U);
}

TEST(Link, TheSameCreditsAndLessBufferLose) {
    LinkSettings less = toy();
    less.room = 5;
    EXPECT_EQ(simulate(less, 100).lost, 1U);
    less.room = 4;
    Link link(less);
    std::vector<uint64_t> lost;
    for (int n = 0; n < 20; ++n) {
        const LinkSlot slot = link.step();
        if (slot.lost) lost.push_back(slot.slot);
    }
    EXPECT_EQ(lost, (std::vector<uint64_t>{7, 8})) << "those that arrive after 6";
}

TEST(Link, OneBdpIsTheLeastThatKeepsTheLineBusy) {
    for (unsigned room = 1; room <= bdp + 2; ++room) {
        const LinkSettings settings{.delay = delay, .room = room, .credits = room};
        const LinkOutcome outcome = simulate(settings, 1000 + bdp, bdp);
        EXPECT_EQ(outcome.lost, 0U) << room;
        EXPECT_NEAR(static_cast<double>(outcome.taken), 1000.0 * std::min(room, bdp) / bdp, 3)
            << room;
        EXPECT_EQ(outcome.starved == 0, room >= bdp) << room;
    }
}

TEST(Link, ACreditsBufferIsNeverOverrunWhateverTheSchedule) {
    const LinkSettings settings{.delay = 7,
                                .room = 14,
                                .credits = 14,
                                .stalls = {{3, 60}, {61, 62}, {70, 75}, {77, 200}, {260, 261}}};
    const LinkOutcome outcome = simulate(settings, 400);
    EXPECT_EQ(outcome.lost, 0U);
    EXPECT_EQ(outcome.most_buffered, 14U);
}

// Notes on flow control: buffered cells are one BDP less the cells taken in the last round trip.
TEST(Link, TheBufferIsTheBdpLessWhatWasTakenInARoundTrip) {
    const LinkSettings settings{
        .delay = delay, .room = bdp, .credits = bdp, .stalls = {{10, 13}, {20, 40}, {41, 42}}};
    Link link(settings);
    std::vector<unsigned> taken;
    for (uint64_t n = 0; n < 100; ++n) {
        const LinkSlot slot = link.step();
        taken.push_back(slot.taken != 0 ? 1 : 0);
        if (n < bdp + delay) continue;  // not all credits have brought a cell yet
        unsigned in_a_round_trip = 0;
        for (unsigned ago = 0; ago < bdp; ++ago) in_a_round_trip += taken[n - ago];
        EXPECT_EQ(slot.buffered, bdp - in_a_round_trip) << n;
    }
}

TEST(Link, AScheduleIsKept) {
    const LinkSettings settings{
        .delay = 1, .room = 2, .credits = 2, .take_every = 3, .sending = {{5, 9}, {10, 11}}};
    Link link(settings);
    std::string sent;
    std::string taken;
    for (int n = 0; n < 20; ++n) {
        const LinkSlot slot = link.step();
        sent += slot.sent != 0 ? 's' : slot.held ? 'h' : '.';
        taken += slot.taken != 0 ? 't' : '.';
    }
    EXPECT_EQ(sent, ".....sssh.s.........") << "credit is back at 7 and at 10";
    EXPECT_EQ(taken, "......t..t..t..t....");
}

LinkSettings stopped(unsigned room, unsigned xoff, unsigned xon, unsigned reaction) {
    return {.control = LinkControl::xon_xoff,
            .delay = delay,
            .room = room,
            .xoff = xoff,
            .xon = xon,
            .reaction = reaction,
            .stalls = {{50, 100}}};
}

TEST(Link, AfterXoffComeTwoDelaysAndTheReaction) {
    for (const unsigned reaction : {0U, 1U, 5U}) {
        const unsigned headroom = 2 * delay + reaction - 1;
        EXPECT_EQ(simulate(stopped(100, 10, 9, reaction), 100).most_buffered, 10 + headroom);
        EXPECT_EQ(simulate(stopped(10 + headroom, 10, 9, reaction), 200).lost, 0U);
        EXPECT_EQ(simulate(stopped(10 + headroom - 1, 10, 9, reaction), 200).lost, 1U);
    }
}

TEST(Link, AnXonThatIsTooLowStarvesTheReceiver) {
    // Two delays pass from XON to the first cell.
    EXPECT_EQ(simulate(stopped(100, 10, 2 * delay - 1, 0), 400, 50).starved, 0U);
    EXPECT_EQ(simulate(stopped(100, 10, 2 * delay - 2, 0), 400, 50).starved, 1U);
    EXPECT_EQ(simulate(stopped(100, 10, 0, 0), 400, 50).starved, 2 * delay - 1U);
}

}  // namespace
}  // namespace sluice::sim
