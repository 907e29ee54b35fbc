#include "control/watch/parallel_links.h"

#include <gtest/gtest.h>

#include <utility>

#include "config/loader.h"
#include "tests/unit/control/lldp/frames.h"

namespace sluice::control {
namespace {

// Four ports of a switch whose system name is `us`, and their LLDP neighbours.
struct Heard {
    config::Configuration configuration = *config::load_text(
        "ports: [{name: a, device: ring:a}, {name: b, device: ring:b}, {name: c, device: "
        "ring:c}, {name: d, device: ring:d}]\n",
        "x.yaml");
    std::vector<lldp::Agent> agents;
    ParallelLinks links;

    Heard() {
        for (const char* port : {"a", "b", "c", "d"}) {
            lldp::AgentSettings settings;
            settings.mode = lldp::Mode::both;
            settings.local = lldp::lldpdu_of("us", port);
            agents.emplace_back(settings).set_link(true, Nanos(0));
        }
    }
    void hear(std::size_t port, const char* chassis, bool bridges = true, uint16_t ttl = 120,
              const char* their_port = "1") {
        lldp::Lldpdu says = lldp::lldpdu_of(chassis, their_port, ttl);
        const uint16_t enabled = bridges ? lldp::bridge_capability : 0;
        says.capabilities = lldp::Capabilities{lldp::bridge_capability, enabled};
        agents[port].receive(lldp::frame_of(says), Nanos(0));
    }
    void cable(std::size_t port, const char* to) { hear(port, "us", true, 120, to); }
    // `b+ b-`: it began and ended at port b.
    std::string changes() {
        std::string text;
        for (const auto& change : links.look(configuration, agents)) {
            text += configuration.ports[change.port].name + (change.begins ? "+ " : "- ");
            last = change.text;
        }
        return text;
    }
    std::string last;
};

TEST(ParallelLinks, TheSecondLinkToABridgeIsReportedOnce) {
    Heard at;
    at.hear(0, "spine");
    at.hear(1, "other");
    EXPECT_EQ(at.changes(), "");
    at.hear(2, "spine");
    EXPECT_EQ(at.changes(), "c+ ");
    EXPECT_EQ(at.last.substr(0, 52), "leads to spine, like a, and both have VLAN 1: a loop");
    EXPECT_EQ(at.changes(), "");
    at.hear(0, "spine", true, 0);  // it says goodbye
    EXPECT_EQ(at.changes(), "c- ");
}

TEST(ParallelLinks, AHostWithTwoLinksIsNoBridge) {
    Heard at;
    at.hear(0, "server", false);
    at.hear(1, "server", false);
    EXPECT_EQ(at.changes(), "");
}

TEST(ParallelLinks, ACableBetweenTwoPortsIsOne) {
    Heard at;
    at.cable(0, "b");
    at.cable(1, "a");
    EXPECT_EQ(at.changes(), "b+ ");
    EXPECT_EQ(at.last.substr(0, 35), "is cabled to a of this switch, and ");
}

TEST(ParallelLinks, EachOfTwoCablesIsReportedByItsEnds) {
    Heard at;
    at.cable(0, "b");
    at.cable(1, "a");
    at.cable(2, "d");
    at.cable(3, "c");
    EXPECT_EQ(at.changes(), "b+ d+ ");
    EXPECT_EQ(at.last.substr(0, 35), "is cabled to c of this switch, and ");
}

TEST(ParallelLinks, AreNotReportedWhereATreeRuns) {
    Heard at;
    at.hear(0, "spine");
    at.hear(1, "spine");
    EXPECT_EQ(at.changes(), "b+ ");
    at.configuration.spanning_tree.mode = config::SpanningTreeMode::rstp;
    EXPECT_EQ(at.changes(), "b- ");
}

}  // namespace
}  // namespace sluice::control
