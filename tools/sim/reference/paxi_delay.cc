// Compares the study of PAXI frames with simulated delays: on a wire (6.3), through an idle switch
// (6.4), and in the queue of a switch (6.5).
//
// The study counts only the octets of frames. On a wire each frame also has a preamble of 8 and a
// gap of 12 octets, and none is shorter than 64.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace paxi_delay {

constexpr std::string_view source = "a study of how an L2 switch treats PAXI frames, 6: delay";
constexpr Bytes shortest{64};

double in_ns(Picos time) { return static_cast<double>(time.count()) / 1000; }

// Returns the time from host to host over a cable of length 0, without a switch.
Picos on_the_wire(Bytes frame, BitsPerSecond speed) {
    const Cable cable{.speed = speed, .millimetres = 0};
    Testbed bed;
    Host& sender = bed.add_host(cable);
    Host& receiver = bed.add_host(cable);
    connect(sender, receiver, cable);
    bed.add_flow(0, 1, {.script = {frame.count()}, .stops_after_script = true});
    Picos took;
    receiver.on_arrival = [&](const Packet& packet) { took = bed.network.now() - packet.begun; };
    bed.start();
    bed.drain();
    return took;
}

struct Row {
    std::string_view label;
    Bytes frame;
    std::array<double, 3> ns;
};
constexpr std::array<int64_t, 3> speeds = {100, 200, 400};
constexpr std::array rows = {
    Row{"TYPE1 REQ, Standard with VLAN, 1406 octets", paxi::standard_frame, {112.5, 56.2, 28.1}},
    Row{"TYPE1 REQ, AFH_Lite, 1360 octets", paxi::lite_frame, {108.8, 54.4, 27.2}},
    Row{"TYPE1 ACK, Standard with VLAN, 54 octets, padded to 64", Bytes(54), {4.3, 2.2, 1.1}},
    Row{"TYPE1 ACK, AFH_GEN1, 26 octets, padded to 64", Bytes(26), {2.1, 1.0, 0.5}},
};
constexpr double last_digit = 0.05;  // precision of the published value

void add_serialisation(Figures& figures) {
    for (const Row& row : rows) {
        for (std::size_t n = 0; n < speeds.size(); ++n) {
            const BitsPerSecond speed(speeds[n] * 1'000'000'000);
            const Bytes frame = std::max(row.frame, shortest);
            figures.push_back({fmt::format("{}, {}G: ns on the wire", row.label, speeds[n]), source,
                               row.ns[n], last_digit, [frame, speed] {
                                   const Picos preamble_takes =
                                       octet_time(speed) * preamble.count();
                                   return in_ns(on_the_wire(frame, speed) - preamble_takes);
                               }});
        }
    }
    figures.push_back({fmt::format("{}, 100G: ns on the wire, preamble counted", rows[0].label),
                       source, rows[0].ns[0], last_digit, [] {
                           return in_ns(on_the_wire(rows[0].frame, BitsPerSecond(100'000'000'000)));
                       }});
}

// Returns the delay that each of two idle switches adds.
Picos added_by_a_switch(Bytes frame) {
    const Cable cable{.speed = paxi::speed, .millimetres = 0};
    Testbed bed;
    add_pair(bed, ports_of(2, paxi::speed), 1, 1, cable);
    bed.add_flow(0, 1, {.script = {frame.count()}, .stops_after_script = true});
    Picos took;
    bed.host(1).on_arrival = [&](const Packet& packet) { took = bed.network.now() - packet.begun; };
    bed.start();
    bed.drain();
    return (took - on_the_wire(frame, paxi::speed)) / 2;
}

struct Queueing {
    double mean_wait_ns;
    double mean_length;
};

// Simulates `senders` hosts that send to one host, until that host has received `frames` frames.
Queueing queue_of(PortIndex senders, const PaceSettings& pace, uint64_t frames) {
    constexpr uint64_t unsettled = 20'000;
    constexpr Nanos between_looks{1'009};
    const Cable cable{.speed = paxi::speed, .millimetres = 0};
    Testbed bed;
    std::vector<PortIndex> ways;
    for (PortIndex port = 0; port <= senders; ++port) ways.push_back(port);
    SwitchNode& node = bed.add_switch(ports_of(ways.size(), paxi::speed), ways);
    for (PortIndex port = 0; port <= senders; ++port) bed.add_host(node.port(port), cable);
    for (PortIndex sender = 0; sender < senders; ++sender) {
        bed.add_flow(sender, senders, {.mix = frames_of(paxi::standard_frame), .pace = pace});
    }
    const Picos alone = cable.time_of(paxi::standard_frame + preamble) * 2;
    uint64_t arrived = 0;
    Picos waited;
    bed.host(senders).on_arrival = [&](const Packet& packet) {
        if (++arrived > unsettled) waited += bed.network.now() - packet.begun - alone;
    };
    const auto waiting = [&] {
        uint64_t received = 0;
        for (PortIndex port = 0; port < senders; ++port) {
            received += node.dataplane().counters(port).rx_frames.value();
        }
        return received - node.dataplane().counters(senders).tx_frames.value();
    };
    bed.start();
    uint64_t looks = 0;
    uint64_t seen = 0;
    while (arrived < frames) {
        bed.network.run_for(between_looks);
        if (arrived < unsettled) continue;
        seen += waiting();
        ++looks;
    }
    return {in_ns(waited) / static_cast<double>(arrived - unsettled),
            static_cast<double>(seen) / static_cast<double>(looks)};
}

// Simulates 63 hosts that send at random; `rate` is the sum of their rates.
Queueing queue_at(BitsPerSecond rate) {
    constexpr PortIndex senders = 63;
    return queue_of(senders, {.pace = Pace::poisson, .rate = rate / senders}, 1'000'000);
}

// Simulates eight hosts that send a burst to one host at the same moment. The bursts load the
// output for 80 % of the interval.
double wait_of_incast() {
    constexpr PortIndex senders = 8;
    constexpr PaceSettings pulses{.pace = Pace::pulses,
                                  .rate = paxi::speed,
                                  .on = picos(Nanos(10'000)),
                                  .off = picos(Nanos(90'000))};
    return queue_of(senders, pulses, 100'000).mean_wait_ns;
}

void add_queueing(Figures& figures) {
    static constexpr BitsPerSecond of_the_wire{160'000'000'000};
    static constexpr BitsPerSecond of_frames{160'000'000'000 * 1426 / 1406};
    constexpr double wait = 112.4;
    constexpr double length = 1.6;
    constexpr double few = 0.03;
    constexpr std::string_view label = "M/D/1, 1406 octets at 200G, ";
    const auto add = [&](std::string_view what, double expected, auto measure) {
        figures.push_back(
            {std::string(label) + std::string(what), source, expected, few * expected, measure});
    };
    add("load 80 % of the wire: mean wait in a switch, ns", wait,
        [] { return queue_at(of_the_wire).mean_wait_ns; });
    add("load 80 % of the wire: mean number of frames that wait", length,
        [] { return queue_at(of_the_wire).mean_length; });
    add("load 80 % in octets of frames: mean wait in a switch, ns", wait,
        [] { return queue_at(of_frames).mean_wait_ns; });
    figures.push_back(
        {"Incast of 8 hosts for 10 us, load 80 % of the wire: mean wait in a "
         "switch, ns, at least",
         source, wait, 0, wait_of_incast, Relation::at_least});
}

}  // namespace paxi_delay

void add_paxi_delay(Figures& figures) {
    using namespace paxi_delay;
    figures.push_back(
        {"Store-and-forward, 1406 octets at 200G: ns that an idle switch adds, without "
         "processing",
         source, rows[0].ns[1], 0.5,
         [] { return in_ns(added_by_a_switch(paxi::standard_frame)); }});
    add_queueing(figures);
    add_serialisation(figures);
}

}  // namespace sluice::sim
