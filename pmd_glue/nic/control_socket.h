// Control socket: sends the switch's frames to its neighbour through a socket with the priority
// that Linux reserves for control (7, TC_PRIO_CONTROL), next to the device by which a port sends
// data.
//
// The kernel's ice driver drops pause frames and LLDP from software. Only on the physical
// function's own interface, with the firmware's LLDP agent stopped, does it send LLDP and frames of
// priority 7 (ice_xmit_frame_ring). DPDK's af_packet and af_xdp drivers send everything with
// priority 0. The kernel queues the frame and serves priority 7 first, so the frame does not wait
// for the port's own ring. It does wait for an unknown number of frames in the queue of the
// kernel's driver (Port::has_pause_queue returns false).
// The socket carries only frames that end at the neighbour: those whose destination is
// 01-80-C2-00-00-00 to -0F.
// Bound: one system call a frame, which never waits; a frame that the kernel has no room for is
// refused. Opening it needs CAP_NET_RAW, using it does not.
// Source: socket(7), SO_PRIORITY; Linux ethernet/intel/ice/ice_txrx.c.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dataplane/types/address.h"
#include "pmd_glue/nic/packet_socket.h"

namespace sluice::pmd::nic {

class ControlSocket {
  public:
    ControlSocket() = default;  // no interface
    // `refusal`: set to the kernel's error if the socket cannot be opened.
    ControlSocket(unsigned interface_index, std::string& refusal);

    [[nodiscard]] bool is_open() const { return socket_.is_open(); }
    [[nodiscard]] bool carries(std::span<const uint8_t> octets) const {
        return is_open() && octets.size() >= 14 && read_address(octets.data()).is_reserved();
    }
    // Returns false if the frame was refused and has to be resent.
    [[nodiscard]] bool send(std::span<const uint8_t> octets) const;

  private:
    PacketSocket socket_;
};

}  // namespace sluice::pmd::nic
