// Compares simulated incasts, and the shares of a sender's flows, with the numbers that NDP's
// authors publish with their simulator: github.com/nets-cs-pub-ro/NDP, sim/EXAMPLES, incast_scaling
// (figures 20a and 20b of the paper) and in_and_out (figure 21). Each published number is from a
// single run with its own random numbers.
//
// A flow is 30 frames of 9000 octets at 10G, a queue of the last hop has eight frames, and the
// initial permission is 1, 10 or 23 frames. Cables between the racks are fast, so that frames are
// trimmed at the last hop. The authors' fat tree of 8192 hosts spreads each flow over all paths,
// which is not simulated here, so their permutations are not compared.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tools/sim/reference/reference.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

namespace ndp {

constexpr std::string_view source =
    "Handley et al. 2017, Re-architecting datacenter networks and stacks, figures 20 and 21, by "
    "the data of github.com/nets-cs-pub-ro/NDP";

constexpr std::string_view of_all = R"(
cable: {speed: 10G, length: 200m}
switch:
  buffer: {size: 9728KiB, alpha: 1/128}
  defaults: {mtu: 9000, trim: {dscp: {26: 27}, queue: 6, size: 78}, remark: {pcp: {6: 6}}}
)";
constexpr int64_t frame_on_wire = 9020;

// An incast: the frames that may be sent without a pull, and the number of senders. The authors'
// results: `overhead`, how much longer the last flow took than under an optimal protocol, in
// percent; `again`, how often a frame was requested again.
struct Incast {
    int initial;
    int senders;
    double overhead;
    double again;
};
constexpr std::array incasts = {
    Incast{1, 8, 0, 0},          Incast{1, 32, 0.02, 0},     Incast{10, 8, 1.64, 0.288},
    Incast{10, 32, 0.23, 0.329}, Incast{23, 8, 0.50, 0.721}, Incast{23, 32, 1.02, 0.766},
};

FlowResult incast(int initial, int senders) {
    std::string from;
    for (int n = 0; n < senders; ++n) {
        from += fmt::format("{}h{}", n == 0 ? "" : ", ", 20 * (1 + n % 2) + n / 2);
    }
    const std::string text = fmt::format(
        R"(
run: {{time: 20ms}}
topology: {{leaf_spine: {{leaves: 3, hosts: 20, spines: 1, trunk: {{speed: 400G}}}}}}
peers: [{{hosts: all, rate_control: pulls, pulls: {{initial: {}B}}}}]
flows:
  - {{from: [{}], to: h0, pattern: incast, bytes: 270000B, priority: 3, dscp: 26, size: 9000B,
     transport: selective, timeout: 10ms}}
)",
        initial * frame_on_wire, from);
    return simulate(read_scenario(std::string(of_all) + text, "ndp").value()).flows.front();
}

// Returns how much longer the last flow took than the optimum, in percent. The authors' optimum is
// the time of the octets on the wire, and the delay of an empty path, which is measured with one
// flow.
double overhead(const Incast& of) {
    constexpr double alone_on_wire = 30.0 * frame_on_wire * 8 / 10;  // ns
    static const double empty_way = incast(23, 1).max_round_ns - alone_on_wire;
    const double optimum = of.senders * alone_on_wire + empty_way;
    return (incast(of.initial, of.senders).max_round_ns / optimum - 1) * 100;
}

// Returns the throughput of one flow in Gb/s, when A sends to B, C, D and E, and F sends to E.
double shared(std::size_t flow) {
    static const NetworkResult result = [] {
        std::string text = fmt::format(R"(
run: {{time: 20ms, warmup: 5ms}}
topology: {{star: {{hosts: 6}}}}
peers: [{{hosts: all, rate_control: pulls, pulls: {{initial: {}B}}}}]
flows:
)",
                                       23 * frame_on_wire);
        constexpr std::array<std::pair<int, int>, 5> pairs = {
            {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {5, 4}}};
        for (const auto& [from, to] : pairs) {
            text += fmt::format(
                "  - {{from: h{}, to: h{}, priority: 3, dscp: 26, size: 9000B, transport: "
                "selective}}\n",
                from, to);
        }
        return simulate(read_scenario(std::string(of_all) + text, "ndp").value());
    }();
    return result.flows.at(flow).throughput / 1e9;
}

}  // namespace ndp

void add_ndp(Figures& figures) {
    using namespace ndp;
    for (const Incast& of : incasts) {
        const std::string what =
            fmt::format("incast of {}, {} frames unasked", of.senders, of.initial);
        figures.push_back({what + ": percent above the optimum", source, of.overhead, 1,
                           [&of] { return overhead(of); }});
        figures.push_back(
            {what + ": frames requested again, per frame", source, of.again, 0.05, [&of] {
                 const FlowResult flow = incast(of.initial, of.senders);
                 return static_cast<double>(flow.recovery->trimmed) / (30.0 * of.senders);
             }});
    }
    constexpr std::array names = {"A to B", "A to C", "A to D", "A to E", "F to E"};
    constexpr std::array rates = {2.510, 2.514, 2.501, 2.377, 7.552};
    for (std::size_t n = 0; n < names.size(); ++n) {
        figures.push_back({fmt::format("A sends to four, F to one of these: {}, Gb/s", names[n]),
                           source, rates[n], rates[n] / 20, [n] { return shared(n); }});
    }
}

}  // namespace sluice::sim
