// Arrival: the classification of a received frame by the tunnels of its port: a tunnel's frame,
// with the position of the carried frame; a frame to drop, with the reason; or a frame that belongs
// to no tunnel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice {

enum class Refusal : uint8_t {
    none,
    malformed,        // a header is truncated or invalid
    header_checksum,  // the checksum of the IPv4 header is wrong
    length,           // the lengths in the headers do not fit the frame
    fragment,
    no_vni,            // the VXLAN flag for a valid VNI is not set
    unknown_vni,       // no tunnel of the port has the VNI
    other_source,      // the source is not the other end of the tunnel with this VNI
    extension_header,  // an extension header is between IPv6 and UDP
    next_header,       // the payload of IPv6 or of the routing header is not Ethernet
    segments_left,     // segments are left, but this switch is only the end of paths
    unknown_label,     // no tunnel of the port has the label
    not_bottom,        // a tunnel's label is not the bottom of the stack
    control_word,      // the first four bits of the control word are not 0
    inner_short,       // the carried frame is shorter than an Ethernet header
    inner_tag,         // the carried frame has a tag, but the VNI selects its VLAN
    ecn,               // the outer header is marked CE, but the carried frame is not ECN-capable
    last = ecn
};
inline constexpr std::size_t refusal_kinds = count_of<Refusal>;
std::string_view name_of(Refusal refusal);

// `others`: a frame that is not for a tunnel. `neighbour`: ARP or neighbour discovery about an
// address of the port. `announcement`: such a packet that is sent to all stations (gratuitous ARP,
// unsolicited advertisement), so that the frame is also bridged.
enum class ArrivalKind : uint8_t { others, neighbour, announcement, carried, refused };

struct Arrival {
    ArrivalKind kind = ArrivalKind::others;
    Refusal why = Refusal::none;
    uint8_t tunnel = 0;   // number of the tunnel, in the order of `add`
    uint8_t network = 0;  // network of a tunnel to many VTEPs (bundle.h)
    uint16_t offset = 0;  // offset of the carried frame
    uint16_t length = 0;  // length of the carried frame
    uint16_t vtep = 0;    // VTEP that sent the frame (vteps.h)
};

constexpr Arrival refused(Refusal why) { return {.kind = ArrivalKind::refused, .why = why}; }

}  // namespace sluice
