// Pause frames: 802.1Qbb priority-based flow control (PFC), as octets. An 802.3x pause of the whole
// link is not PFC and not obeyed.
//
// Layout (802.1Q 36.1.3.3, 802.3 annex 31B and 31D): destination 01-80-C2-00-00-01, source of the
// sending port, EtherType 0x8808, opcode 0x0101, a 16-bit class-enable vector whose high octet is
// 0, eight 16-bit times in quanta, zeros up to 60 octets (the FCS is the device's business).
// Not done here: deciding when to send (xoff.h), or acting on what is heard (pause_gate.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/address.h"
#include "dataplane/limits.h"
#include "dataplane/units.h"

namespace sluice {

inline constexpr std::size_t pause_frame_octets = 60;
inline constexpr uint16_t mac_control_ether_type = 0x8808;

struct PauseFrame {
    PrioritySet enabled = 0;                      // whose times count
    std::array<uint16_t, max_priorities> time{};  // quanta; 0 ends the pause
};

void write_pause_frame(std::span<uint8_t, pause_frame_octets> octets, MacAddress source,
                       const PauseFrame& pause);

// Reads a MAC control frame. Nothing if it is not legal PFC: wrong destination, group source,
// opcode other than 0x0101, shorter than its times, or a high octet in the enable vector.
std::optional<PauseFrame> read_pause_frame(std::span<const uint8_t> octets);

}  // namespace sluice
