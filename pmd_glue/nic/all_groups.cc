#include "pmd_glue/nic/all_groups.h"

#include <linux/if_packet.h>

namespace sluice::pmd::nic {

AllGroups::AllGroups(unsigned interface_index) : socket_(PacketSocket::open()) {
    packet_mreq wanted{};
    wanted.mr_ifindex = static_cast<int>(interface_index);
    wanted.mr_type = PACKET_MR_ALLMULTI;
    if (!socket_.set(SOL_PACKET, PACKET_ADD_MEMBERSHIP, wanted)) socket_.close();
}

}  // namespace sluice::pmd::nic
