// Variables: the variables that the machines of one port share (802.1AX-2014 6.4.6 to 6.4.8; the
// standard's names in comments). The receive machine writes the partner and whether it is current,
// the mux machine the actor's state, and selection (aggregator.h) which port is selected.
#pragma once

#include "control/lacp/lacpdu.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

// Timer values of 6.4.4.
inline constexpr Nanos fast_periodic{1'000'000'000};
inline constexpr Nanos slow_periodic{30'000'000'000};
inline constexpr Nanos short_timeout{3'000'000'000};
inline constexpr Nanos long_timeout{90'000'000'000};
inline constexpr Nanos aggregate_wait{2'000'000'000};

struct Variables {
    PortInfo actor;                 // Actor_Oper_...
    PortInfo partner;               // Partner_Oper_...
    bool enabled = false;           // port_enabled: has link
    bool selected = false;          // Selected is SELECTED, else UNSELECTED; there is no STANDBY
    bool need_to_transmit = false;  // NTT: a LACPDU is due
};

// Returns the partner to assume before a LACPDU is received. It requests the short interval, so
// that a real partner is found soon.
inline PortInfo default_partner() { return {.state = state_bits::timeout}; }

// Whether `a` and `b` identify the same port of the same aggregation; the state is not compared.
inline bool same_port(const PortInfo& a, const PortInfo& b) {
    PortInfo like_b = a;
    like_b.state = b.state;
    return like_b == b;
}

}  // namespace sluice::lacp
