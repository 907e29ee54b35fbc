// NeighbourTable: the LLDP neighbours of one port, each kept for its TTL (the remote systems MIB;
// IEEE 802.1AB-2016 9.2.7.7).
//
// Two LLDPDUs are from the same neighbour if their chassis ID, their port ID and the address that
// they were sent to are the same. An LLDPDU with unchanged content only renews the TTL; an LLDPDU
// with TTL 0 removes the neighbour at once.
// Bound: `most_neighbours` for each address. When the table is full, new neighbours are refused and
// the known ones kept, so that a flood of made-up IDs does not push out the peer. `too_many` is
// true until the last refused neighbour would have aged out (tooManyNeighbors, 9.2.7.7.5).
// Not done here: timers (agent.h), parsing (lldpdu.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/lldp/destination.h"
#include "control/lldp/lldpdu.h"
#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::lldp {

inline constexpr std::size_t most_neighbours = 4;
inline constexpr Nanos never{INT64_MAX};

struct Neighbour {
    MacAddress source;  // source address of the last frame
    Lldpdu lldpdu;      // the last LLDPDU
    Nanos since;        // time of the first LLDPDU
    Nanos expires;      // time of removal, unless another LLDPDU is received
    Destination to = Destination::nearest_bridge;
};

// Returns the MAC addresses of a neighbour: the source of its frames, and its chassis ID and port
// ID if they are MAC addresses. At most three, each once.
std::vector<MacAddress> addresses_of(const Neighbour& neighbour);

enum class NeighbourEvent : uint8_t { added, changed, removed };

struct NeighbourChange {
    NeighbourEvent what = NeighbourEvent::added;
    Neighbour neighbour;  // the neighbour as it is now, or as it was before its removal
};
using NeighbourChanges = std::vector<NeighbourChange>;

class NeighbourTable {
  public:
    [[nodiscard]] bool has_room_for(const Lldpdu& lldpdu,
                                    Destination to = Destination::nearest_bridge) const;
    // Takes an LLDPDU of a neighbour for which `has_room_for` is true. Returns empty if no
    // neighbour was added, changed or removed.
    std::optional<NeighbourChange> receive(MacAddress source, const Lldpdu& lldpdu, Nanos now,
                                           Destination to = Destination::nearest_bridge);
    // Called instead of `receive` if there is no room for the neighbour.
    void refuse(const Lldpdu& lldpdu, Nanos now);
    // Removes the neighbours whose TTL has ended at `now`.
    NeighbourChanges expire(Nanos now);
    // Removes all neighbours.
    NeighbourChanges clear();

    [[nodiscard]] std::span<const Neighbour> neighbours() const { return neighbours_; }
    [[nodiscard]] bool too_many(Nanos now) const { return now < too_many_until_; }
    // Returns when the next neighbour expires.
    [[nodiscard]] Nanos deadline() const;

  private:
    std::vector<Neighbour> neighbours_;
    Nanos too_many_until_;
};

}  // namespace sluice::lldp
