// Compares the study of PAXI frames with simulated switches: the delay that a switch adds to a
// frame by cut-through and by store-and-forward, each with the study's shortest pipeline (6.4), and
// the delay of switches in a row (6.6).
#include <fmt/format.h>

#include <string>

#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

namespace paxi_forwarding {

constexpr std::string_view source =
    "a study of how an L2 switch treats PAXI frames, 6.4: forwarding";
constexpr double pipeline_ns = 300;
constexpr unsigned in_a_row = 4;
constexpr std::string_view through = "cut_through";
constexpr std::string_view forward = "store_and_forward";
constexpr Bytes shortest{64};

// Frames from the last host of a chain to the first, so few that none waits.
constexpr std::string_view chain = R"(
run: {{time: 100us}}
cable: {{speed: 200G, length: 5m}}
topology:
  chain: {{switches: {}, hosts: 1}}
switch: {{forwarding: {}, latency: 300ns}}
flows:
  - {{from: h0, to: h{}, size: {}B, rate: 1G}}
)";

double delay_ns(std::string_view forwarding, unsigned switches, Bytes frame) {
    const std::string text = fmt::format(chain, switches, forwarding, switches - 1, frame.count());
    return simulate(read_scenario(text, "chain").value()).flows.front().mean_delay_ns;
}

// Returns the delay of one more switch, without its cable.
double added_ns(std::string_view forwarding, Bytes frame) {
    constexpr Cable cable{.speed = paxi::speed};
    return delay_ns(forwarding, 3, frame) - delay_ns(forwarding, 2, frame) -
           static_cast<double>(cable.delay().count()) / 1000;
}

}  // namespace paxi_forwarding

void add_paxi_forwarding(Figures& figures) {
    using namespace paxi_forwarding;
    const auto add = [&](std::string name, double expected, double tolerance, auto measure) {
        figures.push_back({std::move(name), source, expected, tolerance, measure});
    };
    add("Cut-through, pipeline of 300 ns: ns that an idle switch adds to 1406 octets at 200G",
        pipeline_ns, 0.02 * pipeline_ns, [] { return added_ns(through, paxi::standard_frame); });
    add("Cut-through: ns by which it adds less to 64 octets", 0, 0.05,
        [] { return added_ns(through, paxi::standard_frame) - added_ns(through, shortest); });
    add("Store-and-forward, the same pipeline: ns that an idle switch adds to 1406 octets at 200G",
        pipeline_ns + 56.2, 0.5, [] { return added_ns(forward, paxi::standard_frame); });
    constexpr Cable cable{.speed = paxi::speed};
    const double published =
        in_a_row * (static_cast<double>(cable.delay().count()) / 1000 + pipeline_ns) + 56.2;
    add("Cut-through through 4 switches, cables of 5 m: ns, N x (propagation + fixed) + "
        "serialisation",
        published, 0.03 * published,
        [] { return delay_ns(through, in_a_row, paxi::standard_frame); });
}

}  // namespace sluice::sim
