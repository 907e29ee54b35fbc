// All groups: has a kernel interface take frames for every group, as long as this lives, also where
// it is not promiscuous: LLDP, DCBX and multicast are for groups.
//
// By a packet socket that receives nothing: the kernel counts who asks, so others that do are in no
// way disturbed, and it ends with the process however that ends. To be had with CAP_NET_RAW.
// Source: packet(7), PACKET_MR_ALLMULTI.
#pragma once

#include "pmd_glue/nic/packet_socket.h"

namespace sluice::pmd::nic {

class AllGroups {
  public:
    AllGroups() = default;  // of no interface
    explicit AllGroups(unsigned interface_index);
    [[nodiscard]] bool joined() const { return socket_.is_open(); }

  private:
    PacketSocket socket_;
};

}  // namespace sluice::pmd::nic
