#include "dataplane/tunnel/carried_frame.h"

#include "dataplane/ingress/parse.h"
#include "dataplane/retry/retry_shim.h"
#include "dataplane/types/tag.h"
#include "dataplane/types/units.h"

namespace sluice {
namespace {

// Combines the ECN of both headers. Returns false if the frame has to be dropped.
bool merge_ecn(std::span<uint8_t> inner, EcnField outer) {
    if (outer == EcnField::not_ect || outer == EcnField::ect_0) return true;
    inner = inner.subspan(retry_octets_of(inner));
    const std::size_t network = network_offset_of(inner);
    if (network == 0) return true;
    const EcnField before = read_ecn(&inner[network]);
    const auto after = ecn_out_of_tunnel(before, outer);
    if (!after) return false;
    if (*after != before) write_ecn(&inner[network], *after);
    return true;
}

}  // namespace

std::size_t network_offset_of(std::span<const uint8_t> octets) {
    constexpr std::size_t bare_ipv4 = 20;
    constexpr std::size_t bare_ipv6 = 40;
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
        if (octets.size() < at + bare_ipv4 || octets[at] >> 4 != 4) return 0;
        const std::size_t header = std::size_t{4} * (octets[at] & 0x0F);
        return header >= bare_ipv4 && octets.size() >= at + header ? at : 0;
    }
    if (ether_type != ipv6_ether_type) return 0;
    return octets.size() >= at + bare_ipv6 && octets[at] >> 4 == 6 ? at : 0;
}

std::size_t retry_octets_of(std::span<const uint8_t> octets) {
    if (!is_of_retry(octets)) return 0;
    const auto shim = read_retry_shim(octets);
    return shim && shim->kind == RetryKind::data ? retry_shim_octets : 0;
}

Arrival take_out(std::span<uint8_t> octets, const CarriedAt& at, EcnField outer, uint8_t tunnel) {
    if (Bytes(static_cast<int64_t>(at.length)) < bare_frame) return refused(Refusal::inner_short);
    if (!merge_ecn(octets.subspan(at.offset, at.length), outer)) return refused(Refusal::ecn);
    return {.kind = ArrivalKind::carried,
            .why = Refusal::none,
            .tunnel = tunnel,
            .offset = static_cast<uint16_t>(at.offset),
            .length = static_cast<uint16_t>(at.length)};
}

}  // namespace sluice
