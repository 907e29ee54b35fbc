// Scenarios whose cables have credit, or no flow control at all, beside PFC.
#include "tools/sim/scenario/flow_control.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

std::string faults_of(const std::string& text) {
    const auto read = read_scenario(text, "test.yaml");
    std::string all;
    if (!read) {
        for (const config::Fault& fault : read.error()) all += config::to_string(fault) + '\n';
    }
    return all;
}

// Three to one across two switches; the link between them is 10 km.
std::string chain(const std::string& cable, int64_t shortest = 1500) {
    return fmt::format(R"(
run: {{time: 4ms, warmup: 1ms}}
cable: {{speed: 10G, length: 5m, {}}}
switch: {{defaults: {{lossless: [3]}}}}
switches: [{{name: s}}, {{name: t}}]
hosts:
  - {{name: a, switch: s}}
  - {{name: b, switch: s}}
  - {{name: c, switch: t}}
  - {{name: d, switch: t}}
links: [{{between: [s, t], length: 10km}}]
flows: [{{from: [a, b, c], to: d, priority: 3, size: {}B, size_to: 1522B}}]
)",
                       cable, shortest);
}

TEST(FlowControlTest, NeedsNoHeadroomOfPfc) {
    for (const char* kind : {"credit", "none"}) {
        const NetworkResult result = run(fmt::format(R"(
run: {{time: 10us}}
cable: {{speed: 100G, flow_control: {}}}
topology: {{star: {{hosts: 64}}}}
switch: {{defaults: {{lossless: [3]}}}}
flows: [{{from: all, to: h0, priority: 3}}]
)",
                                                     kind));
        ASSERT_EQ(result.flows.size(), 1U) << kind;
        EXPECT_GT(result.flows[0].received, 0U) << kind;
    }
}

TEST(FlowControlTest, CreditLosesNothingAndKeepsTheWireBusy) {
    for (const int64_t shortest : {64, 1522}) {
        const NetworkResult result = run(chain("flow_control: credit", shortest));
        const FlowResult& flow = result.flows[0];
        EXPECT_EQ(flow.sent, flow.received);
        EXPECT_EQ(flow.lost + flow.waiting, 0U);
        EXPECT_EQ(result.disordered, 0U);
        EXPECT_TRUE(result.balanced());
        if (shortest == 1522) {
            EXPECT_NEAR(flow.throughput, 10e9 * 1522 / 1542, 1e7);
        }
        for (const PortResult& port : result.ports) {
            EXPECT_EQ(port.rx_pause + port.tx_pause, 0U) << port.node << port.port;
            const bool sends_in = port.peer != "d" && (port.node != "s" || port.peer != "t");
            EXPECT_EQ(port.credit_returned > 0, sends_in) << port.node << port.port;
            EXPECT_EQ(port.stalling_ns > 0, sends_in) << port.node << port.port;
        }
    }
}

TEST(FlowControlTest, ThePfcOfTheSameLinkDeliversTheSame) {
    const FlowResult credit = run(chain("flow_control: credit")).flows[0];
    const FlowResult pfc = run(chain("flow_control: pfc")).flows[0];
    EXPECT_EQ(pfc.lost, 0U);
    EXPECT_NEAR(credit.throughput, pfc.throughput, pfc.throughput / 500);
}

TEST(FlowControlTest, WithoutAnyFramesAreLost) {
    const NetworkResult result = run(R"(
run: {time: 4ms}
topology: {star: {hosts: 4}}
cable: {flow_control: none}
switch: {defaults: {lossless: [3]}, buffer: {size: 1MiB}}
flows: [{from: all, to: h0, priority: 3}]
)");
    EXPECT_GT(result.flows[0].lost, 100U);
    for (const PortResult& port : result.ports) EXPECT_EQ(port.tx_pause, 0U);
}

// One flow over 10 km: 50.505 us each way, 126 KB in flight and in credit at 10 Gb/s.
TEST(FlowControlTest, HalfTheBufferIsHalfTheThroughput) {
    const auto throughput = [](const std::string& buffer) {
        const NetworkResult result = run(fmt::format(R"(
run: {{time: 4ms, warmup: 1ms}}
cable: {{speed: 10G, flow_control: credit}}
switch: {{defaults: {{lossless: [3]}}, buffer: {{cell: 1B}}}}
switches: [{{name: s}}, {{name: t}}]
hosts: [{{name: a, switch: s}}, {{name: b, switch: t}}]
links: [{{between: [s, t], length: 10km, credit: {{buffer: {}}}}}]
flows: [{{from: a, to: b, priority: 3, size: 1504B}}]
)",
                                                     buffer));
        EXPECT_EQ(result.flows[0].lost + result.flows[0].waiting, 0U);
        return result.flows[0].throughput / 10e9 * 1524 / 1504;
    };
    // A loop is 101.01 us of cable and 2 x 1.21 us of frame: in it go 84.8 frames of 1.2192 us.
    EXPECT_NEAR(throughput("127500B"), 1, 0.001) << "85 frames of 1500 octets";
    EXPECT_NEAR(throughput("126000B"), 84 / 84.8, 0.003);
    EXPECT_NEAR(throughput("63000B"), 42 / 84.8, 0.003);
}

// The same flow with the credit that the cable needs; `credit` is how it is written.
FlowResult over_10_km(const std::string& credit) {
    const NetworkResult result = run(fmt::format(R"(
run: {{time: 10ms, warmup: 1ms}}
cable: {{speed: 10G, flow_control: credit}}
switch: {{defaults: {{lossless: [3]}}, buffer: {{cell: 1B}}}}
switches: [{{name: s}}, {{name: t}}]
hosts: [{{name: a, switch: s}}, {{name: b, switch: t}}]
links: [{{between: [s, t], length: 10km, credit: {{{}}}}}]
flows: [{{from: a, to: b, priority: 3, size: 1504B}}]
)",
                                                 credit));
    EXPECT_TRUE(result.balanced());
    return result.flows[0];
}

TEST(FlowControlTest, WhatIsLostOfCreditIsMadeGoodAtFullRate) {
    constexpr double full = 10e9 * 1504 / 1524;
    for (const char* credit : {"quantum: 6000B", "quantum: 6000B, lost: 0.01", "lost: 0.01"}) {
        const FlowResult flow = over_10_km(credit);
        EXPECT_NEAR(flow.throughput, full, full / 1000) << credit;
        EXPECT_EQ(flow.lost + flow.waiting, 0U) << credit;
    }
    const FlowResult most_lost = over_10_km("quantum: 6000B, lost: 0.9");
    EXPECT_LT(most_lost.throughput, full * 0.9);
    EXPECT_EQ(most_lost.lost + most_lost.waiting, 0U);
}

// There is credit for two frames: if both updates of it are lost, no frame comes before the
// refresh.
TEST(FlowControlTest, TheRefreshMakesGoodWhatNothingElseDoes) {
    const FlowResult soon = over_10_km("buffer: 3100B, quantum: 1500B, lost: 0.5, refresh: 10us");
    const FlowResult late = over_10_km("buffer: 3100B, quantum: 1500B, lost: 0.5, refresh: 500us");
    EXPECT_GT(soon.throughput, 1.5 * late.throughput);
    EXPECT_GT(late.received, 0U);
    EXPECT_EQ(soon.lost + soon.waiting + late.lost + late.waiting, 0U);
}

TEST(FlowControlTest, AHostThatHoldsGivesNoCreditBack) {
    const NetworkResult result = run(R"(
run: {time: 3ms}
topology: {star: {hosts: 2}}
cable: {flow_control: credit}
switch: {defaults: {lossless: [3]}}
peers: [{hosts: h1, pauses: {priority: 3, at: 1ms, for: 1ms}}]
flows: [{from: h0, to: h1, priority: 3, size: 1522B}]
)");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_NEAR(result.flows[0].throughput, 2.0 / 3 * 10e9 * 1522 / 1542, 3e7);
    EXPECT_NEAR(static_cast<double>(result.ports[1].stalled_ns), 1e6, 1e4);
    EXPECT_EQ(result.ports[1].rx_pause, 0U);
}

TEST(FlowControlTest, ALossyPriorityNeedsNoCreditAndGoesOn) {
    const NetworkResult result = run(R"(
run: {time: 2ms}
topology: {star: {hosts: 2}}
cable: {flow_control: credit}
switch: {defaults: {lossless: [3]}}
peers: [{hosts: h1, pauses: {priority: 3, at: 0s, for: 2ms}}]
flows:
  - {from: h0, to: h1, priority: 3, size: 1522B, rate: 4G}
  - {from: h0, to: h1, priority: 0, size: 1522B, rate: 4G}
)");
    EXPECT_LT(result.flows[0].throughput, 1e8);
    EXPECT_NEAR(result.flows[1].throughput, 4e9 * 1522 / 1542, 1e8);
}

TEST(FlowControlTest, EachCableMayHaveItsOwn) {
    const NetworkScenario scenario = scenario_of(R"(
switch: {defaults: {lossless: [3]}}
switches: [{name: s}, {name: t}]
hosts:
  - {name: a, switch: s, flow_control: credit, credit: {buffer: 8KiB}}
  - {name: b, switch: t}
links: [{between: [s, t], flow_control: none}]
flows: [{from: a, to: b}]
)");
    const auto& ports = scenario.switches[0].settings.ports;
    EXPECT_EQ(ports[0].pfc.lossless, 0x08);
    EXPECT_EQ(ports[0].pfc.headroom, Bytes(0));
    EXPECT_EQ(terms_into_port(scenario.switches[0], 0, scenario.hosts[0].cable).buffer,
              Bytes(8192));
    EXPECT_EQ(ports[1].pfc.lossless, 0);
    const PfcSettings& pfc = scenario.switches[1].settings.ports[0].pfc;
    EXPECT_EQ(pfc.lossless, 0x08);
    EXPECT_GT(pfc.headroom, Bytes(0));
}

TEST(FlowControlTest, FaultsNameWhatIsWrong) {
    EXPECT_EQ(
        faults_of("cable: {flow_control: cedit}\ntopology: {star: {hosts: 2}}\nflows: []\n"),
        "test.yaml:1:23: cable.flow_control: \"cedit\" is not one of pfc, credit, none; write "
        "pfc or credit or none\n");
    EXPECT_EQ(faults_of("cable: {flow_control: credit, credit: {buffer: 1KiB}}\n"
                        "topology: {star: {hosts: 2}}\nflows: []\n"),
              "test.yaml:1:8: cable: has a credit.buffer of 1KiB at s0, below the longest frame; "
              "write 1536B or more, or remove it to use what the cable needs\n");
    EXPECT_EQ(faults_of("switches: [{name: s}]\n"
                        "hosts: [{name: a, switch: s, credit: {buffer: 4KiB}}]\nflows: []\n"),
              "test.yaml:2:38: hosts[0].credit: is only valid with flow_control: credit; write "
              "that, or remove it\n");
    EXPECT_EQ(
        faults_of("cable: {flow_control: credit, credit: {buffer: 4KiB, quantum: 4KiB}}\n"
                  "topology: {star: {hosts: 2}}\nflows: []\n"),
        "test.yaml:1:8: cable: has a credit.buffer of 4KiB at s0, below the longest frame and a "
        "credit.quantum; write 5632B or more, or remove it to use what the cable needs\n");
    EXPECT_EQ(faults_of("cable: {flow_control: credit, length: 100km, speed: 100G}\n"
                        "switch: {defaults: {lossless: [3]}}\n"
                        "topology: {star: {hosts: 2}}\nflows: []\n")
                  .substr(0, 81),
              "test.yaml:2:9: switch: a buffer.size of 16MiB leaves nothing to share at s0: cred");
}

// Returns the fault in a chain of two switches with credit.
std::string fault_of_mapping(const std::string& defaults) {
    const std::string all = faults_of(
        "cable: {flow_control: credit}\ntopology: {chain: {switches: 2, hosts: 1}}\n"
        "switch: {defaults: {lossless: [3], " +
        defaults + "}}\nflows: [{from: h0, to: h1, priority: 3}]\n");
    return all.substr(0, all.find(';'));
}

TEST(FlowControlTest, NoMappingTakesAFrameWithoutCreditToALosslessPriority) {
    const auto of_two = [](const std::string& first, const std::string& second) {
        const std::string all = faults_of(
            "cable: {flow_control: credit}\n"
            "switches:\n  - {name: s0, ports: 2, defaults: {lossless: [3], " +
            first + "}}\n  - {name: s1, ports: 2, defaults: {lossless: [3], " + second +
            "}}\nhosts: [{name: h0, switch: s0}, {name: h1, switch: s1}]\n"
            "links: [{between: [s0, s1]}]\nflows: [{from: h0, to: h1, priority: 3}]\n");
        return all.substr(0, all.find(';'));
    };
    EXPECT_EQ(of_two("trust: [pcp]", "pcp_to_priority: [0, 1, 2, 3, 3, 5, 6, 7]"),
              "test.yaml:3:3: switches: p1 of s1 maps frames with PCP 4 to lossless priority 3, "
              "but the peer sends them on credit of priority 4");
    EXPECT_EQ(fault_of_mapping("pcp_to_priority: [0, 1, 2, 3, 3, 5, 6, 7]"), "")
        << "hosts spend as their port maps, and one switch as the other";
    EXPECT_EQ(fault_of_mapping("trust: [dscp], dscp_to_priority: {0: 3}"), "");
    EXPECT_EQ(fault_of_mapping("default_priority: 3"), "");
}

TEST(FlowControlTest, AHostSpendsTheCreditOfWhatItsPortMapsItsFramesTo) {
    const NetworkResult result = test::run(R"(
run: {time: 1ms}
cable: {flow_control: credit, length: 1km}
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3], pcp_to_priority: [0, 1, 2, 3, 4, 3, 6, 7]}}
flows: [{from: [h1, h2], to: h0, priority: 5}]
)");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_GT(result.flows[0].received, 700U);
    EXPECT_GT(result.ports[1].stalling_ns, 0U) << "h1 waits for credit";
}

TEST(FlowControlTest, WhatASwitchRemarksKeepsItsCredit) {
    EXPECT_EQ(fault_of_mapping("remark: {pcp: {1: 3}}"),
              "test.yaml:3:9: switch: p1 of s1 maps frames with PCP 3 to lossless priority 3, but "
              "the peer sends them on credit of priority 1");
}

}  // namespace
}  // namespace sluice::sim
