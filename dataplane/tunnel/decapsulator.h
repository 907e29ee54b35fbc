// Decapsulator: classifies a frame that a port received, for the tunnel ends at that port.
//
// Theirs is what is sent to the port's own MAC and is of a kind of tunnel: UDP to port 4789 of its
// address, or in fragments (vxlan.h, vxlan6.h); IPv6 to the SID of a tunnel (srv6.h); MPLS, where
// any tunnel has that (mpls.h). What belongs to one of the tunnels is returned with where the
// carried frame lies, and the rest refused under a name. All else is none of theirs: it is bridged
// as if there were no tunnel; but an ARP packet about the port's address, and neighbour discovery
// (RFC 4861) about its IPv6 address or a SID, are returned as such, for control to answer.
// Where the port's addresses are in a VLAN all that is theirs has its tag, of whatever PCP, and
// what has none, or another, is none of theirs.
// Bound: reads the headers in place, all within the frame, and looks at each tunnel of the port.
// Frames with more tags than that one are not tunnel frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/address.h"

namespace sluice {

class Decapsulator {
  public:
    Decapsulator() = default;
    explicit Decapsulator(const UnderlayAddresses& own)
        : own_(own), vxlan_(own.ipv4), vxlan6_(own.ipv6) {}

    // At most max_ports tunnels. `bundle`: for VXLAN to many VTEPs; it outlives this.
    void add(const Encapsulation& tunnel, const Bundle* bundle = nullptr);

    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    [[nodiscard]] Arrival look_behind_tag(std::span<uint8_t> octets, MacAddress to) const;
    // For a frame to `to`; the octets before its type are not read.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets, MacAddress to) const;
    [[nodiscard]] bool is_in_own_vlan(std::span<const uint8_t> octets) const;
    [[nodiscard]] ArrivalKind kind_of_arp(std::span<const uint8_t> octets) const;
    [[nodiscard]] ArrivalKind kind_of_discovery(std::span<const uint8_t> octets,
                                                MacAddress to) const;

    UnderlayAddresses own_;
    VxlanEnds vxlan_;
    Srv6Ends srv6_;
    MplsEnds mpls_;
    Vxlan6Ends vxlan6_;
    uint8_t count_ = 0;
};

}  // namespace sluice
