// Pause trial: a PFC frame that pauses nothing, to test a cable between two ports of one switch.
//
// It enables no class (802.1Q 36.1.3.3), so a receiver pauses nothing. The times of the classes,
// which have no meaning then, mark the frame. A NIC handles it like any PFC frame, by address,
// EtherType and opcode. Not done here: sending and receiving trials (control/proof/).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/relay_probe.h"

namespace sluice {

using TrialMark = std::array<uint16_t, max_priorities>;

inline void write_pause_trial(std::span<uint8_t, pause_frame_octets> octets, MacAddress source,
                              const TrialMark& mark) {
    write_pause_frame(octets, source, {.enabled = 0, .time = mark, .whole_link = false});
}

// Returns whether the frame is a PFC frame that enables no class and is not the probe of a relay.
inline bool is_pause_trial(std::span<const uint8_t> octets) {
    PauseFrame pause;
    return read_pause_frame(octets, {}, pause) == Drop::none && pause.enabled == 0 &&
           !RelayProbe::is_probe(pause.time);
}

}  // namespace sluice
