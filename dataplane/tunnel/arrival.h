// Arrival: what a received frame is to the tunnels of its port: a tunnel's frame, with the position
// of the carried frame; refused, with a Drop; or not for a tunnel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice {

enum class Refusal : uint8_t {
    none,
    malformed,        // a header is cut short or invalid
    header_checksum,  // of IPv4
    length,           // the lengths in its headers do not fit the frame
    fragment,
    no_vni,            // the flag that there is one is not set
    unknown_vni,       // no tunnel here has it
    other_source,      // a tunnel has it, and its other end has another address
    extension_header,  // options, or routing, stand between IPv6 and VXLAN
    next_header,       // behind IPv6, and a segment routing header, is no Ethernet
    segments_left,     // segments are left, but this switch only ends paths
    unknown_label,     // no tunnel here has it
    not_bottom,        // a tunnel's label, and below it another one
    control_word,      // its first four bits are not 0
    inner_short,       // the carried frame has no whole Ethernet header
    inner_tag,         // the carried frame has a tag, but the VNI selects its VLAN
    ecn,               // congestion was met, but the carried frame is not ECN-capable
    last = ecn
};
inline constexpr std::size_t refusal_kinds = count_of<Refusal>;
std::string_view name_of(Refusal refusal);

// `neighbour`: ARP or neighbour discovery about an address of the port. `announcement`: the same,
// but sent to all stations (gratuitous ARP, unsolicited advertisement), so that the frame is also
// bridged.
enum class ArrivalKind : uint8_t { others, neighbour, announcement, carried, refused };

struct Arrival {
    ArrivalKind kind = ArrivalKind::others;
    Refusal why = Refusal::none;
    uint8_t tunnel = 0;   // in the order in which they were added
    uint8_t network = 0;  // of those of one that leads to many (bundle.h)
    uint16_t offset = 0;  // where the carried frame begins
    uint16_t length = 0;
    uint16_t vtep = 0;  // that it came from there (vteps.h)
};

constexpr Arrival refused(Refusal why) { return {.kind = ArrivalKind::refused, .why = why}; }

}  // namespace sluice
