// Pauses: reads and builds pause frames for tests.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "tests/support/octets.h"

namespace sluice::test {

// Returns the pause frame as a port that accepts any sender reads it; nothing if it is not legal.
inline std::optional<PauseFrame> pause_in(std::span<const uint8_t> octets) {
    PauseFrame pause;
    if (read_pause_frame(octets, {}, pause) != Drop::none) return {};
    return pause;
}

// Returns an XOFF of `quanta` for each of `priorities`; 0 quanta: XON.
inline PauseFrame pause_of(PrioritySet priorities, uint16_t quanta) {
    PauseFrame pause;
    pause.enabled = priorities;
    pause.time.fill(quanta);
    return pause;
}
inline Octets octets_of(const PauseFrame& pause, MacAddress source = station(60)) {
    Octets octets(pause_frame_octets);
    write_pause_frame(std::span<uint8_t, pause_frame_octets>(octets), source, pause);
    return octets;
}

}  // namespace sluice::test
