// Compares the switch's Dynamic Threshold with its paper: the share of the buffer that one hot
// queue, or each of two hot queues, takes. Each queue is filled by an input of its own, which is
// ten times as fast as the output.
#include <fmt/format.h>

#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace choudhury {

constexpr std::string_view source =
    "Choudhury and Hahne 1998, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches";
constexpr Bytes pool{4 * 1024 * 1024};
constexpr Bytes frame{1028};  // its length without the FCS fills whole cells

// Returns the largest share of the pool that was used, divided by the number of queues.
double share_taken(uint32_t alpha_128, PortIndex queues) {
    constexpr BitsPerSecond fast{100'000'000'000};
    constexpr BitsPerSecond slow{10'000'000'000};
    const PortIndex output = queues;
    Settings settings = ports_of(queues + std::size_t{1}, fast);
    settings.ports[output].speed = slow;
    settings.buffer.alpha_128 = alpha_128;
    set_pool(settings, pool);
    std::vector<PortIndex> ways;
    for (PortIndex port = 0; port <= output; ++port) ways.push_back(port);
    Testbed bed;
    SwitchNode& node = bed.add_switch(settings, ways);
    for (PortIndex port = 0; port < output; ++port) bed.add_host(node.port(port), {.speed = fast});
    bed.add_host(node.port(output), {.speed = slow});
    for (PortIndex input = 0; input < queues; ++input) {
        bed.add_flow(input, output, {.mix = frames_of(frame)});
    }
    bed.start();
    bed.network.run_for(Nanos(1'000'000));
    return static_cast<double>(node.dataplane().pool().shards()[0].max_used()) /
           static_cast<double>(pool.count()) / queues;
}

}  // namespace choudhury

void add_choudhury(Figures& figures) {
    using namespace choudhury;
    for (const PortIndex queues : {PortIndex{1}, PortIndex{2}}) {
        for (const uint32_t alpha_128 : {64U, 128U, 256U, 512U, 1024U}) {
            const double alpha = alpha_128 / 128.0;
            const std::string_view label = queues == 1 ? "one hot queue: its share of the buffer, "
                                                         "alpha/(1 + alpha)"
                                                       : "two hot queues: the share of each, "
                                                         "alpha/(1 + 2 alpha)";
            figures.push_back({fmt::format("Dynamic Threshold, alpha {}, {}", alpha, label), source,
                               alpha / (1 + queues * alpha), 0.002,
                               [alpha_128, queues] { return share_taken(alpha_128, queues); }});
        }
    }
}

}  // namespace sluice::sim
