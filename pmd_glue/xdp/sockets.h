// Sockets: makes DPDK's af_xdp driver create its XDP sockets without libxdp's program.
//
// The driver makes libxdp load a program, attach it in a way that outlives the process, and look up
// its map by id, which needs CAP_SYS_ADMIN. The driver's `xdp_prog` would attach a program from a
// file in the same way. A flag of libxdp (XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD) skips all of this,
// but the driver does not pass it on. So our programs interpose a function for xsk_socket__create
// (meson.build makes the linker export it), which adds the flag and notes the queue of each socket.
// program.h directs frames to the sockets.
// Bound: one note for each socket until it is taken. One thread, control's.
// Not done here: the sockets themselves; the driver owns and closes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::pmd::xdp {

struct Socket {
    uint32_t queue = 0;
    int descriptor = -1;
};

// Returns the XDP sockets that were created on the interface since the last call.
std::vector<Socket> take_sockets(const std::string& interface);

// XDP_STATISTICS: frames that the kernel lost or refused, summed over several sockets.
struct SocketStatistics {
    uint64_t rx_dropped = 0;        // frames that were too long, or had no buffer for other reasons
    uint64_t rx_invalid_descs = 0;  // invalid buffers in the fill ring
    uint64_t tx_invalid_descs = 0;
    uint64_t rx_ring_full = 0;  // frames that were lost because the worker did not receive in time
    uint64_t rx_fill_ring_empty_descs = 0;  // times that the fill ring was empty
    uint64_t tx_ring_empty_descs = 0;       // times that the transmit ring was empty

    // Frames that reached the interface and were lost before the switch saw them.
    [[nodiscard]] uint64_t lost() const { return rx_dropped + rx_ring_full; }
};
SocketStatistics statistics_of(const std::vector<Socket>& sockets);

// Whether the kernel passes frames where the NIC has stored them, without a copy.
bool is_zero_copy(const Socket& socket);
// Whether the socket may be polled without an interrupt.
bool prefers_busy_poll(const Socket& socket);

}  // namespace sluice::pmd::xdp
