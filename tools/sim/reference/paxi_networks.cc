// Compares the networks of section 7 of the study of PAXI frames with simulated ones. Network A has
// no switch. B and C have two switches under PFC: three hosts send to one, two of them across the
// link, so that both switches are congested.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

namespace paxi_networks {

constexpr std::string_view source = "a study of how an L2 switch treats PAXI frames, 7: networks";

// Returns the delay of a frame between two hosts without a switch, less the time of the frame's
// octets and of the cable.
double added_without_a_switch() {
    constexpr Bytes frame{1344 + 22 + 8};  // AFH_GEN1, ICRC and FCS
    constexpr Cable cable{.speed = paxi::speed};
    Testbed bed;
    Host& sender = bed.add_host(cable);
    Host& receiver = bed.add_host(cable);
    connect(sender, receiver, cable);
    bed.add_flow(0, 1, {.mix = frames_of(frame)});
    Picos longest;
    receiver.on_arrival = [&](const Packet& packet) {
        longest = std::max(longest, bed.network.now() - packet.begun);
    };
    bed.start();
    bed.network.run_for(Nanos(100'000));
    const Picos alone = cable.time_of(frame + preamble) + cable.delay();
    return static_cast<double>((longest - alone).count()) / 1000;
}

// AFH_Lite has no tag, so the ports' default priority applies. A queue begins to mark at half of
// the level at which the port pauses, and marks every frame from 80 % of that level on.
constexpr std::string_view two_switches = R"(
run: {{time: 5ms, warmup: 20us}}
cable: {{speed: 200G, length: 5m}}
topology:
  chain: {{switches: 2, hosts: 2}}
switch:
  defaults:
    lossless: [3]
    default_priority: 3
    pfc: {{xoff: 96KiB, xon: 64KiB, response: 2us}}
    ecn: {{3: {{low: 48KiB, high: 77KiB, probability: 1}}}}
peers:
  - {{hosts: all, rate_control: {}}}
flows:
  - {{from: [h0, h1, h2], to: h3, {}}}
)";
constexpr std::string_view lite = "format: afh_lite";
constexpr std::string_view standard = "format: standard, priority: 3, ecn: true";

NetworkResult run(std::string_view frames, std::string_view rate_control = "none") {
    const std::string text = fmt::format(two_switches, rate_control, frames);
    return simulate(read_scenario(text, "networks").value());
}

// Returns the number of frames that were lost, did not arrive before the end, or arrived out of
// order.
double missed(const NetworkResult& result) {
    const FlowResult& flow = result.flows.front();
    return static_cast<double>(flow.lost + flow.waiting + result.disordered);
}
double pauses(const NetworkResult& result) {
    uint64_t count = 0;
    for (const PortResult& port : result.ports) count += port.tx_pause;
    return static_cast<double>(count);
}
// Returns the payload as a share of the wire's rate.
double efficiency(const NetworkResult& result, Bytes frame) {
    return result.flows.front().throughput * static_cast<double>(paxi::payload.count()) /
           static_cast<double>(frame.count()) / static_cast<double>(paxi::speed.count());
}

}  // namespace paxi_networks

void add_paxi_networks(Figures& figures) {
    using namespace paxi_networks;
    const auto add = [&](std::string_view name, double expected, double tolerance, auto measure,
                         Relation relation = Relation::about) {
        figures.push_back({std::string(name), source, expected, tolerance, measure, relation});
    };
    constexpr double last_digit = 0.0005;
    add("A, AFH_GEN1 from host to host at full rate: ns beside the wire and the cable", 0, 0,
        added_without_a_switch);
    add("B, AFH_Lite under PFC, 3 hosts to 1: frames lost", 0, 0, [] { return missed(run(lite)); });
    add(
        "B, AFH_Lite under PFC, 3 hosts to 1: XOFFs, at least", 1, 0,
        [] { return pauses(run(lite)); }, Relation::at_least);
    add("B, AFH_Lite: payload of what the wire carries", 0.988, last_digit,
        [] { return efficiency(run(lite), paxi::lite_frame); });
    add("B, Standard: payload of what the wire carries", 0.956, last_digit,
        [] { return efficiency(run(standard), paxi::standard_frame); });
    add("C, Standard under PFC and ECN, senders under DCQCN: frames lost", 0, 0,
        [] { return missed(run(standard, "dcqcn")); });
    add(
        "C, Standard under PFC and ECN, senders under DCQCN: frames marked, at least", 1, 0,
        [] { return static_cast<double>(run(standard, "dcqcn").flows.front().marked); },
        Relation::at_least);
    add(
        "C, Standard under PFC and ECN: XOFFs with DCQCN for each without, at most", 1, 0,
        [] { return pauses(run(standard, "dcqcn")) / pauses(run(standard)); }, Relation::at_most);
}

}  // namespace sluice::sim
