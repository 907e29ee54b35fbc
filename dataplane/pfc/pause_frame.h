// Pause frames: reads and writes 802.1Qbb priority-based flow control (PFC), and the 802.3x pause
// of the whole link.
//
// Layout (802.1Q 36.1.3.3, 802.3 annex 31B and 31D): destination 01-80-C2-00-00-01, source of the
// sending port, EtherType 0x8808, opcode 0x0101, a 16-bit class-enable vector whose high octet is
// 0, eight 16-bit times in quanta, zeros up to 60 octets (the device adds the FCS). 802.3x has
// opcode 0x0001 and one time.
// A relayed pause (pause_relay.h) contains the number of relays that it passed, in a field that
// other receivers ignore (802.1Q 36.1.3.3): the time of the highest class that is not enabled. The
// value of that field is 0x52D0 plus the number, 1 to 15. If all classes are enabled there is no
// such field.
// Not done here: deciding when to send (pause_sender.h), or obeying received frames (pause_gate.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/pause_peers.h"
#include "dataplane/types/units.h"

namespace sluice {

inline constexpr std::size_t pause_frame_octets = 60;
inline constexpr uint16_t mac_control_ether_type = 0x8808;

struct PauseFrame {
    PrioritySet enabled = 0;                      // classes whose times count
    std::array<uint16_t, max_priorities> time{};  // quanta; 0 ends the pause
    bool whole_link = false;                      // 802.3x, which pauses lossy priorities too
    uint8_t relays = 0;                           // relays that the pause passed, at most 15
};
inline constexpr uint8_t most_relays = 15;

// The frames that a port accepts.
struct PauseRules {
    const PausePeers* peers = nullptr;  // legal sources; null: any address that is not a group
    bool link_pause = false;            // whether 802.3x is accepted too
};

void write_pause_frame(std::span<uint8_t, pause_frame_octets> octets, MacAddress source,
                       const PauseFrame& pause);

// Reads a MAC control frame. Returns Drop::none, or the reason why the frame is not legal:
// pause_destination, pause_source, pause_opcode, pause_length or pause_vector; then `pause` is
// unchanged.
Drop read_pause_frame(std::span<const uint8_t> octets, const PauseRules& rules, PauseFrame& pause);

}  // namespace sluice
