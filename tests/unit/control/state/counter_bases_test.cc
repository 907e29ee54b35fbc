// Where counters begin, with a switch under them.
#include "control/state/counter_bases.h"

#include <gtest/gtest.h>

#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/four_ports.h"

namespace sluice::control {
namespace {

struct Counted {
    void receive(PortIndex port, int frames) {
        for (int n = 0; n < frames; ++n) driven.receive(port, 1, 2);
    }
    [[nodiscard]] Json frames(std::size_t port) const {
        return bases.show("ports", true)[port]["rx_frames"];
    }
    [[nodiscard]] Json frames_growing(std::size_t port) const {
        return bases.show_growing("ports", true)[port]["rx_frames"];
    }

    DrivenSwitch driven{ports_of_four};
    CounterBases bases{[this](std::string_view noun, bool all) { return driven.show(noun, all); }};
};

TEST(CounterBases, ClearingConcernsWhoReadsAndNotWhoTakesRates) {
    Counted at;
    at.receive(0, 3);
    at.bases.clear();
    at.receive(0, 2);
    EXPECT_EQ(at.frames(0), 2);
    EXPECT_EQ(at.frames_growing(0), 5);
}

TEST(CounterBases, APortThatWasAddedCountsFromThenOnForBoth) {
    Counted at;
    at.receive(1, 3);
    at.bases.port_added("p1");
    at.receive(1, 1);
    EXPECT_EQ(at.frames(1), 1);
    EXPECT_EQ(at.frames_growing(1), 1);
}

TEST(CounterBases, APortKeepsWhereItCountsFromUnderAnotherName) {
    Counted at;
    at.receive(0, 3);
    at.bases.clear();
    at.driven.about[0].name = "wan";
    at.bases.rename({{"p0", "wan"}});
    at.receive(0, 1);
    EXPECT_EQ(at.frames(0), 1);
}

TEST(CounterBases, WhatWasSavedGoesOnAfterARestart) {
    const config::Configuration running = four_ports("");
    SavedState state;
    Counted before;
    before.receive(0, 3);
    before.bases.clear();
    before.receive(0, 2);
    before.bases.save(state, running);

    Counted after;
    EXPECT_EQ(after.bases.restore(state, running), 1U);
    after.receive(0, 1);
    EXPECT_EQ(after.frames(0), 3) << "2 since the clearing, and 1";
    EXPECT_EQ(after.frames_growing(0), 6) << "5 in all, and 1";
    after.bases.port_added("p0");
    EXPECT_EQ(after.frames_growing(0), 0) << "another port";
}

}  // namespace
}  // namespace sluice::control
