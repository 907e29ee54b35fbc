// Srv6: a frame in IPv6 that goes by a list of segments (RFC 8986), and what names such a tunnel.
//
//   0  Ethernet II, no tag                                    14 octets
//  14  IPv6, to the first segment                             40
//  54  segment routing header (RFC 8754), if there is one     8, and 16 a segment in its list
//      the frame that is carried (next header 143), without FCS
//
// Out: H.Encaps.L2 (RFC 8986 5.3), with all segments in the header; or reduced, H.Encaps.L2.Red
// (5.4), without the first, so that one segment needs no header at all. The flow label is the same
// for all frames of a flow (RFC 6437), hop limit 64.
// In: End.DX2 (4.9). A tunnel's is what comes to its own SID as the last one: with a header that
// has no segments left, or without one, as reduced and as penultimate segments leave it. A routing
// header of another type without segments left is ignored (RFC 8200 4.4). Who sends it is not
// looked at, nor are the header's TLVs, an HMAC among them. What stands behind the packet is no
// part of the carried frame.
// Not here: routing headers of more than 512 octets in all; other extension headers; other
// behaviours than these; and no ICMPv6 error is sent.
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
    uint8_t count = 1;                                  // of these
    bool reduced = true;
    Ipv6Address local_sid;

    using Header = class Srv6Header;
    static constexpr bool names_flows() { return true; }
};

// What goes before each of its frames.
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
    // At most max_ports of them.
    void add(const Srv6Tunnel& tunnel, uint8_t number) {
        ends_[count_++] = {tunnel.local_sid, number};
    }
    [[nodiscard]] bool has(const Ipv6Address& sid) const { return find(sid) != nullptr; }
    // Of a frame that is sent to the port's MAC and is of IPv6.
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
