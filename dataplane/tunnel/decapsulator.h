// Decapsulator: classifies the frames that a port receives, for the tunnels that end at that port.
//
// A tunnel frame is sent to the port's own MAC and has a tunnel's form: UDP to port 4789 of the
// port's address, or a fragment for that address (vxlan.h, vxlan6.h); IPv6 to the SID of a tunnel
// (srv6.h); MPLS, if any tunnel uses it (mpls.h). If it belongs to one of the tunnels, the position
// of the carried frame is returned; otherwise it is refused with a Drop. All other frames are
// bridged as if there were no tunnel. ARP packets about the port's address, and neighbour discovery
// (RFC 4861) about its IPv6 address or a SID, are returned as such, for control to answer.
// If the port's addresses are in a VLAN, tunnel frames have its tag, with any PCP; frames without a
// tag, with another tag or with more tags are not tunnel frames.
// Bound: reads the headers in place, all within the frame, and checks each tunnel of the port.
#pragma once

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

    // Adds a tunnel, at most max_ports in all. `bundle`: for VXLAN to many VTEPs; it must outlive
    // this object.
    void add(const Encapsulation& tunnel, const Bundle* bundle = nullptr);

    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    [[nodiscard]] Arrival look_behind_tag(std::span<uint8_t> octets, MacAddress to) const;
    // Classifies a frame whose destination is `to`; the octets before the EtherType are not read.
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
