// RefusedMove: a source address that came by another port than the port that keeps it, so that its
// frames are dropped (moved_source, static_source). Control reports it.
// Bound: 16 octets.
#pragma once

#include "dataplane/forward/fdb.h"
#include "dataplane/types/limits.h"

namespace sluice {

struct RefusedMove {
    Fdb::Key source;
    PortIndex known;  // the bridge port that keeps it
    PortIndex port;   // the bridge port that it came by
    bool fixed;       // by a static entry

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
