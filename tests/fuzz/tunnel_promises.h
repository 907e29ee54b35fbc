// TunnelPromises: what the fuzz targets of all kinds of tunnels hold a decapsulator to.
//
// Whatever comes to a tunnel's end: it is read inside the frame, or not at all; what is carried
// lies inside it, behind a whole header; what is refused has a name; and only what is carried is
// touched, there its ECN and checksum alone. What is carried goes into a tunnel and comes out of it
// as it was.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/fuzz/promises.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"

namespace sluice::test {

// Both ends of a tunnel: `there` is what the first one's `here` is to the second.
struct TunnelEnds {
    UnderlayAddresses own;  // of the second
    Encapsulation there;
    UnderlayAddresses other;  // of the first
    Encapsulation here;
    const Bundle* bundle = nullptr;  // of the second, where it leads to many
};

// What has a tag, where the VNI says the VLAN, is not to come out of it.
inline bool is_refused(const TunnelEnds& ends, std::span<const uint8_t> inner) {
    return ends.bundle != nullptr && ends.bundle->is_by_vlan() && is_tag(read_16(&inner[12]));
}

inline void goes_through(const TunnelEnds& ends, std::span<const uint8_t> inner) {
    const Encapsulator encapsulator(ends.here, ends.other, {}, 1);
    Octets whole = encapsulated(encapsulator, inner, 3, ends.own.mac);
    Decapsulator decapsulator(ends.own);
    decapsulator.add(ends.there, ends.bundle);
    const Arrival arrival = decapsulator.look(whole);
    if (is_refused(ends, inner)) return must(arrival.why == Refusal::inner_tag, "it has a tag");
    must(arrival.kind == ArrivalKind::carried && arrival.offset == encapsulator.octets(),
         "what went into a tunnel comes out");
    must(std::ranges::equal(std::span(whole).subspan(arrival.offset, arrival.length), inner),
         "and is as it was");
}

inline void keeps_promises_of_its_vlan(const TunnelEnds& ends, std::span<const uint8_t> octets) {
    constexpr std::size_t longest = 9000;
    const auto given = octets.first(std::min(octets.size(), longest));
    Fenced frame(given);
    Decapsulator decapsulator(ends.own);
    decapsulator.add(ends.there, ends.bundle);
    const Arrival arrival = decapsulator.look(frame.to_write());
    std::size_t touched = 0;
    for (std::size_t at = 0; at < given.size(); ++at) {
        if (frame.octets()[at] == given[at]) continue;
        must(arrival.kind == ArrivalKind::carried && at >= arrival.offset, "the outer is left");
        ++touched;
    }
    must(touched <= 3, "ECN and checksum alone are written");
    must((arrival.kind == ArrivalKind::refused) == (arrival.why != Refusal::none),
         "what is refused has a name");
    if (arrival.kind == ArrivalKind::carried) {
        must(arrival.length >= 14 && std::size_t{arrival.offset} + arrival.length <= given.size(),
             "what is carried lies inside");
        goes_through(ends, frame.octets().subspan(arrival.offset, arrival.length));
    }
    if (given.size() >= 14) goes_through(ends, given);
}

// With a tag in front of all that is the tunnel's, and without.
inline void keeps_tunnel_promises(TunnelEnds ends, std::span<const uint8_t> octets) {
    for (const uint16_t vlan : {uint16_t{0}, uint16_t{77}}) {
        ends.own.vlan = ends.other.vlan = vlan;
        keeps_promises_of_its_vlan(ends, octets);
    }
}

}  // namespace sluice::test
