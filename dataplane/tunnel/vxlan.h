// Vxlan: the layout of RFC 7348 over IPv4, what names such a tunnel, and how its frames go out and
// are told where they come.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv4, no options         20
//  34  UDP to port 4789          8
//  42  VXLAN: flags, VNI         8
//  50  the frame that is carried, from its destination address on, without FCS
//
// Out: the datagram is not to be fragmented, and so needs no identification (RFC 6864 4.1); its
// source port, of 49152 to 65535, is the same for all frames of a flow, so that a routed network
// keeps their order and spreads flows over its ways; the UDP checksum is 0 (RFC 7348 5).
// In: a tunnel's is what comes from its other end with its VNI. A UDP checksum that is not 0 is not
// looked at, as RFC 7348 5 allows; reserved bits are ignored. What stands behind the datagram, the
// padding of a short frame, is no part of the carried one.
// Not here: IPv6 below, and outer tags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/address.h"
#include "dataplane/limits.h"
#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/outer_header.h"

namespace sluice {

inline constexpr uint16_t vxlan_port = 4789;
inline constexpr uint32_t highest_vni = 0xFFFFFF;
inline constexpr std::size_t vxlan_octets = 50;

// To one address, and carries one virtual network.
struct VxlanTunnel {
    Ipv4Address remote;
    uint32_t vni = 0;  // 1 to highest_vni
};

class VxlanHeader {
  public:
    VxlanHeader() = default;
    VxlanHeader(const VxlanTunnel& tunnel, const UnderlayAddresses& here);

    static constexpr std::size_t size() { return vxlan_octets; }
    [[nodiscard]] const uint8_t* octets() const { return octets_.data(); }
    void patch(uint8_t* octets, const FrameMarks& marks) const;

  private:
    std::array<uint8_t, vxlan_octets> octets_{};
    uint32_t sum_ = 0;  // of the IP header's words but those that differ from frame to frame
};

class VxlanEnds {
  public:
    VxlanEnds() = default;
    explicit VxlanEnds(Ipv4Address local) : local_(local) {}

    // At most max_ports of them.
    void add(const VxlanTunnel& tunnel, uint8_t number) { ends_[count_++] = {tunnel, number}; }
    // Of a frame that is sent to the port's MAC and is of IPv4.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    struct End {
        VxlanTunnel tunnel;
        uint8_t number = 0;
    };

    [[nodiscard]] Arrival unwrap(std::span<uint8_t> octets, std::size_t header) const;

    Ipv4Address local_;
    std::array<End, max_ports> ends_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
