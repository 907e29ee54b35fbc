#include "control/show/snapshot.h"

#include <gtest/gtest.h>

#include <span>

#include "config/version.h"
#include "control/show/counter_rows.h"
#include "control/show/nouns.h"
#include "tests/support/pauses.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;

TEST(Snapshot, ports_count_what_came_and_went) {
    DrivenSwitch three(3);
    three.receive(0, alice, bob);  // unknown: flooded to two
    three.forward();
    three.dataplane->set_link(2, false);

    const Json ports = three.show("ports");
    ASSERT_EQ(ports.size(), 3);
    EXPECT_EQ(ports[0]["name"], "p0");
    EXPECT_EQ(ports[0]["device"], "null:0");
    EXPECT_EQ(ports[0]["link"], "up");
    EXPECT_EQ(ports[0]["rx_frames"], 1);
    EXPECT_EQ(ports[0]["rx_bytes"], 64);
    EXPECT_EQ(ports[0]["copied"], 1);
    EXPECT_EQ(ports[1]["tx_frames"], 1);
    EXPECT_EQ(ports[1]["tx_bytes"], 64);
    EXPECT_EQ(ports[1]["dropped"], 0);
    EXPECT_EQ(ports[2]["link"], "down");
}

void expect_values(const Json& noun, std::span<const CounterRow> rows) {
    ASSERT_FALSE(noun.empty());
    for (const CounterRow& row : rows) {
        EXPECT_TRUE(noun[0].contains(row.key()))
            << row.key() << " has a row in counter_rows.h and no value: add it where its noun is "
            << "made (snapshot.cc, queues.cc or lossless.cc)";
    }
}

TEST(Snapshot, has_a_value_for_each_counter_with_a_row) {
    DrivenSwitch two(2);
    expect_values(two.show("ports", true), port_counters);
    expect_values(two.show("queues", true), queue_counters);
    expect_values(two.show("pfc", true), pfc_counters);
}

TEST(Snapshot, ports_show_what_the_device_counts) {
    DrivenSwitch one(1);
    one.about[0].device_counters = {{"missed", 7}};
    one.about[0].vanished = true;
    const Json port = one.show("ports")[0];
    EXPECT_EQ(port["device_counters"]["missed"], 7);
    EXPECT_EQ(port["link"], "gone");
}

TEST(Snapshot, ports_show_what_they_can_do_and_why_not_more) {
    DrivenSwitch two(2, [](Settings& settings) { settings.ports[0].pfc.lossless = 8; });
    two.about[0].abilities = {
        .are = {PauseAbility::unproven, PauseAbility::none, LldpReception::swallowed},
        .pfc_rx_why = "of rx",
        .pfc_tx_why = "of tx",
        .lldp_rx_why = "of lldp"};
    const Json port = two.show("ports")[0];
    EXPECT_EQ(port["pfc_rx"], "unproven");
    EXPECT_EQ(port["pfc_tx"], "none");
    EXPECT_EQ(port["lldp_rx"], "swallowed");
    EXPECT_EQ(port["pfc_rx_why"], "of rx");
    EXPECT_EQ(port["pfc_tx_why"], "of tx");
    EXPECT_EQ(port["lldp_rx_why"], "of lldp");
    EXPECT_EQ(two.show("ports")[1]["pfc_rx"], "software");

    two.receive_pause(0, test::pause_of(only_priority(3), 100));
    EXPECT_EQ(two.show("ports")[0]["pfc_rx"], "software") << "a pause frame has come in";
    EXPECT_EQ(two.show("ports")[0]["pfc_rx_why"], "");
    EXPECT_EQ(two.show("ports")[0]["pfc_tx"], "none");
}

TEST(Snapshot, rate_is_the_slower_of_link_and_shaper) {
    DrivenSwitch two(2, [](Settings& settings) { settings.ports[1].rate = 1_Gbps; });
    two.about[1].link_speed = 25_Gbps;
    EXPECT_EQ(two.show("ports")[0]["rate_bps"], 10'000'000'000);
    EXPECT_EQ(two.show("ports")[1]["rate_bps"], 1'000'000'000);
    two.settings.ports[1].rate = 40_Gbps;
    EXPECT_EQ(two.show("ports")[1]["rate_bps"], 25'000'000'000);
}

// 1024 frames of 1546 octets on the wire, or one, at 10 Gbit/s.
TEST(Snapshot, ports_show_for_how_long_a_pause_may_come_too_late) {
    DrivenSwitch two(2);
    for (PortView& port : two.about) port.tx_descriptors = 1024;
    two.about[1].pauses_overtake = true;
    const Json ports = two.show("ports");
    EXPECT_EQ(ports[0]["reaction_bound_ns"], 1'266'484);
    EXPECT_EQ(ports[0]["xoff_bound_ns"], 1'266'484);
    EXPECT_EQ(ports[1]["reaction_bound_ns"], 1'266'484) << "of data behind a pause that was heard";
    EXPECT_EQ(ports[1]["xoff_bound_ns"], 1237);
}

TEST(Snapshot, queues_are_those_ever_used_unless_all_are_asked_for) {
    DrivenSwitch two(2);
    EXPECT_EQ(two.show("queues").size(), 0);
    EXPECT_EQ(two.show("queues", true).size(), 2 * 2 * 8);
    two.receive(0, alice, bob, 5);

    const Json queues = two.show("queues");
    ASSERT_EQ(queues.size(), 1);
    EXPECT_EQ(queues[0]["input"], "p0");
    EXPECT_EQ(queues[0]["output"], "p1");
    EXPECT_EQ(queues[0]["priority"], 5);
    EXPECT_EQ(queues[0]["frames"], 1);
    EXPECT_EQ(queues[0]["bytes"], 256);  // a cell
    EXPECT_EQ(queues[0]["max_bytes"], 256);
    EXPECT_EQ(queues[0]["enqueued"], 1);
    EXPECT_EQ(queues[0]["dequeued"], 0);
    EXPECT_EQ(queues[0]["dropped"], 0);

    two.forward();
    EXPECT_EQ(two.show("queues")[0]["frames"], 0);
    EXPECT_EQ(two.show("queues")[0]["dequeued"], 1);
}

TEST(Snapshot, buffer_shows_the_pool_and_who_holds_it) {
    DrivenSwitch two(2);
    two.receive(0, alice, bob, 3);
    const Json buffer = two.show("buffer");
    EXPECT_EQ(buffer["size_bytes"], 16 * 1024 * 1024);
    EXPECT_EQ(buffer["pool"]["used_bytes"], 256);
    EXPECT_EQ(buffer["pool"]["free_bytes"], 16 * 1024 * 1024 - 256);
    EXPECT_EQ(buffer["alpha"], 1.0);
    ASSERT_EQ(buffer["groups"].size(), 1);
    EXPECT_EQ(buffer["groups"][0]["port"], "p0");
    EXPECT_EQ(buffer["groups"][0]["priority"], 3);
    EXPECT_EQ(buffer["groups"][0]["occupancy_bytes"], 256);
}

TEST(Snapshot, drops_are_named_with_port_and_side) {
    DrivenSwitch two(2);
    two.receive(0, alice, bob);
    two.forward();
    two.receive(0, bob, alice);  // alice is on port 0
    const Json drops = two.show("drops");
    ASSERT_EQ(drops.size(), 1);
    EXPECT_EQ(drops[0]["reason"], "same_port");
    EXPECT_EQ(drops[0]["port"], "p0");
    EXPECT_EQ(drops[0]["side"], "ingress");
    EXPECT_EQ(drops[0]["frames"], 1);
    EXPECT_EQ(drops[0]["consumed"], false);
    const Json all = two.show("drops", true);
    EXPECT_EQ(all.size(), 2 * 2 * (drop_reasons - 1));
    for (const Json& row : all) {
        const auto reason = row["reason"].get<std::string>();
        const bool is_control = reason == "mac_control" || reason == "credit_update" ||
                                reason == "lldp" || reason == "lacp" || reason == "bpdu" ||
                                reason == "loop_probe" || reason == "neigh_suppressed";
        EXPECT_EQ(row["consumed"].get<bool>(), is_control) << reason;
    }
}

TEST(Snapshot, fdb_is_sorted_and_shows_age_and_kind) {
    DrivenSwitch two(2, [](Settings& settings) {
        settings.fdb.static_entries.push_back({.vlan = 2, .address = {0x02AABBCCDDEE}, .port = 1});
    });
    two.receive(1, bob, alice);
    two.receive(0, alice, bob);
    two.now += 5_s;

    const Json fdb = two.show("fdb");
    ASSERT_EQ(fdb.size(), 3);
    EXPECT_EQ(fdb[0]["address"], "02:00:00:00:00:01");
    EXPECT_EQ(fdb[0]["vlan"], 1);
    EXPECT_EQ(fdb[0]["port"], "p0");
    EXPECT_EQ(fdb[0]["kind"], "learned");
    EXPECT_NEAR(fdb[0]["age_s"].get<double>(), 5, 1);
    EXPECT_EQ(fdb[1]["address"], "02:00:00:00:00:02");
    EXPECT_EQ(fdb[2]["address"], "02:aa:bb:cc:dd:ee");
    EXPECT_EQ(fdb[2]["kind"], "static");
    EXPECT_EQ(fdb[2]["age_s"], 0);
}

TEST(Snapshot, fdb_calls_sticky_what_a_sticky_port_learned) {
    DrivenSwitch two(2, [](Settings& settings) { settings.ports[1].sticky = true; });
    two.receive(1, bob, alice);
    two.receive(0, alice, bob);
    const Json fdb = two.show("fdb");
    EXPECT_EQ(fdb[0]["kind"], "learned");
    EXPECT_EQ(fdb[1]["kind"], "sticky");
}

TEST(Snapshot, vlan_without_filtering_has_every_port_in_it) {
    DrivenSwitch two(2, [](Settings& settings) { settings.ports[1].default_vlan = 7; });
    const Json vlan = two.show("vlan");
    EXPECT_EQ(vlan["filtering"], false);
    ASSERT_EQ(vlan["vlans"].size(), 2);
    EXPECT_EQ(vlan["vlans"][1]["vlan"], 7);
    EXPECT_EQ(vlan["vlans"][1]["ports"], Json({"p0", "p1"}));
    EXPECT_EQ(vlan["vlans"][1]["untagged"], Json::array({"p1"}));
}

TEST(Snapshot, vlan_shows_who_sends_a_tag_and_leaves_out_who_is_everywhere) {
    DrivenSwitch two(2, [](Settings& settings) {
        settings.vlan.filtering = true;
        settings.vlan.members.fill(only(0));
        settings.vlan.members[10] = settings.vlan.members[20] = 0b11;
        settings.vlan.untagged[20] = only(1);
        settings.ports[1].tagging.aware = true;
        settings.ports[1].default_vlan = 20;
    });
    const Json expected = Json::parse(R"([
        {"vlan": 1, "name": "", "ports": ["p0"], "untagged": ["p0"], "tagged": [],
         "learning": true, "flood_unknown": true},
        {"vlan": 10, "name": "", "ports": ["p0", "p1"], "untagged": [], "tagged": ["p1"],
         "learning": true, "flood_unknown": true},
        {"vlan": 20, "name": "", "ports": ["p0", "p1"], "untagged": ["p1"], "tagged": [],
         "learning": true, "flood_unknown": true}])");
    EXPECT_EQ(two.show("vlan")["vlans"], expected);
}

TEST(Snapshot, vlan_shows_who_does_not_learn_or_flood) {
    DrivenSwitch two(2, [](Settings& settings) {
        settings.vlan.unlearned[9] = true;
        settings.vlan.unflooded[10] = true;
    });
    const Json vlans = two.show("vlan")["vlans"];
    ASSERT_EQ(vlans.size(), 3);
    EXPECT_EQ(vlans[1]["vlan"], 9);
    EXPECT_EQ(vlans[1]["learning"], false);
    EXPECT_EQ(vlans[1]["flood_unknown"], true);
    EXPECT_EQ(vlans[2]["vlan"], 10);
    EXPECT_EQ(vlans[2]["learning"], true);
    EXPECT_EQ(vlans[2]["flood_unknown"], false);
}

TEST(Snapshot, vlan_with_filtering_has_its_members) {
    DrivenSwitch two(2, [](Settings& settings) {
        settings.vlan.filtering = true;
        settings.vlan.members[1] = only(0);
    });
    const Json vlan = two.show("vlan");
    EXPECT_EQ(vlan["filtering"], true);
    ASSERT_EQ(vlan["vlans"].size(), 1);
    EXPECT_EQ(vlan["vlans"][0]["ports"], Json::array({"p0"}));
    EXPECT_EQ(vlan["vlans"][0]["untagged"], Json({"p0", "p1"}));
}

TEST(Snapshot, fabric_counts_matchings_by_size) {
    DrivenSwitch two(2);
    two.receive(0, alice, bob);
    two.forward();
    const Json fabric = two.show("fabric");
    EXPECT_EQ(fabric["algorithm"], "islip");
    EXPECT_EQ(fabric["iterations"], 2);
    EXPECT_EQ(fabric["pairs"], 1);
    EXPECT_EQ(fabric["frames"], 1);
    EXPECT_EQ(fabric["histogram"][1]["pairs"], 1);
    EXPECT_EQ(fabric["histogram"][1]["slots"], 1);
}

TEST(Snapshot, fabric_counts_what_took_no_voq) {
    DrivenSwitch two(2, [](Settings& settings) { settings.fabric.bypass = true; });
    two.receive(0, alice, bob, 5);
    two.forward();
    const Json fabric = two.show("fabric");
    EXPECT_EQ(fabric["pairs"], 0);
    EXPECT_EQ(fabric["bypass"], true);
    EXPECT_EQ(fabric["bypassed"],
              Json::array({{{"output", "p1"}, {"priority", 5}, {"frames", 1}}}));
}

TEST(Snapshot, workers_own_ports) {
    DrivenSwitch two(2);
    two.workers.push_back({.core = 3,
                           .node = 1,
                           .polls = 100,
                           .busy_polls = 25,
                           .busy_share = 0.25,
                           .longest_gap = 1500});
    const Json workers = two.show("workers");
    ASSERT_EQ(workers.size(), 1);
    EXPECT_EQ(workers[0]["index"], 0);
    EXPECT_EQ(workers[0]["core"], 3);
    EXPECT_EQ(workers[0]["node"], 1);
    EXPECT_EQ(workers[0]["ports"], Json({"p0", "p1"}));
    EXPECT_EQ(workers[0]["busy_share"], 0.25);
    EXPECT_EQ(workers[0]["longest_gap_ns"], 1500);
}

TEST(Snapshot, ledger_balances_with_a_frame_that_waits) {
    DrivenSwitch three(3);
    three.receive(0, alice, bob);
    EXPECT_EQ(three.show("ledger")["waiting"], 2);
    EXPECT_EQ(three.show("ledger")["balanced"], true);
    three.forward();
    EXPECT_EQ(three.show("ledger"), Json({{"received", 1},
                                          {"copied", 1},
                                          {"generated", 0},
                                          {"sent", 2},
                                          {"dropped", 0},
                                          {"waiting", 0},
                                          {"trimmed", 0},
                                          {"balanced", true},
                                          {"in_motion", false}}));
}

TEST(Snapshot, events_are_the_last_thousand) {
    DrivenSwitch one(1);
    const auto start = std::chrono::system_clock::time_point(std::chrono::milliseconds(1500));
    for (int n = 0; n < 1003; ++n) one.events.add(start, "link_up", "p0", "is up");
    const Json events = one.show("events");
    ASSERT_EQ(events.size(), 1000);
    EXPECT_EQ(events[0]["number"], 4);
    EXPECT_EQ(events[0]["at"], "1970-01-01T00:00:01.500Z");
    EXPECT_EQ(events[999]["number"], 1003);
    EXPECT_EQ(events[0]["kind"], "link_up");
}

TEST(Snapshot, config_is_the_file_in_one_form) {
    EXPECT_EQ(DrivenSwitch(1).show("config"),
              Json({{"file", "driven.yaml"}, {"text", "ports:\n  - device: ring:driven\n"}}));
}

TEST(Snapshot, version_has_what_the_metric_shows) {
    const Json shown = DrivenSwitch(1).show("version");
    EXPECT_EQ(shown.at("version"), version());
    EXPECT_EQ(shown.at("kernel").get<std::string>().find("Linux "), 0);
    EXPECT_EQ(shown.at("commit"), commit());
    EXPECT_EQ(shown.at("up_since"), "1970-01-01T00:00:00.000Z");
    EXPECT_GE(shown.at("up_s").get<int64_t>(), 0);
    EXPECT_GE(shown.at("cpu_supports").get<std::string>(),
              shown.at("cpu_level").get<std::string>());
    for (const auto* key : {"dpdk", "compiler", "host"}) EXPECT_TRUE(shown.contains(key));
}

TEST(Snapshot, every_noun_can_be_shown_of_a_full_switch) {
    DrivenSwitch full(max_ports);
    for (const Noun& noun : nouns) EXPECT_FALSE(full.show(noun.name, true).is_null()) << noun.name;
}

}  // namespace
}  // namespace sluice::control
