#include "dataplane/tunnel/vxlan.h"

#include "dataplane/ingress/parse.h"
#include "dataplane/tag.h"

namespace sluice {

std::size_t network_offset_of(std::span<const uint8_t> octets) {
    constexpr std::size_t ipv6_octets = 40;
    std::size_t at = tag_offset;
    if (octets.size() < at + 2) return 0;
    uint16_t ether_type = read_16(&octets[at]);
    for (int tag = 0; tag < 2 && is_tag(ether_type); ++tag) {
        at += tag_octets;
        if (octets.size() < at + 2) return 0;
        ether_type = read_16(&octets[at]);
    }
    at += 2;
    if (ether_type == ipv4_ether_type) {
        if (octets.size() < at + vxlan_layout::bare_ip || octets[at] >> 4 != 4) return 0;
        const std::size_t header = std::size_t{4} * (octets[at] & 0x0F);
        return header >= vxlan_layout::bare_ip && octets.size() >= at + header ? at : 0;
    }
    if (ether_type != ipv6_ether_type) return 0;
    return octets.size() >= at + ipv6_octets && octets[at] >> 4 == 6 ? at : 0;
}

}  // namespace sluice
