#include "control/show/noun_snapshots.h"

#include <gtest/gtest.h>

#include "config/loader.h"
#include "control/querier/manager.h"
#include "dataplane/shard.h"
#include "tests/support/membership_octets.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

TEST(MulticastSnapshot, says_that_nothing_is_snooped_where_that_is_so) {
    EXPECT_EQ(DrivenSwitch(2).show("multicast"), Json::parse(R"({
        "snooping": [], "unregistered": "flood", "capacity": 1024, "known": 0, "full": 0,
        "sources": 0, "sources_full": 0, "lost_reports": 0, "router_ports": [], "routers": [],
        "queriers": [], "groups_not_queried": 0, "groups": []})"));
}

TEST(MulticastSnapshot, lists_static_groups_in_order) {
    DrivenSwitch three(3, [](Settings& settings) {
        settings.ports[2].format = presets[3];
        settings.multicast.snooping[7] = only_protocol(GroupProtocol::mld);
        settings.multicast.unregistered = Unregistered::router_ports;
        settings.multicast.router_ports = 0b10;
        settings.multicast.groups = {
            {.vlan = 1, .address = {uint64_t{1} << 40 | 7}, .ports = 0b100},
            {.vlan = 10, .address = {0x01005E010203}, .ports = 0b11},
            {.vlan = 1, .address = {0x01005E010204}, .ports = 0b01}};
    });
    three.now += 5_s;
    const Json multicast = three.show("multicast");
    EXPECT_EQ(multicast["snooping"], Json::array({"mld"}));
    EXPECT_EQ(multicast["unregistered"], "router_ports");
    EXPECT_EQ(multicast["router_ports"], Json::array({"p1"}));
    EXPECT_EQ(multicast["known"], 3);
    EXPECT_EQ(multicast["groups"], Json::parse(R"([
        {"vlan": 1, "group": "01:00:5e:01:02:04", "family": "ethernet", "ports": ["p0"],
         "static": ["p0"], "kind": "static", "age_s": 0},
        {"vlan": 10, "group": "01:00:5e:01:02:03", "family": "ethernet", "ports": ["p0", "p1"],
         "static": ["p0", "p1"], "kind": "static", "age_s": 0},
        {"vlan": 1, "group": "7", "family": "afh_lite", "ports": ["p2"], "static": ["p2"],
         "kind": "static", "age_s": 0}])"));
}

// A device that went away by itself leaves its place in the configuration.
TEST(MulticastSnapshot, shows_a_querier_whose_port_was_removed_without_a_port) {
    const auto configuration = config::load_text(
        "ports: [{name: p0, device: 'null:0'}, {name: p1, device: 'null:1'}]\n"
        "multicast: {snooping: [igmp], querier: {vlans: [1], address: 192.0.2.5}}\n",
        "x.yaml");
    ASSERT_TRUE(configuration) << config::to_string(configuration.error().front());
    DrivenSwitch two(2, [](Settings& settings) {
        settings.multicast.snooping[1] = only_protocol(GroupProtocol::igmp);
        settings.multicast.queried.set(1);
    });
    RecordedEvents recorded;
    QuerierManager manager(*two.dataplane, *configuration, two.now, recorded.sink);
    test::Octets octets =
        test::framed(test::igmp(test::igmp_query, 0, {.from = 0xC0000204, .to = 0xE0000001}),
                     {0x01005E000001}, test::station(1));
    octets.resize(64);
    Frame frame{.handle = &octets, .data = octets.data(), .length = 64};
    Released released;
    two.dataplane->shard(0).receive(1, std::span(&frame, 1), two.now, released);
    manager.tick(two.now);
    const auto querier = [&] {
        View view = two.view();
        view.querier = &manager;
        return snapshot("multicast", view, false)["queriers"].at(0);
    };
    EXPECT_EQ(querier(), Json::parse(R"({
        "vlan": 1, "protocol": "igmp", "own": false, "address": "192.0.2.4", "port": "p1",
        "next_s": 255, "queries": 0})"));
    two.about[1].vacant = true;
    EXPECT_EQ(querier()["port"], Json());
    EXPECT_EQ(querier()["address"], "192.0.2.4");
}

}  // namespace
}  // namespace sluice::control
