// Ledger: proves from the counters that every frame that entered has left, waits, or was dropped
// for a named reason.
//
// For the switch: received + copied + generated = sent + dropped + waiting. For each port:
//   input   received + copied = dropped at the input + left or bypassed its VOQs + waiting in its
//           VOQs; also for each lane
//   output  left or bypassed VOQs for the output + generated = sent + dropped at the output +
//           waiting in its egress queues
// The sums are exact after traffic stopped and `Switch::empty()` was true, or while no worker runs.
// At other times frames under way, and counters read at different moments, may cause a difference.
#pragma once

#include <cstdint>

#include "dataplane/switch.h"

namespace sluice {

struct Ledger {
    uint64_t received = 0;
    uint64_t copied = 0;     // further copies of frames with several outputs
    uint64_t generated = 0;  // frames that the switch made, such as pause frames and LLDP
    uint64_t sent = 0;
    uint64_t dropped = 0;
    uint64_t waiting = 0;
    uint64_t trimmed = 0;  // frames trimmed and admitted; each is also sent, dropped or waiting
    uint64_t crossed = 0;  // frames that left VOQs or bypassed them
    bool inputs_balance = true;   // whether each input balances
    bool outputs_balance = true;  // whether each output balances

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
    std::array<uint64_t, max_ports> arrived{};  // frames that arrived at each output
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
