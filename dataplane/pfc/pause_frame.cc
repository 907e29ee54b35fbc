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
constexpr std::size_t shortest_link_pause = vector_offset + 2;

constexpr uint16_t pfc_opcode = 0x0101;
constexpr uint16_t link_pause_opcode = 0x0001;

constexpr uint16_t relays_mark = 0x52D0;
constexpr uint16_t relays_number = 0x000F;

// Returns the offset of the number of relays; 0 if the frame has no such number: all classes are
// enabled, or no class is, as in a probe.
std::size_t relays_offset(PrioritySet enabled) {
    const auto unused = static_cast<PrioritySet>(~enabled);
    if (enabled == 0 || unused == 0) return 0;
    return times_offset + std::size_t{2} * highest(unused);
}

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
    const std::size_t at = relays_offset(pause.enabled);
    if (pause.relays != 0 && at != 0) {
        write_16(&octets[at],
                 static_cast<uint16_t>(relays_mark | std::min(pause.relays, most_relays)));
    }
}

Drop read_pause_frame(std::span<const uint8_t> octets, const PauseRules& rules, PauseFrame& pause) {
    if (octets.size() < vector_offset) return Drop::pause_length;
    if (read_address(octets.data()) != mac_control_address) return Drop::pause_destination;
    const MacAddress source = read_address(&octets[source_offset]);
    const bool known = rules.peers == nullptr || rules.peers->obeys(source);
    if (source.is_group() || !known) return Drop::pause_source;
    if (read_16(&octets[type_offset]) != mac_control_ether_type) return Drop::pause_opcode;

    const uint16_t opcode = read_16(&octets[opcode_offset]);
    if (opcode == link_pause_opcode && rules.link_pause) {
        if (octets.size() < shortest_link_pause) return Drop::pause_length;
        pause.enabled = 0xFF;
        pause.time.fill(read_16(&octets[vector_offset]));
        pause.whole_link = true;
        pause.relays = 0;
        return Drop::none;
    }
    if (opcode != pfc_opcode) return Drop::pause_opcode;
    if (octets.size() < shortest_pfc) return Drop::pause_length;
    const uint16_t vector = read_16(&octets[vector_offset]);
    if (vector > 0xFF) return Drop::pause_vector;
    pause.enabled = static_cast<PrioritySet>(vector);
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        pause.time[priority] = read_16(&octets[times_offset + 2 * priority]);
    }
    pause.whole_link = false;
    const std::size_t at = relays_offset(pause.enabled);
    const uint16_t said = at != 0 ? read_16(&octets[at]) : uint16_t{0};
    const bool is_said = (said & ~relays_number) == relays_mark;
    pause.relays = is_said ? static_cast<uint8_t>(said & relays_number) : uint8_t{0};
    return Drop::none;
}

}  // namespace sluice
