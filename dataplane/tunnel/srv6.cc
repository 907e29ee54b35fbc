#include "dataplane/tunnel/srv6.h"

#include <algorithm>

#include "dataplane/ingress/parse.h"
#include "dataplane/tunnel/carried_frame.h"

namespace sluice {
namespace srv6_layout {

constexpr std::size_t segment_octets = 16;
constexpr std::size_t bare_routing = 8;  // octets of a routing header without its list
constexpr std::size_t outer_routing = outer_network + ipv6_header_octets;

// Next headers (RFC 8200 4, RFC 8986 10.1), and the type of a routing header (RFC 8754 2).
constexpr uint8_t routing = 43;
constexpr uint8_t ethernet = 143;
constexpr uint8_t segment_routing = 4;

// Limit of all routing headers of a packet. A short carried frame is padded in its buffer
// (pmd_glue/tunnels.h), which must have room for the padding after the headers.
constexpr std::size_t longest_routing = 512;

}  // namespace srv6_layout

Srv6Header::Srv6Header(const Srv6Tunnel& tunnel, const UnderlayAddresses& here)
    : size_(outer_octets(tunnel)) {
    using namespace srv6_layout;
    uint8_t* const octets = octets_.data();
    write_address(octets + 6, here.mac);
    write_16(octets + outer_type, ipv6_ether_type);
    octets[outer_network + 6] = size_ > outer_routing ? routing : ethernet;
    octets[outer_network + 7] = outer_hop_limit;
    write_ipv6(octets + outer_network + 8, here.ipv6);
    write_ipv6(octets + outer_network + 24, tunnel.segments[0]);
    if (size_ == outer_routing) return;
    // The list begins with the last segment.
    const std::size_t listed = (size_ - outer_routing - bare_routing) / segment_octets;
    uint8_t* const header = octets + outer_routing;
    header[0] = ethernet;
    header[1] = static_cast<uint8_t>(2 * listed);  // in units of 8 octets, without the first 8
    header[2] = segment_routing;
    header[3] = static_cast<uint8_t>(tunnel.count - 1);  // segments left
    header[4] = static_cast<uint8_t>(listed - 1);        // index of the last entry
    for (std::size_t entry = 0; entry < listed; ++entry) {
        write_ipv6(header + bare_routing + segment_octets * entry,
                   tunnel.segments[tunnel.count - 1 - entry]);
    }
}

void Srv6Header::patch(uint8_t* octets, const FrameMarks& marks) const {
    using namespace srv6_layout;
    write_ipv6_start(octets + outer_network, marks, size_ - outer_routing + marks.carried);
}

const Srv6Ends::End* Srv6Ends::find(const Ipv6Address& sid) const {
    const auto ends = std::span(ends_).first(count_);
    const auto found = std::ranges::find(ends, sid, &End::sid);
    return found == ends.end() ? nullptr : &*found;
}

Arrival Srv6Ends::look(std::span<uint8_t> octets) const {
    using namespace srv6_layout;
    if (octets.size() < outer_routing) return {};
    const uint8_t* const ip = &octets[outer_network];
    const End* const end = find(read_ipv6(ip + 24));
    if (end == nullptr) return {};
    if (ip[0] >> 4 != 6) return refused(Refusal::malformed);
    std::size_t at = outer_routing;
    std::size_t left = read_16(ip + 4);  // octets of the packet from `at` on
    if (left > octets.size() - at) return refused(Refusal::length);
    uint8_t next = ip[6];
    // Routing headers of any type are skipped (RFC 8200 4.4).
    while (next == routing) {
        if (left < bare_routing) return refused(Refusal::malformed);
        const uint8_t* const header = &octets[at];
        const std::size_t length = 8 * (std::size_t{1} + header[1]);
        const std::size_t so_far = at - outer_routing;
        if (length > std::min(left, longest_routing - so_far)) return refused(Refusal::malformed);
        if (header[3] != 0) return refused(Refusal::segments_left);
        next = header[0];
        at += length;
        left -= length;
    }
    if (next == ipv6_fragment_header) return refused(Refusal::fragment);
    if (next != ethernet) return refused(Refusal::next_header);
    return take_out(octets, {at, left}, read_ecn(ip), end->number);
}

}  // namespace sluice
