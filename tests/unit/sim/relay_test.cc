// Pauses relayed over a WAN, by the dataplane that relays them in the switch: a host behind one
// provider edge sends to one behind a gateway at the other, which is stuck.
//
//   far -- pe1 ======== WAN ======== pe2 -- gw -- stuck
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

// Light takes 1 ms for 198 km. A relay delay is that, and 50 us at each provider edge for a frame
// that a pause waits for, and for frames that the edge still forwards.
struct Wan {
    int64_t milliseconds;

    [[nodiscard]] int64_t kilometres() const { return 198 * milliseconds; }
    [[nodiscard]] int64_t microseconds() const { return 1000 * milliseconds + 50; }
};

// At 1 Gb/s; cells of 16 octets add nothing to frames. `percent` of the reserve that the delay
// needs is configured. The edges lose no frames: their cables are as long as the WAN.
std::string across(const Wan& wan, int64_t percent = 100, const std::string& relay = "[0, 1]") {
    return fmt::format(R"(
run: {{time: {time}ms, drain: {time}ms}}
cable: {{speed: 1G}}
switch:
  defaults: {{lossless: [3]}}
  buffer: {{size: 64MiB, cell: 16}}
switches:
  - {{name: pe1, ports: 2, pause_relay: {relay}}}
  - {{name: pe2, ports: 2, pause_relay: [0, 1]}}
  - {{name: gw, ports: [{{pfc: {{relay_delay: {reserve}us}}}}, {{}}]}}
hosts:
  - {{name: far, switch: pe1, port: 0}}
  - {{name: stuck, switch: gw, port: 1}}
links:
  - {{between: [pe1, pe2], ports: [1, 0], length: {length}km}}
  - {{between: [pe2, gw], ports: [1, 0]}}
peers: [{{hosts: stuck, pauses: {{priority: 3, at: 1ms, for: {held}ms}}}}]
flows: [{{from: far, to: stuck, priority: 3}}]
)",
                       fmt::arg("time", 6 * wan.milliseconds + 20), fmt::arg("relay", relay),
                       fmt::arg("reserve", wan.microseconds() * percent / 100),
                       fmt::arg("length", wan.kilometres()),
                       fmt::arg("held", 4 * wan.milliseconds + 10));
}

const PortResult& port_of(const NetworkResult& result, std::string_view node,
                          std::string_view port) {
    return *std::ranges::find_if(
        result.ports, [&](const PortResult& of) { return of.node == node && of.port == port; });
}

class AcrossAWan : public testing::TestWithParam<Wan> {};

TEST_P(AcrossAWan, NothingIsLostWithTheReserveThatTheDelayAsksFor) {
    const NetworkResult result = run(across(GetParam()));
    const FlowResult& flow = result.flows[0];
    EXPECT_EQ(flow.lost, 0U);
    EXPECT_EQ(flow.received, flow.sent);
    for (const PortResult& port : result.ports) {
        EXPECT_TRUE(port.drops.empty()) << port.node << ' ' << port.port;
    }
    const PortResult& gateway = port_of(result, "gw", "p0");
    EXPECT_LE(gateway.headroom_used_max, gateway.headroom);
    EXPECT_GT(gateway.headroom_used_max, gateway.headroom * 9 / 10) << "and it is not too much";
    EXPECT_TRUE(result.balanced());
}

TEST_P(AcrossAWan, LessLosesFrames) {
    const NetworkResult result = run(across(GetParam(), 80));
    EXPECT_GT(result.flows[0].lost, 0U);
    const PortResult& gateway = port_of(result, "gw", "p0");
    EXPECT_EQ(gateway.drops.at("headroom_overrun"), result.flows[0].lost);
}

// The bound of draft-he-rtgwg-wan-pfc-00 counts the delay once.
TEST_P(AcrossAWan, TheBoundOfTheDraftLosesWhatIsUnderWay) {
    const NetworkResult result = run(across(GetParam(), 50));
    const double under_way = static_cast<double>(GetParam().milliseconds) * 125'000 / 1542;
    EXPECT_NEAR(static_cast<double>(result.flows[0].lost), under_way, 0.05 * under_way + 5);
}

INSTANTIATE_TEST_SUITE_P(Milliseconds, AcrossAWan, testing::Values(Wan{1}, Wan{10}, Wan{50}),
                         [](const auto& instance) {
                             return std::to_string(instance.param.milliseconds);
                         });

TEST(Relay, PausesTheHostAtTheFarEndAndNobodyBetween) {
    const NetworkResult result = run(across({10}));
    EXPECT_GT(port_of(result, "pe2", "p1").rx_pause, 0U);
    EXPECT_EQ(port_of(result, "pe2", "p1").paused_ns, 0U) << "it goes on to the gateway";
    EXPECT_GT(port_of(result, "pe2", "p0").tx_pause, 0U) << "across the WAN";
    EXPECT_EQ(port_of(result, "pe1", "p1").paused_ns, 0U);
    const PortResult& near_far = port_of(result, "pe1", "p0");
    EXPECT_GT(near_far.tx_pause, 0U);
    // Held for as long as the gateway holds, give or take a frame.
    const auto gateway = static_cast<double>(port_of(result, "gw", "p0").pausing_ns);
    EXPECT_NEAR(static_cast<double>(near_far.pausing_ns), gateway, 100'000);
}

TEST(Relay, TheSameScenarioGivesTheSameResult) {
    const std::string text = across({10}, 80);
    EXPECT_EQ(run(text).flows[0].lost, run(text).flows[0].lost);
    EXPECT_EQ(run(text).events, run(text).events);
}

// Twice round the earth.
TEST(Relay, CablesAreUpToFortyThousandKilometresLong) {
    const NetworkResult result = run(R"(
run: {time: 1ms, drain: 500ms}
cable: {speed: 1G, length: 40000km}
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1}]
)");
    EXPECT_EQ(result.flows[0].received, result.flows[0].sent);
    EXPECT_NEAR(result.flows[0].mean_delay_ns, 2 * 202'020'202.0, 50'000);
}

std::string fault_of(const std::string& text) {
    const auto read = read_scenario(text, "x.yaml");
    if (read || read.error().size() != 1) return read ? "none" : "several";
    return config::to_string(read.error().front());
}

TEST(Relay, IsOfTwoPortsWhosePeersCanBePaused) {
    const auto refused = [](const std::string& relay) { return fault_of(across({1}, 100, relay)); };
    EXPECT_EQ(refused("[0]"),
              "x.yaml:8:40: switches[0].pause_relay: is not two ports; write two of 0 to 63, as "
              "[1, 2]");
    EXPECT_EQ(refused("[1, 1]"),
              "x.yaml:8:40: switches[0].pause_relay: is one port twice; name the ports of two "
              "cables");
    EXPECT_EQ(refused("[0, 2]"),
              "x.yaml:8:40: switches[0].pause_relay: port 2 of pe1 has no cable; name the ports of "
              "two cables");
}

}  // namespace
}  // namespace sluice::sim
