// Ledger: adds up that every frame which entered has left, waits, or was dropped by name.
//
// For the switch: received + copied + generated = sent + dropped + waiting. Port by port:
//   input   received + copied = dropped there + left or bypassed its VOQs + waits in them; lane by
//           lane
//   output  left or bypassed VOQs towards it + generated = sent + dropped there + waits at its
//           egress
// Exact once traffic stops and `Switch::empty()` has been seen, or while no worker runs; in
// between, frames under way and counters read at different moments make it differ for an instant.
#pragma once

#include <cstdint>

#include "dataplane/switch.h"

namespace sluice {

struct Ledger {
    uint64_t received = 0;
    uint64_t copied = 0;     // further copies of flooded frames
    uint64_t generated = 0;  // pause frames, and control's
    uint64_t sent = 0;
    uint64_t dropped = 0;
    uint64_t waiting = 0;
    uint64_t trimmed = 0;         // cut short and admitted: in one of the three before, each once
    uint64_t crossed = 0;         // left VOQs or bypassed them; stands still when nothing moves
    bool inputs_balance = true;   // each of them
    bool outputs_balance = true;  // each of them

    friend bool operator==(const Ledger&, const Ledger&) = default;
    [[nodiscard]] bool balanced() const {
        return inputs_balance && outputs_balance &&
               received + copied + generated == sent + dropped + waiting;
    }
};

// Returns the frames that a port dropped as an input, over all of its lanes.
inline uint64_t dropped_by_input(const Switch& dataplane, PortIndex port, Drop why) {
    return dataplane.sum_of_lanes(
        port, [&](InputIndex lane) { return dataplane.counters(lane).drops.of(why); });
}

inline Ledger ledger_of(const Switch& dataplane) {
    Ledger sum;
    const auto ports = static_cast<PortIndex>(dataplane.port_count());
    std::array<uint64_t, max_ports> arrived{};  // at each output
    for_each_input(first_ports(dataplane.input_count()), [&](InputIndex input) {
        const PortCounters& counters = dataplane.counters(input);
        uint64_t left = 0;
        uint64_t waiting = 0;
        for (PortIndex output = 0; output < ports; ++output) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const Ingress& ingress = dataplane.ingress(input);
                const uint64_t crossed = ingress.dequeued({output, priority});
                arrived[output] += crossed;
                left += crossed;
                sum.trimmed += ingress.trimmed({output, priority});
                sum.trimmed -= ingress.trim_dropped({output, priority});
                waiting += ingress.voq(output, priority).waiting();
            }
        }
        const uint64_t entered = counters.rx_frames.value() + counters.copied.value();
        sum.inputs_balance &= entered == counters.drops.total() + left + waiting;
        sum.received += counters.rx_frames.value();
        sum.copied += counters.copied.value();
        sum.dropped += counters.drops.total();
        sum.waiting += waiting;
        sum.crossed += left;
    });
    for (PortIndex output = 0; output < ports; ++output) {
        const PortCounters& counters = dataplane.counters(output);
        const uint64_t waiting = dataplane.egress(output).waiting();
        sum.outputs_balance &= arrived[output] + counters.generated.value() ==
                               counters.tx_frames.value() + counters.egress_drops.total() + waiting;
        sum.generated += counters.generated.value();
        sum.sent += counters.tx_frames.value();
        sum.dropped += counters.egress_drops.total();
        sum.waiting += waiting;
    }
    return sum;
}

}  // namespace sluice
