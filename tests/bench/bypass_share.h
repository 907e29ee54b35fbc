// How much of what was sent went past the VOQs, 0 to 1.
#pragma once

#include <cstdint>

#include "dataplane/switch.h"

namespace sluice::bench {

inline double bypass_share(const Switch& dataplane) {
    uint64_t bypassed = 0;
    uint64_t sent = 0;
    for_each_port(first_ports(dataplane.port_count()), [&](PortIndex output) {
        sent += dataplane.counters(output).tx_frames.value();
        for_each_input(first_ports(dataplane.input_count()), [&](InputIndex input) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                bypassed += dataplane.ingress(input).bypassed({output, priority});
            }
        });
    });
    return sent == 0 ? 0 : static_cast<double>(bypassed) / static_cast<double>(sent);
}

}  // namespace sluice::bench
