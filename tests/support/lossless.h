// Lossless: settings and frames for tests of priority 3, which must lose no frames.
#pragma once

#include "dataplane/types/settings.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::test {

inline constexpr PrioritySet three = 0b0000'1000;

// Priority 3 is lossless. A frame of 60 octets is charged a cell of 256, so XOFF is 32 frames, XON
// 16, and the headroom has room for 32 more.
inline Settings lossless_settings(std::size_t ports = 2) {
    Settings settings = settings_of(ports);
    for (PortSettings& port : settings.ports) {
        port.pfc = {.lossless = three,
                    .xoff = Bytes(8 * 1024),
                    .xon = Bytes(4 * 1024),
                    .headroom = Bytes(8 * 1024),
                    .pause = Quanta(1000)};
    }
    settings.buffer.size = Bytes(128 * 1024);
    return settings;
}

// Returns a frame from the station of one port to that of another.
inline FrameSpec to(unsigned port, uint8_t pcp = 3, unsigned from = 0) {
    return {.to = station(port), .from = station(from), .tag = Tag{.vlan = 0, .pcp = pcp}};
}

}  // namespace sluice::test
