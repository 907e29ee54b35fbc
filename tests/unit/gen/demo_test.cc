#include <gtest/gtest.h>

#include "config/loader.h"
#include "tools/gen/demo/report.h"
#include "tools/gen/demo/switch.h"

namespace sluice::gen {
namespace {

PhaseResult phase(std::string name, uint64_t offered, uint64_t lost, bool may_lose) {
    PhaseResult result;
    result.plan.name = std::move(name);
    result.plan.may_lose = may_lose;
    result.seconds = 2;
    result.mpps = 3;
    result.quiesced = result.balanced = true;
    result.results.offered = offered;
    result.results.delivered = offered - lost;
    result.results.lost = lost;
    result.tally.drops[static_cast<std::size_t>(Drop::over_threshold)] = lost;
    return result;
}

TEST(DemoConfiguration, IsValidForAllThatTheDemoOffers) {
    for (std::size_t ports = 2; ports <= 16; ++ports) {
        for (const uint16_t octets : {shortest_frame, uint16_t{257}, longest_demo_frame}) {
            const std::string text = demo_configuration(ports, octets, 0, "/run/demo.sock");
            const auto loaded = config::load_text(text, "embedded");
            ASSERT_TRUE(loaded) << to_string(loaded.error().front()) << "\n" << text;
            EXPECT_EQ(loaded->ports.size(), ports);
            const Settings& settings = loaded->settings;
            EXPECT_EQ(settings.ports[0].pfc.lossless, only_priority(demo_lossless));
            EXPECT_EQ(settings.ports[0].speed, demo_speed);
            EXPECT_GE(settings.buffer.cell.count(), octets);
            // The headroom takes both rings of a port.
            EXPECT_GT(settings.ports[0].pfc.headroom.count(), 2048 * settings.buffer.cell.count());
        }
    }
}

TEST(DemoConfiguration, SaysHowManyAddressesItHolds) {
    const auto loaded = config::load_text(demo_configuration(4, 64, 0, "", 256), "embedded");
    ASSERT_TRUE(loaded) << to_string(loaded.error().front());
    EXPECT_EQ(loaded->settings.fdb.capacity, 256U);
}

TEST(DemoConfiguration, MayBeOfTwoSwitchesInARow) {
    for (const std::size_t ports : {4U, 8U}) {
        const std::string text =
            demo_configuration(ports, longest_demo_frame, 0, "", 256, DemoSwitches::two);
        const auto loaded = config::load_text(text, "embedded");
        ASSERT_TRUE(loaded) << to_string(loaded.error().front()) << "\n" << text;
        ASSERT_EQ(loaded->ports.size(), ports + 2);
        const auto& of = loaded->settings.ports;
        EXPECT_EQ(of[0].default_vlan, 1) << text;
        EXPECT_EQ(of[ports / 2].default_vlan, 2);
        EXPECT_EQ(of[ports].default_vlan, 1) << "the cable's first end";
        EXPECT_EQ(of[ports + 1].default_vlan, 2);
        EXPECT_EQ(loaded->ports[ports].device, "ring:cable/a");
        EXPECT_EQ(loaded->ports[ports + 1].device, "ring:cable/b");
    }
}

TEST(PhaseResult, IsRightWhenNothingIsLostThatMayNotBe) {
    EXPECT_TRUE(phase("uniform", 100, 0, false).right());
    EXPECT_FALSE(phase("uniform", 100, 1, false).right());
    EXPECT_TRUE(phase("lossy", 100, 60, true).right());
}

TEST(PhaseResult, EveryLossIsADropWithAName) {
    PhaseResult lossy = phase("lossy", 100, 60, true);
    --lossy.tally.drops[static_cast<std::size_t>(Drop::over_threshold)];
    EXPECT_FALSE(lossy.right());
    ++lossy.tally.drops[static_cast<std::size_t>(Drop::headroom_overrun)];
    EXPECT_TRUE(lossy.right());
}

TEST(PhaseResult, APortCarriesItsShare) {
    PhaseResult result = phase("uniform", 100, 0, false);  // 3 million a second
    result.plan.traffic = demo_traffic(4, Shape::uniform, only_priority(0), 64);
    EXPECT_EQ(result.share_of_port(0.5).value, 375'000);
    EXPECT_EQ(result.share_of_port(0.5).unit, Rate::Unit::frames_a_second);
    result.mpps = 0;
    EXPECT_GT(result.share_of_port(0.5).value, 0);  // a rate of none would be no limit
}

TEST(PhaseResult, OrderRestAndBalanceHold) {
    PhaseResult changed = phase("uniform", 100, 0, false);
    changed.results.reordered = 1;
    EXPECT_FALSE(changed.right());
    changed = phase("uniform", 100, 0, false);
    changed.results.duplicates = 1;
    EXPECT_FALSE(changed.right());
    changed = phase("uniform", 100, 0, false);
    changed.quiesced = false;
    EXPECT_FALSE(changed.right());
    changed = phase("uniform", 100, 0, false);
    changed.balanced = false;
    EXPECT_FALSE(changed.right());
    EXPECT_FALSE(phase("uniform", 0, 0, false).right());
}

TEST(PhaseResult, SaysWhatDidNotHold) {
    EXPECT_EQ(phase("uniform", 100, 0, false).fault(), "");
    EXPECT_EQ(phase("uniform", 100, 3, false).fault(), "3 frames were lost, but none may be");
    PhaseResult lossy = phase("lossy", 100, 60, true);
    lossy.results.lost = 61;
    EXPECT_EQ(lossy.fault(), "61 frames were lost, but drop counters show 60");
    lossy.quiesced = false;
    EXPECT_EQ(lossy.fault(),
              "frames were still on their way after 10 s, so the counts are not exact");
}

TEST(Tally, MacControlIsReceivedNotLost) {
    Settings settings;
    settings.ports.resize(2);
    Switch fabric(settings);
    fabric.set_link(0, true);
    fabric.set_link(1, true);
    const Tally before = tally_of(fabric);
    std::array<uint8_t, pause_frame_octets> octets;
    PauseFrame pause;
    pause.enabled = 1;
    write_pause_frame(octets, station_address(1), pause);
    std::array<uint8_t, 60> runt{};
    std::array<Frame, 2> frames;
    frames[0].data = octets.data();
    frames[0].length = octets.size();
    frames[1].data = runt.data();
    frames[1].length = 10;
    Released released;
    fabric.shard(0).receive(0, frames, Nanos(0), released);
    const Tally passed = tally_of(fabric) - before;
    EXPECT_EQ(passed.received, 2U);
    EXPECT_EQ(passed.pauses_received, 1U);
    EXPECT_EQ(passed.dropped(), 1U);
    EXPECT_EQ(passed.drops[static_cast<std::size_t>(Drop::runt)], 1U);
}

TEST(DemoReport, SumsThePhasesThatMayLoseNothing) {
    DemoResult demo;
    demo.ports = 4;
    demo.phases = {phase("uniform", 1000, 0, false), phase("many_to_one_lossless", 500, 0, false),
                   phase("many_to_one_lossy", 100, 60, true)};
    demo.phases[0].tally.pauses_sent = 1;
    demo.phases[1].tally.pauses_sent = 2;
    demo.phases[1].tally.pauses_received = 4;
    demo.phases[1].results.latency.record(100);
    demo.phases[2].results.latency.record(1'000'000);
    const Json json = to_json(demo);
    EXPECT_EQ(json["ports"], 4);
    EXPECT_EQ(json["seconds"], 4);
    EXPECT_EQ(json["offered"], 1500);
    EXPECT_EQ(json["delivered"], 1500);
    EXPECT_EQ(json["lost"], 0);
    EXPECT_EQ(json["mpps"], 3);
    EXPECT_EQ(json["pfc_sent"], 3);
    EXPECT_EQ(json["pfc_received"], 4);
    EXPECT_EQ(json["ledger_balanced"], true);
    EXPECT_EQ(json["latency_ns"]["p999"], 100);
    ASSERT_EQ(json["phases"].size(), 3U);
    EXPECT_EQ(json["phases"][2]["lost"], 60);
    EXPECT_EQ(json["phases"][2]["drops"], (Json{{"over_threshold", 60}}));
    EXPECT_EQ(json["phases"][0]["drops"], Json::object());
    EXPECT_EQ(demo.fault(), "");
}

TEST(DemoReport, SaysInWhichPhaseSomethingDidNotHold) {
    DemoResult demo;
    demo.phases = {phase("uniform", 100, 0, false), phase("many_to_one_lossless", 100, 3, false)};
    EXPECT_EQ(demo.fault(), "many_to_one_lossless: 3 frames were lost, but none may be");
    demo.phases.pop_back();
    demo.ledger.received = demo.ledger.waiting = 7;
    EXPECT_EQ(demo.fault(), "7 frames are still in the switch");
}

TEST(DemoReport, SaysWhenTheLedgerDoesNotBalance) {
    DemoResult demo;
    demo.phases = {phase("uniform", 1000, 0, false)};
    EXPECT_NE(to_text(demo).find("it balances"), std::string::npos);
    demo.ledger.received = 1;
    EXPECT_EQ(demo.fault(), "the ledger of all phases does not balance");
    EXPECT_NE(to_text(demo).find("DOES NOT BALANCE"), std::string::npos);
    EXPECT_EQ(to_json(demo)["ledger_balanced"], false);
}

}  // namespace
}  // namespace sluice::gen
