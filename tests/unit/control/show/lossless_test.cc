#include "control/show/noun_snapshots.h"

#include <gtest/gtest.h>

#include "tests/support/pauses.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

using namespace literals;

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;

// Three ports that do not lose priority 3: XOFF at two frames of a cell each, XON at none.
DrivenSwitch three_ports(void (*choose)(Settings&) = [](Settings&) {}) {
    static void (*chosen)(Settings&);
    chosen = choose;
    return DrivenSwitch(3, [](Settings& settings) {
        for (PortSettings& port : settings.ports) {
            port.pfc = {.lossless = only_priority(3), .xoff = 512_B, .xon = 0_B};
        }
        // Bob is on port 1, from the start.
        settings.fdb.static_entries.push_back({.vlan = 1, .address = {bob}, .port = 1});
        chosen(settings);
    });
}
Json row_of(const Json& rows, std::string_view port, const char* key = "port") {
    for (const Json& row : rows) {
        if (row[key] == port) return row;
    }
    throw std::out_of_range("no such row");
}

TEST(PfcSnapshot, shows_lossless_priorities_and_their_levels) {
    DrivenSwitch ports = three_ports();
    const Json quiet = ports.show("pfc");
    ASSERT_EQ(quiet.size(), 3);
    EXPECT_EQ(quiet[0]["port"], "p0");
    EXPECT_EQ(quiet[0]["priority"], 3);
    EXPECT_EQ(quiet[0]["lossless"], true);
    EXPECT_EQ(quiet[0]["pausing"], false);
    EXPECT_EQ(quiet[0]["xoff_bytes"], 512);
    EXPECT_EQ(quiet[0]["watchdog"], "operational");
    EXPECT_EQ(ports.show("pfc", true).size(), 3 * 8);
}

TEST(PfcSnapshot, marks_what_is_relied_on_and_nobody_has_seen) {
    DrivenSwitch ports = three_ports();
    ports.about[0].abilities.are = {.pfc_rx = PauseAbility::unproven,
                                    .pfc_tx = PauseAbility::unproven};
    EXPECT_EQ(ports.show("pfc")[0]["unproven"], (Json{"rx", "tx"}));
    EXPECT_EQ(ports.show("pfc")[1]["unproven"], Json::array());
    EXPECT_EQ(ports.show("pfc", true)[0]["unproven"], Json::array()) << "priority 0 is lossy";
    ports.receive_pause(0, test::pause_of(only_priority(3), 100));
    EXPECT_EQ(ports.show("pfc")[0]["unproven"], Json{"tx"}) << "it has come in";
}

// Lane 3 is of port 0.
TEST(PfcSnapshot, sums_up_the_lanes_of_a_port) {
    DrivenSwitch ports =
        three_ports([](Settings& settings) { settings.lanes = {{.port = 0, .worker = 0}}; });
    ports.receive(0, alice, bob, 3);
    ports.receive(3, alice, bob, 3);
    ports.receive(3, alice, bob, 3);
    ports.send_pause_frame(0);
    const Json paused = row_of(ports.show("pfc"), "p0");
    EXPECT_EQ(paused["pausing"], true);
    EXPECT_EQ(paused["occupancy_bytes"], 768);
    EXPECT_EQ(paused["headroom_used_max"], 256);
    EXPECT_EQ(paused["because_of"], Json::parse(R"([{"output": "p1", "pauses": 1}])"));
    const Json queue = row_of(ports.show("queues"), "p0", "input");
    EXPECT_EQ(queue["frames"], 3);
    EXPECT_EQ(queue["enqueued"], 3);
    const Json port = ports.show("ports")[0];
    EXPECT_EQ(port["rx_frames"], 3);
    EXPECT_EQ(port["lanes"], Json::parse(R"([{"worker": 0, "rx_frames": 1},
                                             {"worker": 0, "rx_frames": 2}])"));
    EXPECT_TRUE(ports.show("ledger")["balanced"]);
}

TEST(PfcSnapshot, shows_who_is_paused_and_because_of_whom) {
    DrivenSwitch ports = three_ports();
    for (int frame = 0; frame < 3; ++frame) ports.receive(0, alice, bob, 3);
    const Json busy = ports.show("pfc");
    const Json& paused = row_of(busy, "p0");
    EXPECT_EQ(paused["pausing"], true);
    EXPECT_EQ(paused["occupancy_bytes"], 768);
    EXPECT_EQ(paused["headroom_used_max"], 256);
    EXPECT_EQ(paused["because_of"], Json::parse(R"([{"output": "p1", "pauses": 1}])"));
    EXPECT_EQ(row_of(busy, "p1")["holds_up"], Json::parse(R"([{"input": "p0", "pauses": 1}])"));
    EXPECT_EQ(row_of(busy, "p2")["because_of"], Json::array());
}

TEST(PfcSnapshot, the_last_reason_is_reported_beside_the_three_highest) {
    DrivenSwitch ports(6, [](Settings& settings) {
        for (PortSettings& port : settings.ports) {
            port.pfc = {.lossless = only_priority(3), .xoff = 512_B, .xon = 0_B};
        }
        for (PortIndex port = 1; port < 6; ++port) {
            settings.fdb.static_entries.push_back(
                {.vlan = 1, .address = {bob + port}, .port = port});
        }
    });
    const auto pause_for = [&](PortIndex output) {
        for (int frame = 0; frame < 3; ++frame) ports.receive(0, alice, bob + output, 3);
        ports.send_pause_frame(0);
        ports.forward();
        ports.send_pause_frame(0);
    };
    for (const PortIndex output : std::to_array<PortIndex>({1, 1, 2, 2, 3, 3})) pause_for(output);
    EXPECT_EQ(row_of(ports.show("pfc"), "p0")["because_of"].size(), 3U);
    pause_for(5);
    Json reasons = row_of(ports.show("pfc"), "p0")["because_of"];
    ASSERT_EQ(reasons.size(), 4U);
    EXPECT_EQ(reasons[3], Json::parse(R"({"output": "p5", "pauses": 1})"));
    pause_for(1);
    reasons = row_of(ports.show("pfc"), "p0")["because_of"];
    EXPECT_EQ(reasons.size(), 3U);
    EXPECT_EQ(reasons[0], Json::parse(R"({"output": "p1", "pauses": 3})"));
}

TEST(PfcSnapshot, shows_for_how_long_a_peer_paused_and_was_paused) {
    DrivenSwitch ports = three_ports();
    ports.now = 10_s;
    ports.receive_pause(1, test::pause_of(only_priority(3), 65535));  // 3.36 ms
    for (int frame = 0; frame < 2; ++frame) ports.receive(0, alice, bob, 3);
    ports.send_pause_frame(0);
    ports.now += 4_ms;
    ports.forward();
    ports.send_pause_frame(0);
    ports.now = 11_s + 1_ms;
    const Json rows = ports.show("pfc");
    const Json& output = row_of(rows, "p1");
    EXPECT_EQ(output["rx_pause"], 1);
    EXPECT_EQ(output["paused_ns"], 3'355'392);
    EXPECT_EQ(output["paused_last_second_ns"], 3'355'392);
    EXPECT_EQ(output["paused_last_minute_ns"], 3'355'392);
    EXPECT_EQ(output["paused_transitions"], 1);
    EXPECT_EQ(output["paused_recent_ns"], 3'355'392);
    EXPECT_TRUE(output["paused_recent_at"].is_string());
    EXPECT_EQ(output["pausing_transitions"], 0);
    EXPECT_TRUE(output["pausing_recent_at"].is_null());
    const Json& input = row_of(rows, "p0");
    EXPECT_EQ(input["tx_pause"], 1);
    EXPECT_EQ(input["tx_resume"], 1);
    EXPECT_EQ(input["pausing_ns"], 4'000'000);
    EXPECT_EQ(input["pausing_last_second_ns"], 4'000'000);
    EXPECT_EQ(input["pausing_transitions"], 1);
    EXPECT_EQ(input["pausing_recent_ns"], 4'000'000);
}

TEST(PfcSnapshot, shows_storms) {
    DrivenSwitch ports = three_ports(
        [](Settings& settings) { settings.ports[1].pfc.watchdog.action = WatchdogAction::drop; });
    for (int frame = 0; frame < 2; ++frame) ports.receive(0, alice, bob, 3);
    for (int pause = 0; pause < 500; ++pause) {
        ports.receive_pause(1, test::pause_of(only_priority(3), 65535));
        ports.housekeep();
        ports.now += 2_ms;
    }
    ports.receive(0, alice, bob, 3);
    const Json& stormed = row_of(ports.show("pfc"), "p1");
    EXPECT_EQ(stormed["watchdog"], "stormed");
    EXPECT_EQ(stormed["storms"], 1);
    EXPECT_EQ(stormed["storm_dropped"], 3);
    const Json queues = ports.show("queues");
    ASSERT_EQ(queues.size(), 1);
    EXPECT_EQ(queues[0]["storm_dropped"], 3);
    EXPECT_EQ(row_of(ports.show("pfc"), "p0")["watchdog"], "operational");
}

TEST(PfcSnapshot, shows_who_is_paused_at_the_moment) {
    DrivenSwitch ports = three_ports();
    ports.receive_pause(1, test::pause_of(only_priority(3), 65535));
    EXPECT_EQ(row_of(ports.show("pfc"), "p1")["paused"], true);
    EXPECT_EQ(row_of(ports.show("pfc"), "p0")["paused"], false);
    ports.now += 1_s;
    EXPECT_EQ(row_of(ports.show("pfc"), "p1")["paused"], false) << "a pause ends by itself";
}

TEST(PfcSnapshot, shows_what_is_relayed) {
    DrivenSwitch ports = three_ports([](Settings& settings) {
        settings.ports[1].pfc.relay = {.to = 2, .priorities = 0x08, .longest = 1_ms};
        settings.ports[2].pfc.relay = {.to = 1, .priorities = 0x08, .longest = 1_ms};
    });
    ports.receive_pause(1, test::pause_of(only_priority(3), 65535));
    ports.receive_pause(1, test::pause_of(only_priority(3), 0));
    ports.receive_pause(1, test::pause_of(only_priority(3), 65535));
    ports.send_pause_frame(2);
    const Json rows = ports.show("pfc");
    const Json& heard = row_of(rows, "p1");
    EXPECT_EQ(heard["relayed_to"], "p2");
    EXPECT_EQ(heard["relayed_pause"], 2);
    EXPECT_EQ(heard["relayed_resume"], 1);
    EXPECT_EQ(heard["rx_pause"], 0) << "it is not obeyed";
    EXPECT_EQ(heard["pausing"], false);
    EXPECT_EQ(row_of(rows, "p2")["pausing"], true);
    EXPECT_EQ(row_of(rows, "p2")["tx_pause"], 1);
    EXPECT_TRUE(row_of(rows, "p0")["relayed_to"].is_null());
    ports.now += 1_ms;
    ports.send_pause_frame(2);
    const Json later = ports.show("pfc");
    EXPECT_EQ(row_of(later, "p1")["relay_cut"], true);
    EXPECT_EQ(row_of(later, "p1")["relay_cuts"], 1);
    EXPECT_EQ(row_of(later, "p2")["pausing"], false);
}

TEST(BufferSnapshot, shows_the_levels_of_this_moment) {
    DrivenSwitch ports = three_ports([](Settings& settings) {
        settings.buffer.size = 4_MiB;
        for (PortSettings& port : settings.ports) {
            port.pfc.xoff = 1024_MiB;
            port.pfc.alpha_128 = 64;
            port.pfc.reserved = 1_KiB;
        }
    });
    ports.receive(0, alice, bob, 3);
    const Json buffer = ports.show("buffer");
    ASSERT_EQ(buffer["groups"].size(), 1);
    const Json& group = buffer["groups"][0];
    const int64_t free = buffer["pool"]["free_bytes"];
    EXPECT_EQ(group["xoff_bytes"], 1024 + free / 2);
    EXPECT_EQ(group["reserved_bytes"], 1024);
    EXPECT_EQ(group["used_bytes"], 256);
}

}  // namespace
}  // namespace sluice::control
