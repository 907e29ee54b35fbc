// All groups: makes a kernel interface receive frames for every group while the object exists, even
// if it is not promiscuous: LLDP, DCBX and multicast are sent to groups.
//
// It uses a packet socket that receives nothing. The kernel counts the requests, so other users are
// not disturbed, and drops a request when its process ends for any reason. Needs CAP_NET_RAW.
// Source: packet(7), PACKET_MR_ALLMULTI.
#pragma once

#include "pmd_glue/nic/packet_socket.h"

namespace sluice::pmd::nic {

class AllGroups {
  public:
    AllGroups() = default;  // no interface
    explicit AllGroups(unsigned interface_index);
    [[nodiscard]] bool joined() const { return socket_.is_open(); }

  private:
    PacketSocket socket_;
};

}  // namespace sluice::pmd::nic
