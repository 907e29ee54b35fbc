#include "control/show/restored_counters.h"

#include <gtest/gtest.h>

#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;

class RestoredSwitch : public DrivenSwitch {
  public:
    RestoredSwitch() : DrivenSwitch(2) {
        receive(0, alice, bob);
        receive(1, bob, alice);
        receive(1, alice, alice);  // dropped: same_port or back to where it was
        forward();
    }
    [[nodiscard]] Json with_restored(std::string_view noun, bool all = false) const {
        return restored.add_to(noun, all, [&](bool whole) { return show(noun, whole); });
    }
    [[nodiscard]] auto counts() const {
        return RestoredCounters::counts_of(
            [&](std::string_view noun) { return with_restored(noun, true); });
    }

    RestoredCounters restored;
};

const Json& row_of(const Json& rows, std::string_view key, std::string_view name) {
    for (const Json& row : rows) {
        if (row.at(std::string(key)) == name) return row;
    }
    throw std::out_of_range(std::string(name));
}

TEST(RestoredCounters, ChangesNothingBeforeThereIsSomething) {
    const RestoredSwitch two;
    for (const char* noun : {"ports", "drops", "pfc", "queues", "ledger"}) {
        EXPECT_EQ(two.with_restored(noun), two.show(noun)) << noun;
    }
}

TEST(RestoredCounters, DropsForAReasonOfAnotherVersionAreLeftOut) {
    RestoredSwitch two;
    const Json before = row_of(two.show("ports"), "name", "p1");
    two.restored.take("p1",
                      {{"drops.ingress.runt.frames", 3}, {"drops.ingress.defended.frames", 5}});
    const Json after = row_of(two.with_restored("ports"), "name", "p1");
    EXPECT_EQ(after.at("dropped"), before.at("dropped").get<uint64_t>() + 3);
    uint64_t drops = 0;
    for (const Json& row : two.with_restored("drops")) {
        if (row.at("port") == "p1") drops += row.at("frames").get<uint64_t>();
    }
    EXPECT_EQ(after.at("dropped"), drops);
}

TEST(RestoredCounters, WhatASwitchCountedGoesOnInTheNext) {
    const RestoredSwitch before;
    RestoredSwitch after;
    for (const auto& [port, counts] : before.counts()) after.restored.take(port, counts);
    for (const char* port : {"p0", "p1"}) {
        const Json was = row_of(before.show("ports"), "name", port);
        const Json is = row_of(after.with_restored("ports"), "name", port);
        for (const char* key : {"rx_frames", "rx_bytes", "tx_frames", "tx_bytes", "dropped"}) {
            EXPECT_EQ(is.at(key), 2 * was.at(key).get<uint64_t>()) << port << ' ' << key;
        }
        EXPECT_EQ(is.at("lanes"), was.at("lanes")) << "of the start";
    }
    EXPECT_EQ(after.counts().at("p1").at("ports.rx_frames"), 4U);
    EXPECT_EQ(after.with_restored("ledger"), before.show("ledger"));
}

TEST(RestoredCounters, DropsOfBeforeAreRowsAndOfTheirPort) {
    RestoredSwitch two;
    two.restored.take("p0", {{"drops.egress.egress_down.frames", 7}});
    const Json row = row_of(two.with_restored("drops"), "reason", "egress_down");
    EXPECT_EQ(row, (Json{{"reason", "egress_down"},
                         {"consumed", false},
                         {"port", "p0"},
                         {"side", "egress"},
                         {"frames", 7}}));
    uint64_t dropped = 0;
    for (const Json& drop : two.with_restored("drops")) {
        EXPECT_NE(drop.at("frames"), 0);
        if (drop.at("port") == "p0") dropped += drop.at("frames").get<uint64_t>();
    }
    EXPECT_EQ(row_of(two.with_restored("ports"), "name", "p0").at("dropped"), dropped);
    EXPECT_GT(two.with_restored("drops", true).size(), two.with_restored("drops").size());
}

TEST(RestoredCounters, PausesOfBeforeAreShownOfAnyPriority) {
    RestoredSwitch two;
    EXPECT_TRUE(two.with_restored("pfc").empty());
    two.restored.take("p1", {{"pfc.3.rx_pause", 5}, {"pfc.3.paused_ns", 800}});
    const Json pfc = two.with_restored("pfc");
    ASSERT_EQ(pfc.size(), 1U);
    EXPECT_EQ(pfc[0].at("priority"), 3);
    EXPECT_EQ(pfc[0].at("rx_pause"), 5);
    EXPECT_EQ(pfc[0].at("paused_ns"), 800);
}

TEST(RestoredCounters, GoesWithItsPort) {
    RestoredSwitch two;
    two.restored.take("old", {{"ports.generated", 5}});
    two.restored.rename({{"old", "p1"}});
    EXPECT_EQ(row_of(two.with_restored("ports"), "name", "p1").at("generated"), 5);
    two.restored.forget("p1");
    EXPECT_EQ(two.with_restored("ports"), two.show("ports"));
}

}  // namespace
}  // namespace sluice::control
