// How long a frame takes over switches that store it or cut through, against the formula of notes
// on an L2 switch under PAXI, which is also that of `sluice calc latency`:
//
//   N x (propagation + fixed) + serialisation          cut-through
//   N x (propagation + fixed + serialisation) + serialisation
//
// with the last cable besides, the preamble in the serialisation, and under cut-through the header
// in what is fixed. At 100 Gb/s over 5 m an octet takes 80 ps and a cable 25.252 ns.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::scenario_of;

constexpr double cable = 25.252;
constexpr double header = 46 * 0.08;

FlowResult flow(const std::string& text) { return simulate(scenario_of(text)).flows.at(0); }

double serialisation(int size) { return (size + 8) * 0.08; }

// The delay over so many switches, of frames that meet no others.
double delay(int switches, const std::string& timing, int size) {
    return flow(fmt::format(R"(
run: {{time: 100us}}
cable: {{speed: 100G}}
topology: {{chain: {{switches: {}, hosts: 2}}}}
switch: {{{}}}
flows: [{{from: h0, to: h{}, size: {}B, rate: 1G}}]
)",
                            switches, timing, 2 * switches - 1, size))
        .mean_delay_ns;
}

TEST(TimingTest, AStoredFrameIsSerialisedOnceMoreAtEachHop) {
    for (int hops = 1; hops <= 3; ++hops) {
        for (const int size : {64, 1406}) {
            EXPECT_DOUBLE_EQ(
                delay(hops, "latency: 300ns", size),
                hops * (cable + 300 + serialisation(size)) + serialisation(size) + cable);
        }
    }
}

TEST(TimingTest, AFrameThatCutsThroughIsSerialisedOnce) {
    for (int hops = 1; hops <= 3; ++hops) {
        for (const int size : {64, 1406}) {
            EXPECT_DOUBLE_EQ(delay(hops, "forwarding: cut_through, latency: 500ns", size),
                             hops * (cable + 500 + header) + serialisation(size) + cable);
        }
    }
}

TEST(TimingTest, TheCrossbarTakesItsTimeAtEachHopAndHoldsNobodyUp) {
    for (int hops = 1; hops <= 3; ++hops) {
        EXPECT_DOUBLE_EQ(delay(hops, "latency: 100ns, crossbar: 40ns", 1406),
                         hops * (cable + 140 + serialisation(1406)) + serialisation(1406) + cable);
    }
    const auto received = [](const std::string& timing) {
        return simulate(scenario_of(R"(
run: {time: 100us, drain: 0}
cable: {speed: 100G}
topology: {star: {hosts: 2}}
switch: {)" + timing + R"(}
flows: [{from: h0, to: h1, size: 1000B}]
)"))
            .flows[0]
            .received;
    };
    EXPECT_EQ(received("crossbar: 816ns") + 10, received("crossbar: 0")) << "ten frame times later";
}

TEST(TimingTest, WithoutLatencyItWaitsForItsHeaderAlone) {
    EXPECT_DOUBLE_EQ(delay(2, "forwarding: cut_through", 1406),
                     2 * (cable + header) + serialisation(1406) + cable);
}

TEST(TimingTest, WhereRoceIsTrustedItWaitsForThePortOfUdp) {
    EXPECT_DOUBLE_EQ(delay(1, "forwarding: cut_through, defaults: {trust: [pcp, roce]}", 1406),
                     cable + header + 4 * 0.08 + serialisation(1406) + cable);
}

// The delay from a host at 100G, if a host at 10G or 400G is at the same switch.
double delay_beside(const std::string& other) {
    return flow(R"(
run: {time: 100us}
cable: {speed: 100G}
switch: {forwarding: cut_through, latency: 500ns}
switches: [{name: s}]
hosts: [{name: h0, switch: s}, {name: h1, switch: s}, {name: h2, switch: s, speed: )" +
                other + R"(}]
flows: [{from: h0, to: h1, size: 1000B, rate: 1G}]
)")
        .mean_delay_ns;
}

TEST(TimingTest, WhereAPortIsFasterThanTheInputFramesAreStored) {
    EXPECT_DOUBLE_EQ(delay_beside("10G"), cable + 500 + header + serialisation(1000) + cable);
    EXPECT_DOUBLE_EQ(delay_beside("400G"), cable + 500 + 2 * serialisation(1000) + cable);
}

TEST(TimingTest, EachSwitchHasItsOwn) {
    EXPECT_DOUBLE_EQ(
        flow(R"(
run: {time: 100us}
cable: {speed: 100G}
switch: {latency: 300ns}
switches: [{name: s, forwarding: cut_through}, {name: t, latency: 800ns}]
links: [{between: [s, t]}]
hosts: [{name: h0, switch: s}, {name: h1, switch: t}]
flows: [{from: h0, to: h1, size: 1000B, rate: 1G}]
)")
            .mean_delay_ns,
        cable + 300 + header + cable + 800 + serialisation(1000) + serialisation(1000) + cable);
}

TEST(TimingTest, AFrameWhoseOutputIsBusyWaitsInTheBuffer) {
    // Both frames come at one moment; the second leaves after the first, as if both were stored.
    const FlowResult result = flow(R"(
run: {time: 1us}
cable: {speed: 100G}
topology: {star: {hosts: 3}}
switch: {forwarding: cut_through}
flows: [{from: [h1, h2], to: h0, size: 1000B, rate: 1G}]
)");
    const double first = cable + header + serialisation(1000) + cable;
    EXPECT_EQ(result.received, 2U);
    EXPECT_DOUBLE_EQ(result.mean_delay_ns, first + 1020 * 0.08 / 2) << "one frame time, for one";
}

// 100G over 5 m; XOFF is reached all the time.
std::string held(const std::string& timing) {
    return R"(
run: {time: 500us}
cable: {speed: 100G}
topology: {star: {hosts: 3}}
switch:
  )" + timing +
           R"(
  defaults: {lossless: [3], pfc: {xoff: 64KiB, xon: 32KiB}}
flows: [{from: [h1, h2], to: h0, priority: 3, size: 1522B}]
)";
}

TEST(TimingTest, TheHeadroomTakesWhatIsInThePipeline) {
    const auto headroom = [](const std::string& timing) {
        return scenario_of(held(timing)).switches[0].settings.ports[0].pfc.headroom.count();
    };
    EXPECT_GE(headroom("latency: 800ns"), headroom("latency: 0") + 10'000) << "800 ns at 100 Gb/s";
    for (const char* timing :
         {"latency: 0", "latency: 800ns", "latency: 100us", "forwarding: cut_through",
          "forwarding: cut_through\n  latency: 800ns", "crossbar: 2us"}) {
        const NetworkResult result = simulate(scenario_of(held(timing)));
        EXPECT_EQ(result.flows[0].lost, 0U) << timing;
        EXPECT_GT(result.ports[1].headroom_used_max, 0U) << timing;
    }
}

TEST(TimingTest, APauseFrameDoesNotWaitForThePipeline) {
    // The pause stops the switch after the frame that it is sending, whatever the latency.
    const auto sent = [](const std::string& latency) {
        return simulate(scenario_of(R"(
run: {time: 20us, drain: 0}
cable: {speed: 100G}
topology: {star: {hosts: 2}}
switch: {defaults: {lossless: [3]}, latency: )" +
                                    latency + R"(}
peers: [{hosts: h1, pauses: {priority: 3, at: 10us, for: 1ms}}]
flows: [{from: h0, to: h1, priority: 3, size: 1522B}]
)"))
            .ports[1]
            .tx_frames;
    };
    // A frame takes 123.36 ns; the first leaves the switch after its wire, a cable and the latency.
    EXPECT_EQ(sent("0"), 81U);
    EXPECT_EQ(sent("1us"), 73U) << "1 us later begun, at the same moment ended";
}

}  // namespace
}  // namespace sluice::sim
