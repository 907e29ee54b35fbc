// How much of what was sent went past the VOQs.
#pragma once

#include <cstdint>

#include "dataplane/switch.h"

namespace sluice::bench {

// Frames since the switch started; any thread may count them.
struct BypassCount {
    uint64_t bypassed = 0;
    uint64_t sent = 0;

    // 0 to 1.
    [[nodiscard]] double share() const {
        return sent == 0 ? 0 : static_cast<double>(bypassed) / static_cast<double>(sent);
    }
    [[nodiscard]] BypassCount since(const BypassCount& before) const {
        return {bypassed - before.bypassed, sent - before.sent};
    }
};

inline BypassCount count_bypass(const Switch& dataplane) {
    BypassCount count;
    for_each_port(first_ports(dataplane.port_count()), [&](PortIndex output) {
        count.sent += dataplane.counters(output).tx_frames.value();
        for_each_input(first_ports(dataplane.input_count()), [&](InputIndex input) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                count.bypassed += dataplane.ingress(input).bypassed({output, priority});
            }
        });
    });
    return count;
}

inline double bypass_share(const Switch& dataplane) { return count_bypass(dataplane).share(); }

}  // namespace sluice::bench
