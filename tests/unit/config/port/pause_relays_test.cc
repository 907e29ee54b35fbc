#include "config/port/pause_relays.h"

#include <gtest/gtest.h>

#include <string>

#include "config/loader.h"
#include "config/places.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

constexpr const char* all_lossless =
    "defaults: {lossless: [3, 4], pfc: {peer: 02:00:00:00:00:11}}\n";

// Port 0 leads to the gateway, port 1 is below the tunnel, port 2 the tunnel.
std::string ports(const std::string& relay, const std::string& gateway = "",
                  const std::string& tunnel = "", const std::string& before = all_lossless) {
    return before + "ports:\n  - {name: gw, device: ring:a" + gateway +
           "}\n  - {name: wan, device: ring:b, mtu: 1558, underlay: {address: 192.0.2.1/24}}\n" +
           "  - {name: far, device: vxlan:wan/192.0.2.2/100" + tunnel + ", pause_relay: {" + relay +
           "}}\n";
}

Configuration loaded(const std::string& text) {
    auto read = load_text(text, "x.yaml");
    EXPECT_TRUE(read.has_value()) << faults_of(text).front();
    return read ? std::move(*read) : Configuration{};
}

std::string only_fault(const std::string& text) {
    const Lines lines = faults_of(text);
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? "" : lines.front();
}

TEST(PauseRelays, AreOfBothEndsAndOfWhatIsLosslessAtBoth) {
    const Configuration read = loaded(ports("port: gw", ", lossless: [4, 5]"));
    const PauseRelaySettings& tunnel = read.settings.ports[2].pfc.relay;
    EXPECT_EQ(tunnel.to, 0);
    EXPECT_EQ(tunnel.priorities, 0x10);
    EXPECT_EQ(tunnel.longest, Nanos(1'000'000'000));
    EXPECT_EQ(tunnel.depth, 2);
    EXPECT_EQ(tunnel.limit, 10'000U);
    const PauseRelaySettings& gateway = read.settings.ports[0].pfc.relay;
    EXPECT_EQ(gateway.to, 2);
    EXPECT_EQ(gateway.priorities, 0x10);
    EXPECT_EQ(read.settings.ports[1].pfc.relay.to, no_relay);
}

TEST(PauseRelays, HaveThePrioritiesAndTheLengthThatAreWritten) {
    const Configuration read =
        loaded(ports("port: gw, priorities: [3], longest: 100ms, depth: 4, limit: 7"));
    for (const std::size_t end : {0U, 2U}) {
        EXPECT_EQ(read.settings.ports[end].pfc.relay.priorities, 0x08);
        EXPECT_EQ(read.settings.ports[end].pfc.relay.longest, Nanos(100'000'000));
        EXPECT_EQ(read.settings.ports[end].pfc.relay.depth, 4);
        EXPECT_EQ(read.settings.ports[end].pfc.relay.limit, 7U);
    }
}

TEST(PauseRelays, NameAPortThatIsThereAndNoTunnel) {
    EXPECT_EQ(only_fault(ports("longest: 1s")),
              "x.yaml:5:63: ports[2].pause_relay.port: is missing; name the port to the gateway");
    EXPECT_EQ(only_fault(ports("port: gx")),
              "x.yaml:5:70: ports[2].pause_relay.port: no port is called \"gx\"; did you mean gw");
    EXPECT_EQ(only_fault(ports("port: far")),
              "x.yaml:5:70: ports[2].pause_relay.port: far is a tunnel; name a port that is none");
    EXPECT_EQ(only_fault(ports("port: wan")),
              "x.yaml:5:70: ports[2].pause_relay.port: wan is below the tunnel; name the port to "
              "the gateway");
}

TEST(PauseRelays, AreWrittenAtTheTunnel) {
    EXPECT_EQ(faults_of(std::string(all_lossless) +
                        "ports: [{device: ring:a, pause_relay: {port: b}}, {name: b, device: "
                        "ring:b}]\n"),
              Lines{"x.yaml:2:39: ports[0].pause_relay: is only valid on a tunnel port; write it "
                    "at the tunnel"});
    EXPECT_EQ(faults_of("defaults: {pause_relay: {port: b}}\n" + one_port).size(), 1U);
}

TEST(PauseRelays, NoPortIsAnEndOfTwo) {
    const std::string two =
        ports("port: gw") +
        "  - {name: other, device: vxlan:wan/192.0.2.3/100, pause_relay: {port: gw}}\n";
    EXPECT_EQ(only_fault(two),
              "x.yaml:6:72: ports[3].pause_relay.port: gw is named by ports[2].pause_relay.port as "
              "well; leave one of them out: a port is an end of only one relay");
}

TEST(PauseRelays, AreOfLosslessPriorities) {
    EXPECT_EQ(only_fault(ports("port: gw, priorities: [3, 5]")),
              "x.yaml:5:90: ports[2].pause_relay.priorities[1]: priority 5 is not lossless at far; "
              "leave it out, or write it in its lossless");
    EXPECT_EQ(only_fault(ports("port: gw, priorities: [4]", ", lossless: [3]")),
              "x.yaml:5:87: ports[2].pause_relay.priorities[0]: priority 4 is not lossless at gw; "
              "leave it out, or write it in its lossless");
    EXPECT_EQ(only_fault(ports("port: gw", ", lossless: [5]")),
              "x.yaml:5:63: ports[2].pause_relay: no priority is lossless at far and at gw; write "
              "lossless: [3] or the like at both");
}

TEST(PauseRelays, AreOfPortsThatObeyPauseFramesByPriority) {
    EXPECT_EQ(only_fault(ports("port: gw", ", pfc: {link_pause: true}")),
              "x.yaml:3:50: ports[0].pfc.link_pause: cannot be combined with a pause relay, which "
              "is by priority; write false");
    EXPECT_EQ(only_fault(ports("port: gw", ", pfc: {by: nic}")),
              "x.yaml:3:42: ports[0].pfc.by: nic cannot be combined with a pause relay, which "
              "receives pause frames; write by: switch");
}

TEST(PauseRelays, BelieveNobodyWhoIsNotKnown) {
    const std::string anybody = "defaults: {lossless: [3]}\n";
    const std::string peer = ", pfc: {peer: 02:00:00:00:00:11}";
    EXPECT_NE(
        only_fault(ports("port: gw", "", peer, anybody)).find("gw accepts pauses from any source"),
        std::string::npos);
    EXPECT_NE(
        only_fault(ports("port: gw", peer, "", anybody)).find("far accepts pauses from any source"),
        std::string::npos);
    EXPECT_EQ(faults_of(ports("port: gw", peer, ", pfc: {strict: true}", anybody)), Lines{});
}

TEST(PauseRelays, AreOfNoPortThatSharesItsFlows) {
    const std::string text =
        ports("port: gw") +
        "  - {name: more, device: ring:c}\naggregations: [{name: both, ports: [gw, more]}]\n";
    EXPECT_NE(only_fault(text).find("gw is a member of both"), std::string::npos);
}

TEST(PauseRelays, AreOfOneWorker) {
    const std::string two = std::string(all_lossless) + "workers: {count: 2}\n";
    EXPECT_EQ(only_fault(ports("port: gw", "", "", two)),
              "x.yaml:6:70: ports[2].pause_relay.port: gw is polled by worker 0, and the tunnel by "
              "worker 1; write worker: 1 at ports[0]");
    EXPECT_EQ(faults_of(ports("port: gw", ", worker: 1", "", two)), Lines{});
}

TEST(PauseRelays, MoveWithTheirPorts) {
    Configuration running = loaded(ports("port: gw"));
    Configuration next =
        loaded(std::string(all_lossless) +
               "ports:\n"
               "  - {name: far, device: vxlan:wan/192.0.2.2/100, pause_relay: {port: gw}}\n"
               "  - {name: gw, device: ring:a}\n"
               "  - {name: wan, device: ring:b, mtu: 1558, underlay: {address: 192.0.2.1/24}}\n");
    EXPECT_EQ(lines_of(take_places(next, running, 0)), Lines{});
    EXPECT_EQ(next.settings.ports[0].pfc.relay.to, 2);
    EXPECT_EQ(next.settings.ports[2].pfc.relay.to, 0);
    EXPECT_EQ(next.settings.ports[1].pfc.relay.to, no_relay);
}

// The place that is free is another worker's.
TEST(PauseRelays, AreOfOneWorkerWhereverTheirPortsFindAPlace) {
    const std::string more =
        std::string(all_lossless) + "workers: {count: 2}\nhotplug: {ports: 4}\n";
    Configuration running = loaded(
        more +
        "ports:\n  - {name: wan, device: ring:b, mtu: 1558, underlay: {address: 192.0.2.1/24}}\n"
        "  - {name: else, device: ring:c}\n"
        "  - {name: far, device: vxlan:wan/192.0.2.2/100}\n");
    add_vacant_places(running);
    Configuration next = loaded(
        more +
        "ports:\n  - {name: wan, device: ring:b, mtu: 1558, underlay: {address: 192.0.2.1/24}}\n"
        "  - {name: else, device: ring:c}\n"
        "  - {name: gw, device: ring:a}\n"
        "  - {name: far, device: vxlan:wan/192.0.2.2/100, pause_relay: {port: gw}}\n");
    EXPECT_EQ(lines_of(take_places(next, running, vacant_places(running))),
              Lines{"x.yaml:8:70: ports[3].pause_relay.port: gw has a port slot of worker 1, and "
                    "the tunnel one of worker 0; write worker: 0 at ports[2]"});
}

}  // namespace
}  // namespace sluice::config
