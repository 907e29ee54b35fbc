#include "control/port_abilities.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/loader.h"
#include "control/watch/ability_watch.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using Lines = std::vector<std::string>;
using enum PauseAbility;

// Reads a configuration of one port, with `of_port` behind its device.
config::Configuration read(std::string_view of_port, std::string_view more = "") {
    auto configuration = config::load_text(
        fmt::format("{}\nports:\n- {{name: a, device: 'af_xdp:eth1'{}}}\n", more, of_port),
        "x.yaml");
    EXPECT_TRUE(configuration) << config::to_string(configuration.error().front());
    return *configuration;
}

PortAbilities port_that(PauseAbility receives, PauseAbility sends,
                        LldpReception lldp = LldpReception::yes) {
    return {.are = {receives, sends, lldp},
            .pfc_rx_why = "of rx",
            .pfc_tx_why = "of tx",
            .lldp_rx_why = "of lldp"};
}

Lines refused(const PortAbilities& abilities, std::string_view of_port,
              std::string_view more = "") {
    return refusals(read(of_port, more), std::span(&abilities, 1));
}

TEST(PortAbilities, WhatAPortDoesIsNotRefused) {
    const PortAbilities all = port_that(software, software);
    EXPECT_EQ(refused(all, ", lossless: [3], pfc: {link_pause: true, unproved: refuse}"), Lines{});
    const PortAbilities hardware = port_that(unproven, unproven);
    EXPECT_EQ(refused(hardware, ", lossless: [3]"), Lines{});
    EXPECT_EQ(refused(hardware, ", lossless: [3], pfc: {unproved: allow}"), Lines{});
}

TEST(PortAbilities, ALosslessPriorityNeedsPausesBothWays) {
    EXPECT_EQ(refused(port_that(unproven, none), ", lossless: [3]"),
              (Lines{"x.yaml:3:46: ports[0].lossless: af_xdp:eth1: it does not send pause frames: "
                     "of tx; write lossless: [] at the port, or give it a device that does "
                     "(config/nics.md)"}));
    EXPECT_EQ(refused(port_that(none, software), ", lossless: [3]").size(), 1U);
    EXPECT_NE(refused(port_that(none, none), ", lossless: [3]")[0].find("of rx; it does not send"),
              std::string::npos);
}

TEST(PortAbilities, AStrictPortKnowsItsNeighbour) {
    const PortAbilities without_lldp = port_that(software, software, LldpReception::swallowed);
    EXPECT_EQ(refused(without_lldp, ", pfc: {strict: true}"),
              (Lines{"x.yaml:3:50: ports[0].pfc.strict: af_xdp:eth1: its firmware takes LLDP, so "
                     "the neighbour is not known: of lldp; write false and pfc.peer"}));
    EXPECT_EQ(refused(without_lldp, ", pfc: {peer: 02:00:00:00:00:01}"), Lines{});
    const PortAbilities unknown = port_that(software, software, LldpReception::unknown);
    EXPECT_EQ(refused(unknown, ", pfc: {strict: true}"), Lines{});
}

TEST(PortAbilities, OfDefaultsThePortIsNamed) {
    const Lines lines = refused(port_that(none, software), "", "defaults: {lossless: [3]}");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].find("x.yaml:3:3: ports[0].lossless: af_xdp:eth1"), 0U) << lines[0];
}

TEST(PortAbilities, WhatIsUnprovenIsRefusedWhereThatIsWritten) {
    const Lines lines =
        refused(port_that(unproven, software), ", lossless: [3], pfc: {unproved: refuse}");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("its capability to receive pause frames is unproven: of rx; write "
                            "lossless: [] at the port, or pfc: {unproved: warn}"),
              std::string::npos)
        << lines[0];
}

TEST(PortAbilities, APeersPrioritiesNeedThemToo) {
    const PortAbilities half = port_that(software, none);
    EXPECT_EQ(refused(half, ", dcbx: {willing: [pfc]}").size(), 1U);
    EXPECT_EQ(refused(half, ", dcbx: {willing: [ets]}"), Lines{});
}

TEST(PortAbilities, PausesOfTheLinkAreOnlyReceived) {
    EXPECT_EQ(refused(port_that(software, none), ", pfc: {link_pause: true}"), Lines{});
    EXPECT_EQ(refused(port_that(none, software), ", pfc: {link_pause: true}").size(), 1U);
}

TEST(PortAbilities, NothingIsAskedOfAPortThatPausesNobody) {
    for (const char* of_port : {"", ", flow_control: none", ", lossless: []"}) {
        EXPECT_EQ(refused(port_that(none, none), of_port), Lines{}) << of_port;
    }
}

// A line an event: its kind, a mark of a warning, its text.
struct Watched {
    RecordedEvents recorded;
    AbilityWatch watch{recorded.sink};
    PortSet proved = 0;
};
Lines reported(Watched& watched, const config::Configuration& configuration,
               const PortAbilities& abilities, bool heard = false) {
    Lines lines;
    watched.proved = watched.watch.look(configuration, std::span(&abilities, 1),
                                        [&](PortIndex) { return heard; });
    for (const RecordedEvents::Row& event : watched.recorded.take()) {
        lines.push_back(fmt::format("{}{}: {}", event.kind,
                                    event.severity == Severity::warning ? "!" : "", event.text));
    }
    return lines;
}

TEST(AbilityWatch, ReportsOnceWhatIsReliedOnAndUnproven) {
    Watched watch;
    const PortAbilities hardware = port_that(unproven, unproven);
    const auto lossless = read(", lossless: [3]");
    EXPECT_EQ(reported(watch, read(""), hardware), Lines{});
    EXPECT_EQ(reported(watch, lossless, hardware),
              (Lines{"pfc_unproven!: its capability to receive pause frames is unproven: of rx; "
                     "its capability to send pause frames is unproven: of tx"}));
    EXPECT_EQ(reported(watch, lossless, hardware), Lines{});
    EXPECT_EQ(reported(watch, read(", lossless: [3], pfc: {unproved: allow}"), hardware), Lines{});
    EXPECT_EQ(reported(watch, lossless, hardware).size(), 1U) << "it came back";
}

TEST(AbilityWatch, OfAPortThatObeysTheLinkAloneOnlyReceivingCounts) {
    Watched watch;
    EXPECT_EQ(reported(watch, read(", pfc: {link_pause: true}"), port_that(unproven, unproven)),
              (Lines{"pfc_unproven!: its capability to receive pause frames is unproven: of rx"}));
}

TEST(AbilityWatch, ReportsTheFirstPauseThatProvesReception) {
    Watched watch;
    const PortAbilities hardware = port_that(unproven, software);
    const auto quiet = read(", lossless: [3], pfc: {unproved: allow}");
    EXPECT_EQ(reported(watch, quiet, hardware), Lines{});
    EXPECT_EQ(reported(watch, quiet, hardware, true),
              (Lines{"pfc_received: verified: a pause frame of its peer was received"}));
    EXPECT_EQ(watch.proved, only(0));
    EXPECT_EQ(reported(watch, quiet, hardware, true), Lines{});
    EXPECT_EQ(reported(watch, quiet, port_that(software, software), true), Lines{}) << "no news";
    EXPECT_EQ(watch.proved, PortSet{0});
}

TEST(AbilityWatch, ReportsAnAgentThatTakesLldpWhereThatIsReceived) {
    Watched watch;
    const PortAbilities old = port_that(software, software, LldpReception::swallowed);
    EXPECT_EQ(reported(watch, read(", lldp: {mode: tx}"), old), Lines{});
    EXPECT_EQ(reported(watch, read("", "lldp: {enabled: false}"), old), Lines{});
    EXPECT_EQ(reported(watch, read(""), old),
              (Lines{"lldp_swallowed!: its firmware takes LLDP, so neighbours and DCBX are not "
                     "received: of lldp"}));
    EXPECT_EQ(reported(watch, read(""), old), Lines{});
    Watched other;
    EXPECT_EQ(reported(other, read(""), port_that(software, software, LldpReception::unknown)),
              Lines{});
}

}  // namespace
}  // namespace sluice::control
