#include "control/rstp/bpdu.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::rstp {

namespace {

constexpr std::size_t length_at = 12;
constexpr std::array<uint8_t, 3> llc = {0x42, 0x42, 0x03};  // LLC header (802.1D table 7-10)
constexpr std::size_t bpdu_at = 14 + llc.size();
constexpr std::size_t shortest_frame = 60;  // without FCS

constexpr std::size_t configuration_octets = 35;
constexpr std::size_t topology_change_octets = 4;
constexpr std::size_t rst_octets = 36;

constexpr uint8_t configuration_type = 0x00;
constexpr uint8_t topology_change_type = 0x80;
constexpr uint8_t rst_type = 0x02;
constexpr uint8_t rst_version = 2;

// Offsets of fields in a BPDU.
constexpr std::size_t version_at = 2;
constexpr std::size_t type_at = 3;
constexpr std::size_t flags_at = 4;
constexpr std::size_t root_at = 5;
constexpr std::size_t cost_at = 13;
constexpr std::size_t bridge_at = 17;
constexpr std::size_t port_at = 25;
constexpr std::size_t times_at = 27;

// Bits of the flags (9.3.1 and 9.3.3).
constexpr unsigned topology_change_bit = 0;
constexpr unsigned proposal_bit = 1;
constexpr unsigned role_bits = 2;
constexpr unsigned learning_bit = 4;
constexpr unsigned forwarding_bit = 5;
constexpr unsigned agreement_bit = 6;
constexpr unsigned topology_change_ack_bit = 7;

uint64_t read_64(const uint8_t* octets) {
    return uint64_t{read_32(octets)} << 32 | read_32(octets + 4);
}
void write_64(uint8_t* octets, uint64_t value) {
    write_32(octets, static_cast<uint32_t>(value >> 32));
    write_32(octets + 4, static_cast<uint32_t>(value));
}

// Times are in 1/256 s (9.2.8).
Nanos read_time(const uint8_t* octets) { return one_second * read_16(octets) / 256; }
// Writes a time, rounded to the nearest tick, so that a time that was read is written unchanged.
void write_time(uint8_t* octets, Nanos time) {
    const int64_t ticks = (time.count() * 256 + one_second.count() / 2) / one_second.count();
    write_16(octets, static_cast<uint16_t>(std::clamp<int64_t>(ticks, 0, 0xFFFF)));
}

void read_flags(uint8_t flags, Bpdu& bpdu) {
    const auto has = [&](unsigned bit) { return (flags >> bit & 1) != 0; };
    bpdu.topology_change = has(topology_change_bit);
    if (bpdu.kind == BpduKind::configuration) {
        bpdu.topology_change_ack = has(topology_change_ack_bit);
        return;
    }
    bpdu.proposal = has(proposal_bit);
    bpdu.learning = has(learning_bit);
    bpdu.forwarding = has(forwarding_bit);
    bpdu.agreement = has(agreement_bit);
    bpdu.role = static_cast<MessageRole>(flags >> role_bits & 3);
    if (bpdu.role == MessageRole::unknown) bpdu.role = MessageRole::designated;
}

uint8_t flags_of(const Bpdu& bpdu) {
    const auto flag = [](bool is_set, unsigned bit) { return is_set ? 1U << bit : 0U; };
    unsigned flags = flag(bpdu.topology_change, topology_change_bit);
    if (bpdu.kind == BpduKind::configuration) {
        return static_cast<uint8_t>(flags |
                                    flag(bpdu.topology_change_ack, topology_change_ack_bit));
    }
    flags |= flag(bpdu.proposal, proposal_bit) | flag(bpdu.learning, learning_bit) |
             flag(bpdu.forwarding, forwarding_bit) | flag(bpdu.agreement, agreement_bit);
    return static_cast<uint8_t>(flags | static_cast<unsigned>(bpdu.role) << role_bits);
}

std::optional<BpduKind> kind_of(std::span<const uint8_t> octets) {
    if (octets.size() < topology_change_octets || read_16(octets.data()) != 0) return {};
    switch (octets[type_at]) {
        case topology_change_type:
            return BpduKind::topology_change;
        case configuration_type:
            if (octets.size() < configuration_octets) return {};
            return BpduKind::configuration;
        case rst_type:
            if (octets.size() < rst_octets || octets[version_at] < rst_version) return {};
            return BpduKind::rst;
        default:
            return {};
    }
}

std::size_t octets_of(BpduKind kind) {
    if (kind == BpduKind::topology_change) return topology_change_octets;
    return kind == BpduKind::rst ? rst_octets : configuration_octets;
}

}  // namespace

std::optional<Bpdu> read_bpdu(std::span<const uint8_t> frame) {
    if (frame.size() < bpdu_at || !std::ranges::equal(frame.subspan(14, llc.size()), llc)) {
        return {};
    }
    const std::size_t length = read_16(&frame[length_at]);
    if (length < llc.size() || 14 + length > frame.size()) return {};
    const std::span<const uint8_t> octets = frame.subspan(bpdu_at, length - llc.size());
    const std::optional<BpduKind> kind = kind_of(octets);
    if (!kind) return {};
    Bpdu bpdu{.kind = *kind};
    if (*kind == BpduKind::topology_change) return bpdu;
    read_flags(octets[flags_at], bpdu);
    bpdu.priority = {.root = {read_64(&octets[root_at])},
                     .cost = read_32(&octets[cost_at]),
                     .bridge = {read_64(&octets[bridge_at])},
                     .port = {read_16(&octets[port_at])}};
    bpdu.times = {.message_age = read_time(&octets[times_at]),
                  .max_age = read_time(&octets[times_at + 2]),
                  .hello = read_time(&octets[times_at + 4]),
                  .forward_delay = read_time(&octets[times_at + 6])};
    return bpdu;
}

Octets frame_of(const Bpdu& bpdu, MacAddress source) {
    const std::size_t length = octets_of(bpdu.kind);
    Octets frame(std::max(shortest_frame, bpdu_at + length));
    write_address(frame.data(), bridge_group_address);
    write_address(&frame[6], source);
    write_16(&frame[length_at], static_cast<uint16_t>(llc.size() + length));
    std::ranges::copy(llc, &frame[14]);
    uint8_t* const octets = &frame[bpdu_at];
    if (bpdu.kind == BpduKind::topology_change) {
        octets[type_at] = topology_change_type;
        return frame;
    }
    const bool is_rst = bpdu.kind == BpduKind::rst;
    octets[version_at] = is_rst ? rst_version : 0;
    octets[type_at] = is_rst ? rst_type : configuration_type;
    octets[flags_at] = flags_of(bpdu);
    write_64(octets + root_at, bpdu.priority.root.bits);
    write_32(octets + cost_at, bpdu.priority.cost);
    write_64(octets + bridge_at, bpdu.priority.bridge.bits);
    write_16(octets + port_at, bpdu.priority.port.bits);
    write_time(octets + times_at, bpdu.times.message_age);
    write_time(octets + times_at + 2, bpdu.times.max_age);
    write_time(octets + times_at + 4, bpdu.times.hello);
    write_time(octets + times_at + 6, bpdu.times.forward_delay);
    return frame;
}

}  // namespace sluice::rstp
