#include "dataplane/tunnel/encapsulator.h"

#include <cstring>

#include "dataplane/forward/flow.h"
#include "dataplane/tunnel/tunnel_ecn.h"

namespace sluice {
namespace vxlan_layout {

constexpr uint8_t time_to_live = 64;
constexpr uint16_t do_not_fragment = 0x4000;

constexpr std::size_t outer_length = outer_ip + 2;
constexpr std::size_t outer_checksum = outer_ip + 10;
constexpr std::size_t outer_udp = outer_ip + bare_ip;
constexpr std::size_t outer_vxlan = outer_udp + udp_header;

constexpr uint16_t folded(uint32_t sum) {
    sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(sum + (sum >> 16));
}

}  // namespace vxlan_layout

Encapsulator::Encapsulator(const VxlanEnds& ends, const OuterDscps& dscps, uint64_t seed)
    : dscps_(dscps), seed_(seed) {
    using namespace vxlan_layout;
    uint8_t* const octets = made_.data();
    write_address(octets + 6, ends.own);
    write_16(octets + outer_type, ipv4_ether_type);
    octets[outer_ip] = 4 << 4 | bare_ip / 4;
    write_16(octets + outer_ip + 6, do_not_fragment);
    octets[outer_ip + 8] = time_to_live;
    octets[outer_ip + 9] = udp_protocol;
    write_32(octets + outer_ip + 12, ends.local.bits);
    write_32(octets + outer_ip + 16, ends.remote.bits);
    write_16(octets + outer_udp + 2, vxlan_port);
    octets[outer_vxlan] = vni_is_valid;
    write_32(octets + outer_vxlan + 4, ends.vni << 8);
    for (std::size_t word = outer_ip; word < outer_udp; word += 2) sum_ += read_16(octets + word);
}

// One function of many short steps: calls between them would cost as much as the steps.
[[gnu::flatten]] void Encapsulator::write(std::span<uint8_t, vxlan_octets> outer,
                                          std::span<const uint8_t> inner, Priority priority,
                                          MacAddress next_hop) const {
    using namespace vxlan_layout;
    uint8_t* const octets = outer.data();
    std::memcpy(octets, made_.data(), vxlan_octets);
    write_address(octets, next_hop);
    const auto network = static_cast<uint8_t>(network_offset_of(inner));
    const EcnField ecn = network != 0 ? read_ecn(&inner[network]) : EcnField::not_ect;
    const auto tos = static_cast<uint8_t>(dscps_[priority] << 2 | static_cast<uint8_t>(ecn));
    const auto payload = static_cast<uint16_t>(inner.size() + vxlan_header + udp_header);
    const auto whole = static_cast<uint16_t>(payload + bare_ip);
    octets[outer_ip + 1] = tos;
    write_16(octets + outer_length, whole);
    write_16(octets + outer_checksum, static_cast<uint16_t>(~folded(sum_ + tos + whole)));
    write_16(octets + outer_udp, entropy_of(inner, network));
    write_16(octets + outer_udp + 4, payload);
}

uint16_t Encapsulator::entropy_of(std::span<const uint8_t> inner, uint8_t network) const {
    constexpr uint16_t first_dynamic = 0xC000;  // RFC 6335 6: 49152 to 65535
    const auto key = [&](std::size_t at) {
        return Fdb::key_of(VlanId{0}, read_address(&inner[at]));
    };
    const Flow flow(DistributionHash::l4, seed_);
    return static_cast<uint16_t>(first_dynamic | flow(key(6), key(0), inner, network) >> 50);
}

}  // namespace sluice
