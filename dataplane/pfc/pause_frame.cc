#include "dataplane/pfc/pause_frame.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::size_t source_offset = 6;
constexpr std::size_t type_offset = 12;
constexpr std::size_t opcode_offset = 14;
constexpr std::size_t vector_offset = 16;
constexpr std::size_t times_offset = 18;
constexpr std::size_t shortest_pfc = times_offset + 2 * max_priorities;

constexpr uint16_t pfc_opcode = 0x0101;

}  // namespace

void write_pause_frame(std::span<uint8_t, pause_frame_octets> octets, MacAddress source,
                       const PauseFrame& pause) {
    std::ranges::fill(octets, uint8_t{0});
    write_address(octets.data(), mac_control_address);
    write_address(&octets[source_offset], source);
    write_16(&octets[type_offset], mac_control_ether_type);
    write_16(&octets[opcode_offset], pfc_opcode);
    write_16(&octets[vector_offset], pause.enabled);
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        write_16(&octets[times_offset + 2 * priority], pause.time[priority]);
    }
}

std::optional<PauseFrame> read_pause_frame(std::span<const uint8_t> octets) {
    if (octets.size() < shortest_pfc) return {};
    if (read_address(octets.data()) != mac_control_address) return {};
    if (read_address(&octets[source_offset]).is_group()) return {};
    if (read_16(&octets[type_offset]) != mac_control_ether_type) return {};
    if (read_16(&octets[opcode_offset]) != pfc_opcode) return {};
    const uint16_t vector = read_16(&octets[vector_offset]);
    if (vector > 0xFF) return {};

    PauseFrame pause;
    pause.enabled = static_cast<PrioritySet>(vector);
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        pause.time[priority] = read_16(&octets[times_offset + 2 * priority]);
    }
    return pause;
}

}  // namespace sluice
