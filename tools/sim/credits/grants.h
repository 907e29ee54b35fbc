// Grants: credit that the scheduler of egress ports hands out to the virtual output queues of
// ingress slices, and the cells that it lets through.
//
// Once every `interval` the scheduler gives one credit of `quantum` octets for one of its egress
// ports, in turn among those of which granted data that has not left yet leaves room for it in
// `buffer`. Who gets it is the policy's:
//   slice  the slices take turns, and within a slice its ports
//   port   all ports take turns, whichever slice they are of
// A VOQ sends a cell once its credit covers it. From a credit given until a cell sent on it is
// at the egress port passes one round trip; the fabric to an egress port carries `speed_up` times
// what the port sends. Every ingress port always has data for every egress port, so what is short
// is the egress, never the ingress.
// Bound: time goes in steps of an interval; a step costs as much as there are egress ports.
// Follows notes on flow control, credits between ingress and egress.
#pragma once

#include <cstdint>
#include <vector>

#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

enum class GrantPolicy : uint8_t { slice, port };

struct GrantSettings {
    GrantPolicy policy = GrantPolicy::slice;
    std::vector<unsigned> slices = {2, 1};  // ingress ports of each
    unsigned egress_ports = 1;              // that share the scheduler's credits
    BitsPerSecond speed{400'000'000'000};
    unsigned speed_up_1000 = 1050;
    Bytes cell{256};
    Bytes quantum{256};
    Picos interval{2'000};
    Picos rtt{800'000};
    Bytes buffer{0};  // of an egress port, granted data included; 0: one_bdp and what rounds it up
    Picos time{100'000'000};
    Picos stops_at{INT64_MAX};  // egress ports send nothing from here on
};

// Octets that a port sends in a round trip.
Bytes one_bdp(const GrantSettings& settings);
// Returns one_bdp, a credit, and a cell for each VOQ, whose last cell may not be full yet.
Bytes buffer_for(const GrantSettings& settings);

struct GrantOutcome {
    std::vector<double> shares;  // of each ingress port in the arrivals, slice by slice
    double utilisation = 0;      // of the egress ports, until they stop, from the second round trip
    double fabric_load = 0;      // arrivals as a share of the fabric's rate, in the same time
    Bytes most_outstanding;      // granted and not at the egress port yet, of any
    Bytes most_buffered;         // at an egress port
    uint64_t credits = 0;
    Bytes buffer;
};
GrantOutcome simulate(const GrantSettings& settings);

}  // namespace sluice::sim
