// Compares an Internet draft and 802.1Q annex N with a simulated gateway at the far end of a long
// cable: the least reserve with which no frame is lost that arrives after the decision to pause,
// and how much of the reserve these frames used.
#include <fmt/format.h>

#include <algorithm>

#include "dataplane/buffer/headroom.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace he {

constexpr std::string_view draft =
    "draft-he-rtgwg-wan-pfc-00, 3.2: (mean arrival - mean departure) x delay of the pause frame";
constexpr std::string_view annex =
    "IEEE 802.1Q annex N: octets that arrive after the decision to pause, the cable both ways";
constexpr BitsPerSecond arrival{100'000'000'000};
constexpr Bytes frame{1284};  // its length without the FCS fills whole cells

struct Wan {
    int64_t kilometres;
    BitsPerSecond departure;  // rate into the data centre; 0 if the data centre pauses the gateway

    // Returns the cable to the gateway; 0 kilometres mean a cable of a metre.
    [[nodiscard]] Cable cable() const {
        return {arrival, std::max<int64_t>(kilometres * 1'000'000, 1'000)};
    }
    [[nodiscard]] double bound() const {
        return static_cast<double>((arrival - departure).count()) / 8e12 *
               static_cast<double>(cable().delay().count());
    }
    [[nodiscard]] Bytes both_ways() const {
        return headroom_for(in_cells({.speed = arrival,
                                      .cable_millimetres = cable().millimetres,
                                      .mtu = frame,
                                      .port_mtu = frame},
                                     BufferSettings().cell));
    }
};

struct Taken {
    double octets;  // octets of the reserve that were used
    double lost;    // frames
};

Taken run(const Wan& wan, Bytes reserve) {
    const bool flows = wan.departure.count() > 0;
    const BitsPerSecond inside = flows ? wan.departure : arrival;
    Settings settings = ports_of(2, arrival);
    make_lossless(settings, {Bytes(256 * 1024), Bytes(128 * 1024), reserve});
    settings.ports[1].speed = inside;
    settings.ports[1].pfc.headroom = Bytes(64 * 1024);
    set_pool(settings, Bytes(1024 * 1024));
    Testbed bed;
    SwitchNode& gateway = bed.add_switch(settings, {0, 1});
    bed.add_host(gateway.port(0), wan.cable());
    Host& receiver = bed.add_host(gateway.port(1), {.speed = inside});
    bed.add_flow(0, 1, {.priority = lossless, .mix = frames_of(frame)});
    bed.start();
    const Nanos enough = nanos(wan.cable().delay() * 4) + Nanos(200'000);
    if (flows) {
        bed.network.run_for(enough);
    } else {
        bed.run_held(receiver, lossless, enough);
    }
    return {static_cast<double>(gateway.dataplane().ingress(0).group(lossless).headroom_max()),
            static_cast<double>(gateway.drops(Drop::headroom_overrun))};
}

// Returns the least reserve that loses no frame, in octets, exact to a frame.
double least_reserve(const Wan& wan) {
    const int64_t charge = (frame - fcs).count();
    int64_t too_little = 0;
    int64_t enough = wan.both_ways().count() / charge;
    while (enough - too_little > 1) {
        const int64_t middle = (enough + too_little) / 2;
        (run(wan, Bytes(middle * charge)).lost == 0 ? enough : too_little) = middle;
    }
    return static_cast<double>(enough * charge);
}

void add_least(Figures& figures, const Wan& wan, std::string_view rates) {
    const double bound = wan.bound();
    figures.push_back({fmt::format("{} km at 100G, {}: least reserve that loses nothing, "
                                   "octets",
                                   wan.kilometres, rates),
                       draft, bound, 0.03 * bound, [wan] { return least_reserve(wan); }});
}

void add_lost(Figures& figures, std::string_view source, std::string_view with, const Wan& wan,
              Bytes reserve) {
    figures.push_back({fmt::format("{} km at 100G: frames lost with {}", wan.kilometres, with),
                       source, 0, 0, [wan, reserve] { return run(wan, reserve).lost; }});
}

}  // namespace he

void add_he(Figures& figures) {
    using namespace he;
    constexpr Wan near{100, BitsPerSecond(0)};
    constexpr Wan far{1000, BitsPerSecond(0)};
    constexpr Wan at_hand{0, BitsPerSecond(0)};
    add_least(figures, far, "nothing departs");
    add_least(figures, near, "nothing departs");
    add_least(figures, {100, BitsPerSecond(50'000'000'000)}, "departing at 50G");
    for (const Wan& wan : {near, far}) {
        const auto bound = static_cast<int64_t>(wan.bound());
        add_lost(figures, draft, "that reserve", wan, Bytes(bound));
        add_lost(figures, draft, "twice that reserve, as `sluice calc wan-headroom` adds", wan,
                 Bytes(2 * bound));
    }
    figures.push_back({"100 km at 100G: frames lost with the reserve for a metre, at least", draft,
                       1, 0, [near, at_hand] { return run(near, at_hand.both_ways()).lost; },
                       Relation::at_least});
    for (const Wan& wan : {near, far}) {
        add_lost(figures, annex, "the cable counted both ways", wan, wan.both_ways());
        const double both_ways = 2 * wan.bound();
        figures.push_back(
            {fmt::format("{} km at 100G: octets of the reserve in use", wan.kilometres), annex,
             both_ways, 0.03 * both_ways, [wan] { return run(wan, wan.both_ways()).octets; }});
    }
}

}  // namespace sluice::sim
