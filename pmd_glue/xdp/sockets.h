// Sockets: the XDP sockets that DPDK's af_xdp driver makes, without a program of libxdp's.
//
// The driver has libxdp load a program, attach it by a call that outlives the process, and find its
// map by a number, which takes CAP_SYS_ADMIN. Its `xdp_prog` would attach one of a file the same
// way. A flag of libxdp's leaves all of that out (XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD), and the
// driver does not pass it on. So libxdp is called in between: a function of ours stands in for
// xsk_socket__create in a program of ours (meson.build has the linker export it), adds the flag and
// notes which socket is of which queue. What gives the sockets their frames is program.h's.
// Bound: a note for each socket until it is taken. One thread, control's.
// Not done here: sockets themselves, which are the driver's, as is to close them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::pmd::xdp {

struct Socket {
    uint32_t queue = 0;
    int descriptor = -1;
};

// XDP sockets that were made on the interface since the last call.
std::vector<Socket> take_sockets(const std::string& interface);

// XDP_STATISTICS: what the kernel lost or refused. Sums where there are several sockets.
struct SocketStatistics {
    uint64_t rx_dropped = 0;        // frames too long, or with no place left for other reasons
    uint64_t rx_invalid_descs = 0;  // places offered for frames that were none
    uint64_t tx_invalid_descs = 0;
    uint64_t rx_ring_full = 0;              // frames that the worker did not come for in time
    uint64_t rx_fill_ring_empty_descs = 0;  // times that there was no place for a frame
    uint64_t tx_ring_empty_descs = 0;       // times that nothing was there to be sent

    // Frames that reached the interface and were lost before the switch saw them.
    [[nodiscard]] uint64_t lost() const { return rx_dropped + rx_ring_full; }
};
SocketStatistics statistics_of(const std::vector<Socket>& sockets);

// Whether the kernel puts frames where the NIC put them: no copy.
bool is_zero_copy(const Socket& socket);
// Whether it may be polled without an interrupt.
bool prefers_busy_poll(const Socket& socket);

}  // namespace sluice::pmd::xdp
