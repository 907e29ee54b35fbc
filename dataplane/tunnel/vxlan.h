// Vxlan: VXLAN over IPv4 (RFC 7348): the parameters of such a tunnel, writing its headers, and
// recognising its received frames.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv4, no options         20
//  34  UDP and VXLAN            16  (vxlan_datagram.h)
//  50  the frame that is carried, from its destination address on, without FCS
//
// Sent: the datagram has the flag DF, and so needs no identification (RFC 6864 4.1).
// Received: octets after the datagram, such as padding, are not part of the carried frame.
// Not here: VXLAN over IPv6 (vxlan6.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/tunnel/vxlan_datagram.h"
#include "dataplane/types/address.h"

namespace sluice {

inline constexpr std::size_t vxlan_octets = outer_network + 20 + vxlan_datagram_octets;

// A tunnel to one address, which carries one virtual network; or to many VTEPs, which carries one
// or several networks.
struct VxlanTunnel {
    Ipv4Address remote;  // 0: many VTEPs (bundle.h)
    uint32_t vni = 0;    // 1 to highest_vni; 0: several VNIs, selected by VLAN

    using Header = class VxlanHeader;
    static constexpr bool names_flows() { return true; }
};
constexpr std::size_t outer_octets(const VxlanTunnel&) { return vxlan_octets; }

class VxlanHeader {
  public:
    VxlanHeader() = default;
    VxlanHeader(const VxlanTunnel& tunnel, const UnderlayAddresses& here);

    static constexpr std::size_t size() { return vxlan_octets; }
    [[nodiscard]] const uint8_t* octets() const { return octets_.data(); }
    void patch(uint8_t* octets, const FrameMarks& marks) const { patch(octets, marks, 0); }
    // Patches a header for a VTEP and its network, of a tunnel to many VTEPs.
    void patch_to(uint8_t* octets, const FrameMarks& marks, const VtepWay& way) const;

  private:
    void patch(uint8_t* octets, const FrameMarks& marks, uint32_t sum_of_remote) const;

    std::array<uint8_t, vxlan_octets> octets_{};
    uint32_t sum_ = 0;  // sum of the IP header's words that are the same for all frames
};

class VxlanEnds {
  public:
    VxlanEnds() = default;
    explicit VxlanEnds(Ipv4Address local) : local_(local) {}

    // Adds a tunnel, at most max_ports in all.
    void add(const VxlanTunnel& tunnel, uint8_t number, const Bundle* bundle) {
        peers_.add(tunnel.remote, tunnel.vni, number, bundle);
    }
    // Classifies an IPv4 frame whose destination is the port's MAC address.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    Ipv4Address local_;
    VxlanPeers<Ipv4Address> peers_;
};

}  // namespace sluice
