// Compares the study of PAXI frames with a simulated incast (section 5.5.3): the least buffer that
// loses no frame.
#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace paxi_buffer {

constexpr std::string_view source =
    "a study of how an L2 switch treats PAXI frames, 5.5: shared buffer";
constexpr double by_formula = 1.75e6;  // (8 - 1) x 200G x 10 us
constexpr Picos burst = picos(Nanos(10'000));
constexpr uint32_t any_free = 16384;  // alpha of 128: a queue may take almost the whole pool

struct Incast {
    std::size_t senders;
    uint32_t alpha_128;
};

bool loses_nothing(const Incast& incast, Bytes pool) {
    const std::size_t receiver = incast.senders;
    const Cable cable{.speed = paxi::speed};
    Settings settings = ports_of(incast.senders + 1, paxi::speed);
    settings.buffer.cell = Bytes(1);
    settings.buffer.alpha_128 = incast.alpha_128;
    set_pool(settings, pool);
    std::vector<PortIndex> ways;
    for (PortIndex port = 0; port <= receiver; ++port) ways.push_back(port);
    Testbed bed;
    SwitchNode& node = bed.add_switch(settings, ways);
    for (PortIndex port = 0; port <= receiver; ++port) bed.add_host(node.port(port), cable);
    for (std::size_t sender = 0; sender < incast.senders; ++sender) {
        bed.add_flow(sender, receiver,
                     {.mix = frames_of(paxi::standard_frame),
                      .pace = PaceSettings{.rate = paxi::speed, .stop = burst}});
    }
    bed.start();
    bed.network.run_until(burst);
    bed.drain();
    return bed.dropped() == 0;
}

// Returns the least pool that loses no frame, in octets, to the nearest hundred.
double least_pool(const Incast& incast) {
    int64_t too_little = 0;
    int64_t enough = 40'000;  // hundreds
    while (enough - too_little > 1) {
        const int64_t middle = (enough + too_little) / 2;
        (loses_nothing(incast, Bytes(middle * 100)) ? enough : too_little) = middle;
    }
    return static_cast<double>(enough * 100);
}

void add(Figures& figures, std::string_view name, const Incast& incast) {
    figures.push_back({"Incast at 200G for 10 us, " + std::string(name) +
                           ": least shared buffer that loses nothing, octets",
                       source, by_formula, 0.02 * by_formula,
                       [incast] { return least_pool(incast); }});
}

}  // namespace paxi_buffer

void add_paxi_buffer(Figures& figures) {
    using namespace paxi_buffer;
    add(figures, "8 hosts to a ninth", {8, any_free});
    add(figures, "7 hosts to the eighth", {7, any_free});
    add(figures, "8 hosts to a ninth, alpha 2", {8, 2 * 128});
}

}  // namespace sluice::sim
