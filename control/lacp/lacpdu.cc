#include "control/lacp/lacpdu.h"

namespace sluice::lacp {

namespace {

constexpr uint8_t lacp_subtype = 1;
constexpr uint8_t marker_subtype = 2;
constexpr uint8_t version = 1;

// Types and lengths of TLVs (6.4.2.3 and 6.5.3.2).
constexpr uint8_t actor_type = 1;
constexpr uint8_t partner_type = 2;
constexpr uint8_t collector_type = 3;
constexpr uint8_t information_length = 20;
constexpr uint8_t collector_length = 16;
constexpr uint8_t marker_type = 1;
constexpr uint8_t marker_response_type = 2;
constexpr uint8_t marker_length = 16;

// Offsets of TLVs in the PDU.
constexpr std::size_t actor_at = 2;
constexpr std::size_t partner_at = actor_at + information_length;
constexpr std::size_t collector_at = partner_at + information_length;
constexpr std::size_t marker_at = 2;

bool is_tlv(std::span<const uint8_t> pdu, std::size_t at, uint8_t type, uint8_t length) {
    return pdu[at] == type && pdu[at + 1] == length;
}

PortInfo read_information(std::span<const uint8_t> pdu, std::size_t at) {
    return {.system_priority = read_16(&pdu[at + 2]),
            .system = read_address(&pdu[at + 4]),
            .key = read_16(&pdu[at + 10]),
            .port_priority = read_16(&pdu[at + 12]),
            .port = read_16(&pdu[at + 14]),
            .state = pdu[at + 16]};
}

void write_information(uint8_t* octets, uint8_t type, const PortInfo& info) {
    octets[0] = type;
    octets[1] = information_length;
    write_16(octets + 2, info.system_priority);
    write_address(octets + 4, info.system);
    write_16(octets + 10, info.key);
    write_16(octets + 12, info.port_priority);
    write_16(octets + 14, info.port);
    octets[16] = info.state;
}

// Returns a frame whose reserved fields and terminator are 0.
Octets frame_from(MacAddress source, uint8_t subtype) {
    Octets frame(header_octets + pdu_octets);
    write_address(frame.data(), slow_protocols_address);
    write_address(&frame[6], source);
    write_16(&frame[12], slow_protocols_ether_type);
    frame[header_octets] = subtype;
    frame[header_octets + 1] = version;
    return frame;
}

}  // namespace

PduKind kind_of(std::span<const uint8_t> pdu) {
    if (pdu.empty()) return PduKind::unknown;
    if (pdu[0] == lacp_subtype) return PduKind::lacp;
    return pdu[0] == marker_subtype ? PduKind::marker : PduKind::unknown;
}

std::optional<Lacpdu> read_lacpdu(std::span<const uint8_t> pdu) {
    if (pdu.size() < pdu_octets || pdu[0] != lacp_subtype || pdu[1] < version) return {};
    const bool both = is_tlv(pdu, actor_at, actor_type, information_length) &&
                      is_tlv(pdu, partner_at, partner_type, information_length);
    if (!both) return {};
    Lacpdu lacpdu{.actor = read_information(pdu, actor_at),
                  .partner = read_information(pdu, partner_at)};
    if (is_tlv(pdu, collector_at, collector_type, collector_length)) {
        lacpdu.collector_max_delay = read_16(&pdu[collector_at + 2]);
    }
    return lacpdu;
}

std::optional<Marker> read_marker(std::span<const uint8_t> pdu) {
    if (pdu.size() < pdu_octets || pdu[0] != marker_subtype || pdu[1] < version) return {};
    const bool asks = is_tlv(pdu, marker_at, marker_type, marker_length);
    if (!asks && !is_tlv(pdu, marker_at, marker_response_type, marker_length)) return {};
    return Marker{.is_response = !asks,
                  .port = read_16(&pdu[marker_at + 2]),
                  .system = read_address(&pdu[marker_at + 4]),
                  .transaction = uint32_t{read_16(&pdu[marker_at + 10])} << 16 |
                                 read_16(&pdu[marker_at + 12])};
}

Octets frame_of(const Lacpdu& lacpdu, MacAddress source) {
    Octets frame = frame_from(source, lacp_subtype);
    uint8_t* const pdu = &frame[header_octets];
    write_information(pdu + actor_at, actor_type, lacpdu.actor);
    write_information(pdu + partner_at, partner_type, lacpdu.partner);
    pdu[collector_at] = collector_type;
    pdu[collector_at + 1] = collector_length;
    write_16(pdu + collector_at + 2, lacpdu.collector_max_delay);
    return frame;
}

Octets frame_of(const Marker& marker, MacAddress source) {
    Octets frame = frame_from(source, marker_subtype);
    uint8_t* const tlv = &frame[header_octets + marker_at];
    tlv[0] = marker.is_response ? marker_response_type : marker_type;
    tlv[1] = marker_length;
    write_16(tlv + 2, marker.port);
    write_address(tlv + 4, marker.system);
    write_16(tlv + 10, static_cast<uint16_t>(marker.transaction >> 16));
    write_16(tlv + 12, static_cast<uint16_t>(marker.transaction));
    return frame;
}

}  // namespace sluice::lacp
