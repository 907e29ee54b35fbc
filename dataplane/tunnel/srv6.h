// Srv6: Ethernet frames in IPv6 along a list of segments (RFC 8986): the headers and parameters of
// such a tunnel.
//
//   0  Ethernet II, no tag                                    14 octets
//  14  IPv6, to the first segment                             40
//  54  segment routing header (RFC 8754), if there is one     8, and 16 a segment in its list
//      the frame that is carried (next header 143), without FCS
//
// Sent: H.Encaps.L2 (RFC 8986 5.3), with all segments in the header; or reduced, H.Encaps.L2.Red
// (5.4), without the first, so that a single segment needs no routing header. The flow label is the
// same for all frames of a flow (RFC 6437), the hop limit 64.
// Received: End.DX2 (4.9). A packet belongs to the tunnel whose SID is its destination, if that is
// the last segment: the routing header has no segments left, or is absent, as after reduced
// encapsulation or a penultimate segment. A routing header of another type without segments left is
// ignored (RFC 8200 4.4), and so are the source address and the header's TLVs (such as an HMAC).
// Octets after the packet are not part of the carried frame.
// Not here: routing headers of more than 512 octets in all; other extension headers; other
// behaviours; ICMPv6 errors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/limits.h"

namespace sluice {

inline constexpr std::size_t most_segments = 4;

struct Srv6Tunnel {
    std::array<Ipv6Address, most_segments> segments{};  // in the order in which they are visited
    uint8_t count = 1;                                  // number of segments
    bool reduced = true;
    Ipv6Address local_sid;

    using Header = class Srv6Header;
    static constexpr bool names_flows() { return true; }
};

// Returns the number of octets added before each frame.
constexpr std::size_t outer_octets(const Srv6Tunnel& tunnel) {
    const std::size_t listed = tunnel.reduced ? tunnel.count - std::size_t{1} : tunnel.count;
    const std::size_t list = listed == 0 ? 0 : 8 + 16 * listed;
    return outer_network + 40 + list;
}
static_assert(outer_octets({.count = most_segments, .reduced = false}) <= most_outer_octets);

class Srv6Header {
  public:
    Srv6Header(const Srv6Tunnel& tunnel, const UnderlayAddresses& here);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const uint8_t* octets() const { return octets_.data(); }
    void patch(uint8_t* octets, const FrameMarks& marks) const;

  private:
    std::array<uint8_t, most_outer_octets> octets_{};
    std::size_t size_;
};

class Srv6Ends {
  public:
    // Adds a tunnel, at most max_ports in all.
    void add(const Srv6Tunnel& tunnel, uint8_t number) {
        ends_[count_++] = {tunnel.local_sid, number};
    }
    [[nodiscard]] bool has(const Ipv6Address& sid) const { return find(sid) != nullptr; }
    // Classifies an IPv6 frame whose destination is the port's MAC address.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    struct End {
        Ipv6Address sid;
        uint8_t number = 0;
    };

    [[nodiscard]] const End* find(const Ipv6Address& sid) const;

    std::array<End, max_ports> ends_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
