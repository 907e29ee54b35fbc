// Vxlan6: VXLAN over IPv6 (RFC 7348): the parameters of such a tunnel, writing its headers, and
// recognising its received frames.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv6                     40
//  54  UDP and VXLAN            16  (vxlan_datagram.h)
//  70  the frame that is carried, from its destination address on, without FCS
//
// Sent: the flow label is the same for all frames of a flow (RFC 6437), as is the source port. The
// UDP checksum is 0, as RFC 7348 5 demands and RFC 6935 5 permits for a tunnel: computing one would
// read each octet of the frame. The other end has to accept that (Linux: `udp6zerocsumrx`); no
// setting enables a checksum.
// Received: the source address must be the tunnel's other end; no further check of RFC 6936 5 is
// done, although no checksum protects the addresses. A UDP checksum is ignored, as RFC 7348 4.1
// allows. A packet with extension headers before its UDP is refused with a Drop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/tunnel/vxlan_datagram.h"
#include "dataplane/types/ip_address.h"

namespace sluice {

inline constexpr std::size_t vxlan6_octets =
    outer_network + ipv6_header_octets + vxlan_datagram_octets;

struct Vxlan6Tunnel {
    Ipv6Address remote;
    uint32_t vni = 0;  // 1 to highest_vni

    using Header = class Vxlan6Header;
    static constexpr bool names_flows() { return true; }
};
constexpr std::size_t outer_octets(const Vxlan6Tunnel&) { return vxlan6_octets; }

class Vxlan6Header {
  public:
    Vxlan6Header(const Vxlan6Tunnel& tunnel, const UnderlayAddresses& here);

    static constexpr std::size_t size() { return vxlan6_octets; }
    [[nodiscard]] const uint8_t* octets() const { return octets_.data(); }
    void patch(uint8_t* octets, const FrameMarks& marks) const;

  private:
    std::array<uint8_t, vxlan6_octets> octets_{};
};

class Vxlan6Ends {
  public:
    Vxlan6Ends() = default;
    explicit Vxlan6Ends(const Ipv6Address& local) : local_(local) {}

    // Adds a tunnel, at most max_ports in all.
    void add(const Vxlan6Tunnel& tunnel, uint8_t number) {
        peers_.add(tunnel.remote, tunnel.vni, number);
        has_any_ = true;
    }
    // Classifies an IPv6 frame whose destination is the port's MAC address. Returns `others` if
    // there is no such tunnel.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    Ipv6Address local_;
    bool has_any_ = false;
    VxlanPeers<Ipv6Address> peers_;
};

}  // namespace sluice
