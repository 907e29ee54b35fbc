// Headroom: computes the room of a lossless group for frames that arrive after it paused its peer.
//
// The XOFF waits for one frame that the port is sending, and travels to the peer. The peer takes
// its response time and ends the frame that it is sending. Then all frames on the cable still
// arrive:
//
//   MTU of the priority
//     + cell overhead x (MTU of the port + 2 x length x speed / (8 x 1.98e8 m/s)
//                        + MAC and PHY delay + response + 2 x relay delay)
//
// rounded up to whole KiB. The frame that triggers the pause is not included, as the shared buffer
// has room for it.
// The time of the pause frame itself on the wire and the cells of the last frame are not included
// either; the rounding mostly covers both. `in_cells` counts both, so that its result is always
// enough.
// If the peer is an end of a relay (pfc/pause_relay.h), the sender behind the relay receives the
// XOFF one relay delay later, and the frames of that sender that are under way take the same time.
// This is the reserve of draft-he-rtgwg-wan-pfc-00 3.2, but computed for the whole speed and
// counted twice: the draft omits the frames that are under way when the pause is sent.
// `response` is the time from the XOFF to the last frame of the peer. A NIC responds within the
// time of the standard (`hardware_response`). Software needs microseconds; if the peer is this
// switch, its delay of polling is added. Follows 802.1Q annex N, and SONiC's buffer model.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice {

struct HeadroomNeeds {
    BitsPerSecond speed{10'000'000'000};
    int64_t cable_millimetres = 5'000;
    Bytes mtu{1500};       // longest frame of the lossless priority
    Bytes port_mtu{1500};  // longest frame of any priority
    Bytes mac_phy{0};      // delays of the two MACs and PHYs, in octets at `speed`
    Nanos response{0};
    Nanos relay_delay{0};             // one way, between the ends of the relay
    int64_t cell_overhead_128 = 128;  // octets charged for an octet on the wire, in 1/128
};

// Returns the response time that the standard permits a peer, in quanta. A speed between two rows
// has the response time of the higher row.
constexpr Quanta hardware_quanta(BitsPerSecond speed) {
    struct Row {
        int64_t gigabits;
        int64_t quanta;
    };
    constexpr std::array<Row, 6> rows = {
        {{10, 67}, {25, 80}, {40, 118}, {100, 394}, {200, 453}, {400, 905}}};
    for (const Row& row : rows) {
        if (speed.count() <= row.gigabits * 1'000'000'000) return Quanta(row.quanta);
    }
    return Quanta(rows.back().quanta);
}
constexpr Nanos hardware_response(BitsPerSecond speed) {
    return pause_time(hardware_quanta(speed), speed);
}

// The octets of a pause frame on the wire: 60, FCS, preamble and gap.
inline constexpr Bytes pause_frame_on_wire{84};

// Returns the most octets of buffer that an octet on the wire can cost, in 1/128. The worst cases
// are frames just longer than one cell, and the shortest frame.
constexpr int64_t worst_cell_overhead_128(Bytes cell) {
    constexpr int64_t shortest = 60;
    constexpr int64_t beside = wire_overhead.count();
    int64_t worst = 128;
    for (const int64_t cells : {1, 2}) {
        const int64_t length = std::max(shortest, (cells - 1) * cell.count() + 1);
        const int64_t charge = (length + cell.count() - 1) / cell.count() * cell.count();
        worst = std::max(worst, (charge * 128 + length + beside - 1) / (length + beside));
    }
    return worst;
}

constexpr Bytes whole_cells(Bytes length, Bytes cell) {
    assert(cell.count() > 0);
    return cell * ((length.count() + cell.count() - 1) / cell.count());
}

// Returns the needs of a link, rounded up for frames in whole cells.
constexpr HeadroomNeeds in_cells(HeadroomNeeds needs, Bytes cell) {
    needs.mtu = whole_cells(needs.mtu, cell);
    needs.mac_phy += pause_frame_on_wire;
    needs.cell_overhead_128 = worst_cell_overhead_128(cell);
    return needs;
}

constexpr Bytes headroom_for(const HeadroomNeeds& needs) {
    constexpr Wide kibibyte = 1024;
    // The number of units of the sum below that make an octet. A unit is 1/128 of 1e-9 bit.
    constexpr Wide scale = Wide{1'000'000'000} * 8 * 128;
    constexpr Wide millimetres_a_second = 198'000'000'000;
    const Wide there_and_back = 2 * Wide{needs.cable_millimetres} * needs.speed.count() *
                                1'000'000'000 / millimetres_a_second;
    const Nanos answer = needs.response + needs.relay_delay * 2;
    const Wide answering = Wide{answer.count()} * needs.speed.count();
    const Wide octets = Wide{(needs.port_mtu + needs.mac_phy).count()} * 8 * 1'000'000'000;
    const Wide in_flight = needs.cell_overhead_128 * (octets + there_and_back + answering);
    const Wide sum = Wide{needs.mtu.count()} * scale + in_flight;
    return Bytes(
        static_cast<int64_t>((sum + kibibyte * scale - 1) / (kibibyte * scale) * kibibyte));
}

// Returns the buffer that only one lossless group may use: its headroom, its reserve, and room for
// the frame that reaches XOFF.
constexpr Bytes set_aside_for(Bytes headroom, Bytes reserved, Bytes longest_frame, Bytes cell) {
    return headroom + reserved + whole_cells(longest_frame, cell);
}

}  // namespace sluice
