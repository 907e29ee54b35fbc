// RefusedMove: a source address that may not move from its known port to the port that received a
// frame from it. Such frames are dropped (moved_source, static_source), and control reports the
// move.
// Bound: 16 octets.
#pragma once

#include "dataplane/forward/fdb.h"
#include "dataplane/types/limits.h"

namespace sluice {

struct RefusedMove {
    Fdb::Key source;
    PortIndex known;  // bridge port of the address in the FDB
    PortIndex port;   // bridge port that received the frame
    bool fixed;       // whether the FDB's entry is static

    [[nodiscard]] MacAddress address() const { return Fdb::address_of(source); }
    [[nodiscard]] VlanId vlan() const {
        return static_cast<VlanId>(static_cast<uint64_t>(source) >> 48 & 0xFFF);
    }
    [[nodiscard]] FormatFamily family() const {
        return static_cast<FormatFamily>(static_cast<uint64_t>(source) >> 60);
    }

    friend bool operator==(const RefusedMove&, const RefusedMove&) = default;
};

}  // namespace sluice
