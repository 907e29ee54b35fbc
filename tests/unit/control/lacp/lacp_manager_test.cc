#include "control/lacp/manager.h"

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

constexpr PortIndex ports = ports_of_four;
constexpr MacAddress peer{0x0200'0000'00B0};

std::string bond_of(const std::string& members) {
    return "aggregations: [{name: bond0, ports: [" + members +
           "], lacp: {mode: active, timeout: short}}]\n";
}
const std::string bond = bond_of("p0, p1");

// A switch whose worker, and whose peer, are the test.
struct Rig {
    explicit Rig(const std::string& more = bond)
        : configuration(four_ports(more)),
          dataplane(configuration.settings),
          manager(dataplane, configuration, recorded.sink) {
        for (PortIndex port = 0; port < ports; ++port) {
            dataplane.set_link(port, true);
            manager.set_link(port, {true, 10_Gbps}, now);
        }
    }
    // All so far.
    [[nodiscard]] std::string events() {
        const std::string more = recorded.words();
        return seen += (seen.empty() || more.empty() ? "" : " ") + more;
    }
    // Returns the LACPDUs that the port's worker sends now.
    std::vector<lacp::Lacpdu> sent(PortIndex port) {
        std::vector<lacp::Lacpdu> said;
        Shard& shard = dataplane.shard_of(port);
        for (auto octets = shard.control_frame(port); !octets.empty();
             octets = shard.control_frame(port)) {
            said.push_back(lacp::read_lacpdu(octets.subspan(14)).value());
            shard.control_frame_sent(port);
        }
        return said;
    }
    // The peer agrees with whatever it receives.
    void agree(PortIndex port) {
        for (const lacp::Lacpdu& said : sent(port)) {
            lacp::Lacpdu answer{.actor = {.system = peer, .key = 5, .port = port},
                                .partner = said.actor};
            answer.actor.state = lacp::state_bits::activity | lacp::state_bits::timeout |
                                 lacp::state_bits::aggregation | lacp::state_bits::synchronization |
                                 lacp::state_bits::collecting | lacp::state_bits::distributing;
            dataplane.received(port, ControlProtocol::lacp).post(lacp::frame_of(answer, peer));
        }
    }
    void configure(const config::Configuration& next) { manager.configure(next, now); }
    void configure(const std::string& more) { configure(four_ports(more)); }
    // True if the last LACPDU to the port's partner says that we have left.
    bool has_left(PortIndex port) {
        const auto said = sent(port);
        return !said.empty() && !said.back().actor.has(lacp::state_bits::synchronization);
    }
    void run(Nanos time, PortSet agreeing) {
        for (const Nanos end = now + time; now < end; now += 100_ms) {
            manager.tick(now);
            for_each_port(agreeing, [&](PortIndex port) { agree(port); });
        }
    }
    // True if a flood from port 2 leaves by the aggregation.
    bool sends(PortSet outsiders = only(3)) {
        for_each_port(outsiders, [&](PortIndex port) { dataplane.set_link(port, false); });
        std::array<uint8_t, 64> octets{};
        octets.fill(0xFF);
        write_address(&octets[6], {0x0200'0000'0001});
        write_16(&octets[12], 0x88B5);
        Frame frame{.handle = &octets, .data = octets.data(), .length = 64};
        Released released;
        const uint64_t refused = dataplane.counters(2).drops.of(Drop::no_output);
        dataplane.shard(0).receive(2, std::span(&frame, 1), now, released);
        dataplane.shard(0).flush(released);
        for_each_port(outsiders, [&](PortIndex port) { dataplane.set_link(port, true); });
        return dataplane.counters(2).drops.of(Drop::no_output) == refused;
    }

    Nanos now = 1000_s;
    config::Configuration configuration;
    Switch dataplane;
    RecordedEvents recorded;
    LacpManager manager;
    std::string seen;
};

TEST(LacpManager, SaysWhoWeAreAtMembersAlone) {
    Rig rig;
    rig.manager.tick(rig.now);
    const auto said = rig.sent(1);
    ASSERT_FALSE(said.empty());
    EXPECT_EQ(said[0].actor.system, (MacAddress{0x0200'0000'00A1})) << "the lowest of its ports'";
    EXPECT_EQ(said[0].actor.key, 1);
    EXPECT_EQ(said[0].actor.port, 2);
    EXPECT_TRUE(said[0].actor.has(lacp::state_bits::activity | lacp::state_bits::timeout |
                                  lacp::state_bits::aggregation));
    EXPECT_TRUE(rig.sent(2).empty());
}

TEST(LacpManager, TheDataplaneUsesWhatIsAttached) {
    Rig rig;
    EXPECT_FALSE(rig.sends());
    rig.run(4_s, 0b01);
    EXPECT_EQ(rig.events(), "0lacp_attached");
    EXPECT_TRUE(rig.sends());
    rig.dataplane.set_link(0, false);
    rig.manager.set_link(0, {false, 10_Gbps}, rig.now);
    EXPECT_EQ(rig.events(), "0lacp_attached 0lacp_detached");
    EXPECT_FALSE(rig.sends());
}

TEST(LacpManager, WhoStopsLacpHasItsMembersBack) {
    Rig rig;
    EXPECT_FALSE(rig.sends());
    rig.configure("aggregations: [{name: bond0, ports: [p0, p1]}]\n");
    EXPECT_TRUE(rig.sends());
    EXPECT_TRUE(rig.manager.aggregators().empty());
}

TEST(LacpManager, AnotherTimeoutDetachesNobody) {
    Rig rig;
    rig.run(4_s, 0b11);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached");
    rig.configure("aggregations: [{name: bond0, ports: [p0, p1], lacp: {mode: active}}]\n");
    rig.run(5_s, 0b11);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached");
}

TEST(LacpManager, AMemberThatComesLeavesTheOthersAsTheyAre) {
    Rig rig;
    rig.run(4_s, 0b011);
    rig.configure(bond_of("p0, p1, p3"));
    EXPECT_EQ(rig.manager.begun(), only(3));
    ASSERT_EQ(rig.manager.aggregators().size(), 1U);
    EXPECT_EQ(rig.manager.aggregators()[0].sending(), 0b0011U);
    EXPECT_TRUE(rig.sends());
    rig.run(4_s, 0b1011);
    EXPECT_EQ(rig.manager.aggregators()[0].sending(), 0b1011U);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached 3lacp_attached");
}

TEST(LacpManager, AMemberThatGoesLeavesTheOthersAsTheyAre) {
    Rig rig;
    rig.configure(bond_of("p0, p1, p3"));
    rig.run(4_s, 0b1011);
    rig.sent(0);
    rig.configure(bond_of("p0, p1"));
    EXPECT_EQ(rig.manager.begun(), PortSet{0});
    EXPECT_EQ(rig.manager.aggregators()[0].sending(), 0b0011U);
    EXPECT_TRUE(rig.has_left(3));
    EXPECT_FALSE(rig.has_left(0));
    rig.run(4_s, 0b0011);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached 3lacp_attached");
}

// Frames sent after workers have the new settings and before control follows them.
TEST(LacpManager, AMemberThatComesCarriesNothingUntilItIsAttached) {
    Rig rig("");
    EXPECT_TRUE(rig.sends());
    const config::Configuration next = four_ports(bond_of("p0, p1, p3"));
    rig.manager.prepare(next);
    rig.dataplane.shard(0).adopt(next.settings);
    EXPECT_FALSE(rig.sends(0));
    rig.configure(next);
    EXPECT_FALSE(rig.sends(0));
    rig.run(4_s, 0b1011);
    rig.manager.prepare(next);
    EXPECT_TRUE(rig.sends(0)) << "what is a member already goes on";
}

TEST(LacpManager, WhoItIsStaysWhateverComesAndGoes) {
    Rig rig;
    rig.run(4_s, 0b0011);
    config::Configuration next = four_ports(
        "aggregations:\n"
        "- {name: bond1, ports: [p2, p3], lacp: {mode: active}}\n"
        "- {name: bond2, ports: [p0, p1], lacp: {mode: active, timeout: short}}\n");
    next.settings.ports[3].address = {0x0200'0000'0001};
    rig.configure(next);
    const lacp::Aggregator& bond2 = rig.manager.aggregators()[1];
    EXPECT_EQ(bond2.settings().system, (MacAddress{0x0200'0000'00A1}));
    EXPECT_EQ(bond2.settings().key, 1);
    EXPECT_EQ(rig.manager.aggregators()[0].settings().system, bond2.settings().system);
    EXPECT_EQ(rig.manager.aggregators()[0].settings().key, 3);
    rig.run(4_s, 0b0011);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached");
}

TEST(LacpManager, NotifiesPartnersOfPortsThatLeaveAnAggregationOrLacp) {
    const std::string static_bond = "aggregations: [{name: bond0, ports: [p0, p1]}]\n";
    for (const std::string& next : {std::string(), static_bond}) {
        Rig rig;
        rig.run(4_s, 0b01);
        rig.sent(1);
        rig.configure(next);
        EXPECT_TRUE(rig.has_left(0)) << next;
        EXPECT_TRUE(rig.sent(1).empty()) << "nobody was heard there";
    }
}

TEST(LacpManager, NotifiesThePartnerOfAPortThatGoesAdministrativelyDown) {
    Rig rig;
    rig.run(4_s, 0b11);
    config::Configuration next = four_ports(bond);
    next.settings.ports[1].enabled = false;
    rig.configure(next);
    EXPECT_TRUE(rig.has_left(1));
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached 1lacp_detached");
    EXPECT_TRUE(rig.sends());
    // The goodbye holds until the link goes down.
    rig.manager.set_link(1, {true, 10_Gbps}, rig.now);
    rig.run(2_s, 0b01);
    EXPECT_TRUE(rig.sent(1).empty());
    rig.configure(bond);
    rig.run(4_s, 0b11);
    EXPECT_EQ(rig.events(), "0lacp_attached 1lacp_attached 1lacp_detached 1lacp_attached");
}

TEST(LacpManager, SaysGoodbyeAndGoesOnSending) {
    Rig rig;
    rig.run(4_s, 0b11);
    rig.sent(0);
    rig.manager.stop(rig.now);
    const auto said = rig.sent(0);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_FALSE(said[0].actor.has(lacp::state_bits::synchronization));
    EXPECT_FALSE(said[0].actor.has(lacp::state_bits::distributing));
    EXPECT_TRUE(rig.sends());
}

TEST(LacpSnapshot, HasARowAMember) {
    Rig rig;
    rig.run(4_s, 0b01);
    DrivenSwitch driven(3);
    for (PortIndex port = 0; port < 2; ++port) driven.about[port].aggregation = "bond0";
    for (const lacp::Aggregator& aggregator : rig.manager.aggregators()) {
        driven.aggregators.push_back(aggregator);
    }
    const Json rows = driven.show("lacp");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["aggregation"], "bond0");
    EXPECT_EQ(rows[0]["attached"], true);
    EXPECT_EQ(rows[0]["reason"], "");
    EXPECT_EQ(rows[0]["receive_machine"], "current");
    EXPECT_EQ(rows[0]["mux_machine"], "distributing");
    EXPECT_EQ(rows[0]["partner_system"], "02:00:00:00:00:b0");
    EXPECT_EQ(rows[0]["partner_key"], 5);
    EXPECT_EQ(rows[0]["actor_state"],
              Json::array({"activity", "timeout", "aggregation", "synchronization", "collecting",
                           "distributing"}));
    EXPECT_EQ(rows[1]["attached"], false);
    EXPECT_EQ(rows[1]["reason"], "no_partner");
    EXPECT_TRUE(rows[1]["partner_system"].is_null());
    const std::string table = cli::render("lacp", rows);
    EXPECT_NE(table.find("02:00:00:00:00:b0"), std::string::npos);
    EXPECT_NE(cli::render("lacp", Json::array()).find("No aggregation has LACP"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::control
