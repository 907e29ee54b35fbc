// The manager between a bridge and a dataplane whose workers are the test.
#include "control/rstp/manager.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "control/show/noun_snapshots.h"
#include "dataplane/shard.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/four_ports.h"
#include "tests/unit/control/recorded_events.h"
#include "tools/sluice/views.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using rstp::Bpdu;

constexpr PortIndex ports = ports_of_four;
constexpr MacAddress root{0x0200'0000'0001};

const std::string tree = "spanning_tree: {mode: rstp}\n";

struct Rig {
    explicit Rig(const std::string& more = tree)
        : configuration(four_ports(more)),
          dataplane(configuration.settings),
          manager(dataplane, configuration, recorded.sink) {}

    void set_links(bool up = true) {
        for (PortIndex port = 0; port < ports; ++port) {
            dataplane.set_link(port, up);
            manager.set_link(port, {true, 10_Gbps}, now);
        }
    }
    void configure(const std::string& more) {
        configuration = four_ports(more);
        manager.prepare(configuration);
        manager.configure(configuration, now);
    }
    // Returns the BPDUs that the port's worker sends now.
    std::vector<Bpdu> sent(PortIndex port) {
        std::vector<Bpdu> said;
        Shard& shard = dataplane.shard_of(port);
        for (auto octets = shard.control_frame(port); !octets.empty();
             octets = shard.control_frame(port)) {
            said.push_back(rstp::read_bpdu(octets).value());
            shard.control_frame_sent(port);
        }
        return said;
    }
    void hear(PortIndex port, uint16_t number = 1) {
        const Bpdu bpdu{.proposal = true,
                        .priority = {.root = rstp::bridge_id(0, root),
                                     .cost = 0,
                                     .bridge = rstp::bridge_id(0, root),
                                     .port = rstp::port_id(128, number)},
                        .times = {}};
        dataplane.received(port, ControlProtocol::bpdu).post(rstp::frame_of(bpdu, root));
    }
    void run(Nanos time) {
        for (const Nanos end = now + time; now < end; now += 20_ms) manager.tick(now);
    }
    [[nodiscard]] PortSet blocked() const {
        PortSet set = 0;
        for (PortIndex port = 0; port < ports; ++port) {
            if (dataplane.refusal(port) == Drop::stp_discarding) set |= only(port);
        }
        return set;
    }

    Nanos now = 1000_s;
    config::Configuration configuration;
    Switch dataplane;
    RecordedEvents recorded;
    RstpManager manager;
};

TEST(RstpManager, PortsDiscardFromBeforeTheWorkersRunUntilTheyMay) {
    Rig rig;
    EXPECT_EQ(rig.blocked(), 0b1111U);
    EXPECT_EQ(rig.dataplane.outputs(), 0U);
    rig.set_links();
    rig.run(1_s);
    EXPECT_EQ(rig.blocked(), 0b1111U);
    rig.run(3_s);
    EXPECT_EQ(rig.blocked(), 0U) << "nobody answered: hosts";
    EXPECT_EQ(rig.dataplane.outputs(), 0b1111U);
}

TEST(RstpManager, WithoutATreeNothingIsKeptFromAnything) {
    Rig rig("");
    rig.set_links();
    rig.run(1_s);
    EXPECT_EQ(rig.blocked(), 0U);
    EXPECT_EQ(rig.manager.bridge(), nullptr);
    EXPECT_TRUE(rig.sent(0).empty());
}

TEST(RstpManager, OfTwoWaysToTheRootOneIsOpenedAndAgreedTo) {
    Rig rig;
    rig.set_links();
    rig.run(100_ms);
    for (PortIndex port = 0; port < ports; ++port) (void)rig.sent(port);
    rig.hear(2, 7);
    rig.hear(3, 8);
    rig.run(20_ms);
    EXPECT_EQ(rig.blocked(), 0b1011U);
    const auto said = rig.sent(2);
    ASSERT_FALSE(said.empty());
    EXPECT_TRUE(said.back().agreement);
    EXPECT_EQ(said.back().role, rstp::MessageRole::root);
    const std::string events = rig.recorded.words();
    EXPECT_NE(events.find("stp_root"), std::string::npos) << events;
    EXPECT_NE(events.find("p3stp_port"), std::string::npos) << events;
}

TEST(RstpManager, ThePathCostIsThatOfTheSpeedUnlessItIsWritten) {
    EXPECT_EQ(path_cost_of(BitsPerSecond(10'000'000)), 2'000'000U);
    EXPECT_EQ(path_cost_of(1_Gbps), 20'000U);
    EXPECT_EQ(path_cost_of(400_Gbps), 50U);
    EXPECT_EQ(path_cost_of(BitsPerSecond(1000)), 200'000'000U);
    EXPECT_EQ(path_cost_of(BitsPerSecond(0)), 2000U) << "unknown: 10 G";
    Rig rig(
        "spanning_tree: {mode: rstp}\n"
        "aggregations: [{name: bond, ports: [p1, p2]}]\n");
    rig.set_links();
    rig.manager.set_link(0, {true, 1_Gbps}, rig.now);
    EXPECT_EQ(rig.manager.bridge()->port(0)->settings.cost, 20'000U);
    EXPECT_EQ(rig.manager.bridge()->port(1)->settings.cost, 1000U) << "of two members";
    EXPECT_EQ(rig.manager.bridge()->port(2), nullptr);
    EXPECT_EQ(rig.manager.name(1), "bond");
    EXPECT_EQ(rig.manager.members(1), 0b0110U);
}

TEST(RstpManager, AnAggregationGoesOnByTheMembersThatItHas) {
    Rig rig(
        "spanning_tree: {mode: rstp}\n"
        "aggregations: [{name: bond, ports: [p1, p2]}]\n");
    rig.set_links();
    rig.hear(2);
    rig.run(40_ms);
    EXPECT_EQ(rig.blocked() & 0b0110, 0U) << "heard by either, opened both";
    EXPECT_FALSE(rig.sent(1).empty());
    EXPECT_TRUE(rig.sent(2).empty());
    rig.dataplane.set_lacp_detached(only(1), only(1));
    rig.hear(2);
    rig.run(3_s);
    EXPECT_EQ(rig.dataplane.refusal(2), Drop::none);
    EXPECT_EQ(rig.manager.bridge()->root_port(), 1);
    EXPECT_TRUE(rig.sent(1).empty()) << "none leaves by one that carries nothing";
    rig.dataplane.set_link(2, false);
    rig.manager.set_link(2, {true, 10_Gbps}, rig.now);
    EXPECT_TRUE(rig.manager.bridge()->is_root());
}

TEST(RstpManager, WhatSettingsMakeAnotherPortDiscardsBeforeWorkersHaveThem) {
    Rig rig("aggregations: [{name: bond, ports: [p1, p2]}]\n");
    rig.set_links();
    const std::string bonded = tree + "aggregations: [{name: bond, ports: [p1, p2]}]\n";
    rig.manager.prepare(four_ports(bonded));
    EXPECT_EQ(rig.blocked(), 0b1111U);
    rig.configure(bonded);
    rig.run(5_s);
    EXPECT_EQ(rig.blocked(), 0U);
    rig.manager.prepare(four_ports(tree));
    EXPECT_EQ(rig.blocked(), 0b0110U) << "no longer one";
    rig.configure(tree);
    EXPECT_EQ(rig.blocked(), 0b0110U);
    rig.run(5_s);
    EXPECT_EQ(rig.blocked(), 0U);
    rig.configure("");
    EXPECT_EQ(rig.blocked(), 0U);
    EXPECT_FALSE(rig.manager.is_on());
}

TEST(RstpManager, IsShown) {
    Rig rig;
    rig.set_links();
    rig.hear(2, 7);
    rig.run(100_ms);
    DrivenSwitch two(ports);
    View view = two.view();
    EXPECT_EQ(snapshot("spanning-tree", view, false)["mode"], "off");
    view.rstp = &rig.manager;
    view.now = rig.now;
    const Json shown = snapshot("spanning-tree", view, false);
    EXPECT_EQ(shown["mode"], "rstp");
    EXPECT_EQ(shown["address"], "02:00:00:00:00:a1");
    EXPECT_EQ(shown["root_address"], "02:00:00:00:00:01");
    EXPECT_EQ(shown["root_port"], "p2");
    EXPECT_EQ(shown["root_cost"], 2000);
    EXPECT_EQ(shown["topology_changes"], 1);
    EXPECT_EQ(shown["ports"][2]["role"], "root");
    EXPECT_EQ(shown["ports"][2]["state"], "forwarding");
    EXPECT_EQ(shown["ports"][2]["designated_port"], 7);
    EXPECT_EQ(shown["ports"][0]["state"], "discarding");
    const std::string text = cli::render("spanning-tree", shown);
    EXPECT_NE(text.find("Root 02:00:00:00:00:01, priority 0, by p2 at cost 2000."),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace sluice::control
