// Vxlan: a frame in VXLAN over IPv4 (RFC 7348), what names such a tunnel, how its frames are
// written, and how they are recognised on the way in.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv4, no options         20
//  34  UDP and VXLAN            16  (vxlan_datagram.h)
//  50  the frame that is carried, from its destination address on, without FCS
//
// Out: the datagram is not to be fragmented, and so needs no identification (RFC 6864 4.1).
// In: what stands behind the datagram, the padding of a short frame, is no part of the carried one.
// Not here: IPv6 below (vxlan6.h).
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

// To one address or to many, and carries one virtual network or, to many, several.
struct VxlanTunnel {
    Ipv4Address remote;  // 0: to many (bundle.h)
    uint32_t vni = 0;    // 1 to highest_vni; 0: of several, by VLAN

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
    // Of a tunnel to many: to one of them, in its network.
    void patch_to(uint8_t* octets, const FrameMarks& marks, const VtepWay& way) const;

  private:
    void patch(uint8_t* octets, const FrameMarks& marks, uint32_t sum_of_remote) const;

    std::array<uint8_t, vxlan_octets> octets_{};
    uint32_t sum_ = 0;  // of the IP header's words but those that differ from frame to frame
};

class VxlanEnds {
  public:
    VxlanEnds() = default;
    explicit VxlanEnds(Ipv4Address local) : local_(local) {}

    // At most max_ports of them.
    void add(const VxlanTunnel& tunnel, uint8_t number, const Bundle* bundle) {
        peers_.add(tunnel.remote, tunnel.vni, number, bundle);
    }
    // Of a frame that is sent to the port's MAC and is of IPv4.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    Ipv4Address local_;
    VxlanPeers<Ipv4Address> peers_;
};

}  // namespace sluice
