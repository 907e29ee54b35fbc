#include "control/show/noun_snapshots.h"

#include <gtest/gtest.h>

#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/lldp/frames.h"
#include "tools/sluice/views.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

// A port with a neighbour, and a port without.
DrivenSwitch two_ports() {
    DrivenSwitch ports(2);
    for (const lldp::Mode mode : {lldp::Mode::both, lldp::Mode::disabled}) {
        lldp::AgentSettings settings;
        settings.mode = mode;
        settings.local = lldp::lldpdu_of("us", "p0");
        settings.local.system_name = "here";
        ports.agents.emplace_back(settings).set_link(true, ports.now);
    }
    lldp::Lldpdu says = lldp::lldpdu_of("leaf", "eth0");
    says.system_name = "evil\x1B[2J\xFF";
    says.capabilities = lldp::Capabilities{0b10100, 0b100};
    says.management_addresses = {{.family = lldp::ipv4_family, .address = {192, 0, 2, 1}}};
    says.organisational = {{0x0080C2, 11, {0x08, 0x80}}};
    ports.agents[0].receive(frame_of(says), ports.now);
    ports.now += 20_s;
    return ports;
}

TEST(LldpSnapshot, HasAPortARow) {
    const Json rows = two_ports().show("lldp");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["port"], "p0");
    EXPECT_EQ(rows[0]["mode"], "both");
    EXPECT_EQ(rows[0]["chassis_id"], "us");
    EXPECT_EQ(rows[0]["port_id"], "p0");
    EXPECT_EQ(rows[0]["ttl_s"], 121);
    EXPECT_EQ(rows[0]["system_name"], "here");
    EXPECT_EQ(rows[0]["frames_in"], 1);
    EXPECT_EQ(rows[0]["too_many_neighbours"], false);
    EXPECT_EQ(rows[1]["mode"], "disabled");
    EXPECT_TRUE(rows[1]["neighbours"].empty());
}

TEST(LldpSnapshot, ShowsWhatANeighbourSaysEscaped) {
    const Json neighbour = two_ports().show("lldp")[0]["neighbours"][0];
    EXPECT_EQ(neighbour["system_name"], R"(evil\x1B[2J\xFF)");
    EXPECT_EQ(neighbour["chassis_id"], "leaf");
    EXPECT_EQ(neighbour["chassis_id_subtype"], "local");
    EXPECT_EQ(neighbour["port_id"], "eth0");
    EXPECT_EQ(neighbour["source"], "02:00:00:00:aa:01");
    EXPECT_EQ(neighbour["expires_s"], 100);
    EXPECT_EQ(neighbour["known_for_s"], 20);
    EXPECT_EQ(neighbour["capabilities"], Json({"bridge", "router"}));
    EXPECT_EQ(neighbour["enabled_capabilities"], Json({"bridge"}));
    EXPECT_EQ(neighbour["management_addresses"], Json({"192.0.2.1"}));
    EXPECT_TRUE(neighbour["system_description"].is_null());
    EXPECT_EQ(neighbour["organisational"][0]["oui"], "0080c2");
    EXPECT_EQ(neighbour["organisational"][0]["subtype"], 11);
    EXPECT_EQ(neighbour["organisational"][0]["payload"], "0880");
}

TEST(LldpSnapshot, IsTwoTablesForPeople) {
    const std::string text = cli::render("lldp", two_ports().show("lldp"));
    EXPECT_NE(text.find(R"(p0    evil\x1B[2J\xFF  leaf)"), std::string::npos) << text;
    EXPECT_NE(text.find("bridge  192.0.2.1"), std::string::npos) << text;
    EXPECT_NE(text.find("p1    disabled"), std::string::npos) << text;
    EXPECT_NE(cli::render("lldp", Json::array()).find("No neighbour is known."), std::string::npos);
}

}  // namespace
}  // namespace sluice::control
