// Vxlan6: a frame in VXLAN over IPv6 (RFC 7348), what names such a tunnel, how its frames are
// written, and how they are recognised on the way in.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv6                     40
//  54  UDP and VXLAN            16  (vxlan_datagram.h)
//  70  the frame that is carried, from its destination address on, without FCS
//
// Out: the flow label is the same for all frames of a flow (RFC 6437), as is the source port. The
// UDP checksum is 0, which RFC 7348 5 asks for and RFC 6935 5 allows a tunnel: one over the frame
// would have each of its octets read. The other end has to accept that (Linux: `udp6zerocsumrx`);
// there is no setting to send one. Nothing else protects the addresses of IPv6: the sender's has to
// be that of the tunnel, and more of RFC 6936 5 is not done. A checksum that comes is not looked
// at, as RFC 7348 4.1 allows.
// In: without extension headers: what has some before its UDP is refused under a name.
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

    // At most max_ports of them.
    void add(const Vxlan6Tunnel& tunnel, uint8_t number) {
        peers_.add(tunnel.remote, tunnel.vni, number);
        has_any_ = true;
    }
    // Of a frame that is sent to the port's MAC and is of IPv6. Where there is no such tunnel all
    // are others'.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    Ipv6Address local_;
    bool has_any_ = false;
    VxlanPeers<Ipv6Address> peers_;
};

}  // namespace sluice
