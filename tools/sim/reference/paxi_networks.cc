// The networks of section 7 of the study: A without a switch; B and C with two of them under PFC,
// where three hosts send to one, two of them across the link, so that both are congested.
#include <algorithm>

#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace {

constexpr std::string_view source = "a study of how an L2 switch treats PAXI frames, 7: networks";

// What a frame of the link's format is under way beside its octets and the cable.
double added_without_a_switch() {
    constexpr Bytes frame{1344 + 22 + 8};  // AFH_GEN1, with ICRC and FCS
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

class TwoSwitches {
  public:
    TwoSwitches(Bytes frame, bool ecn) {
        Settings settings = ports_of(3, paxi::speed);
        make_lossless(
            settings,
            {.xoff = Bytes(96 * 1024), .xon = Bytes(64 * 1024), .headroom = Bytes(64 * 1024)});
        if (ecn) {
            for (PortSettings& port : settings.ports) {
                port.ecn[lossless] = {
                    .low = Bytes(48 * 1024), .high = Bytes(96 * 1024), .probability_65536 = 65536};
            }
        }
        set_pool(settings, Bytes(1024 * 1024));
        add_pair(bed_, settings, 2, 2, {.speed = paxi::speed});
        for (std::size_t sender = 0; sender < receiver; ++sender) {
            bed_.add_flow(sender, receiver,
                          {.priority = lossless, .mix = frames_of(frame), .ecn = ecn});
        }
        bed_.host(receiver).on_arrival = [this](const Packet& packet) {
            constexpr std::size_t ecn_at = 19;
            if ((packet.octets[ecn_at] & 3) == 3) ++marked;
        };
        bed_.start();
        bed_.network.run_for(Nanos(20'000));
        const uint64_t before = bed_.host(receiver).sink.received(lossless);
        constexpr Nanos measured{1'000'000};
        bed_.network.run_for(measured);
        const uint64_t frames = bed_.host(receiver).sink.received(lossless) - before;
        const Bytes could_have = Bytes(paxi::speed.count() / 8 / 1000);  // in that time
        efficiency = static_cast<double>(frames) * static_cast<double>(paxi::payload.count()) /
                     static_cast<double>(could_have.count());
        for (std::size_t sender = 0; sender < receiver; ++sender) {
            pauses += bed_.host(sender).pauses_heard.size();
        }
        bed_.drain();
    }

    [[nodiscard]] double missed() const { return static_cast<double>(bed_.missed(lossless)); }

    double efficiency = 0;  // payload, of what the wire carries
    uint64_t marked = 0;
    uint64_t pauses = 0;

  private:
    static constexpr std::size_t receiver = 3;

    Testbed bed_;
};

}  // namespace

void add_paxi_networks(Figures& figures) {
    const auto add = [&](std::string_view name, double expected, double tolerance, auto measure,
                         Relation relation = Relation::about) {
        figures.push_back({.name = std::string(name),
                           .source = source,
                           .expected = expected,
                           .tolerance = tolerance,
                           .measure = measure,
                           .relation = relation});
    };
    constexpr double last_digit = 0.0005;
    add("A, AFH_GEN1 from host to host at full rate: ns beside the wire and the cable", 0, 0,
        added_without_a_switch);
    add("B, AFH_Lite under PFC, 3 hosts to 1: frames lost", 0, 0,
        [] { return TwoSwitches(paxi::lite_frame, false).missed(); });
    add(
        "B, AFH_Lite under PFC, 3 hosts to 1: XOFF and XON at the senders, at least", 1, 0,
        [] { return static_cast<double>(TwoSwitches(paxi::lite_frame, false).pauses); },
        Relation::at_least);
    add("B, AFH_Lite: payload of what the wire carries", 0.988, last_digit,
        [] { return TwoSwitches(paxi::lite_frame, false).efficiency; });
    add("B, Standard: payload of what the wire carries", 0.956, last_digit,
        [] { return TwoSwitches(paxi::standard_frame, false).efficiency; });
    add("C, Standard under PFC and ECN, 3 hosts to 1: frames lost", 0, 0,
        [] { return TwoSwitches(paxi::standard_frame, true).missed(); });
    add(
        "C, Standard under PFC and ECN, 3 hosts to 1: frames marked, at least", 1, 0,
        [] { return static_cast<double>(TwoSwitches(paxi::standard_frame, true).marked); },
        Relation::at_least);
}

}  // namespace sluice::sim
