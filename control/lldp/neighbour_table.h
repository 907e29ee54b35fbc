// NeighbourTable: whom one port hears, each believed for its TTL (802.1AB 9.2.7.7).
//
// Two frames are of the same neighbour if they name the same chassis and port. One that says what
// it said before is only believed for longer; a TTL of 0 removes it at once.
// Bound: `most_neighbours`. A further one is refused and those that are there are kept: who floods
// a port with names does not push out the peer. That there were too many is told until the last
// one refused would have aged out (tooManyNeighbors, 9.2.7.7.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/lldp/lldpdu.h"
#include "dataplane/address.h"
#include "dataplane/units.h"

namespace sluice::lldp {

inline constexpr std::size_t most_neighbours = 4;
inline constexpr Nanos never{INT64_MAX};

struct Neighbour {
    MacAddress source;  // of its last frame
    Lldpdu says;
    Nanos since;    // heard first
    Nanos expires;  // unless it is heard again
};

// The addresses that it goes by: its chassis id and its port id where they are addresses, and the
// source of its frames. At most three, each once.
std::vector<MacAddress> stations_of(const Neighbour& neighbour);

enum class NeighbourEvent : uint8_t { added, changed, removed };

struct NeighbourChange {
    NeighbourEvent what = NeighbourEvent::added;
    Neighbour neighbour;  // as it is, or as it was last
};
using NeighbourChanges = std::vector<NeighbourChange>;

class NeighbourTable {
  public:
    [[nodiscard]] bool has_room_for(const Lldpdu& lldpdu) const;
    // `has_room_for` it. Nothing: it says nothing new.
    std::optional<NeighbourChange> receive(MacAddress source, const Lldpdu& lldpdu, Nanos now);
    // There is no room for it.
    void refuse(const Lldpdu& lldpdu, Nanos now);
    // Those that were believed until `now`.
    NeighbourChanges expire(Nanos now);
    // All of them.
    NeighbourChanges clear();

    [[nodiscard]] std::span<const Neighbour> neighbours() const { return neighbours_; }
    [[nodiscard]] bool too_many(Nanos now) const { return now < too_many_until_; }
    // When the next one expires.
    [[nodiscard]] Nanos deadline() const;

  private:
    std::vector<Neighbour>::iterator find(const Lldpdu& lldpdu);

    std::vector<Neighbour> neighbours_;
    Nanos too_many_until_;
};

}  // namespace sluice::lldp
