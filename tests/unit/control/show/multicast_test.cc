#include "control/show/multicast.h"

#include <gtest/gtest.h>

#include "tests/unit/control/driven_switch.h"

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

}  // namespace
}  // namespace sluice::control
