#include "pmd_glue/nic/all_groups.h"

#include <linux/if_packet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace sluice::pmd::nic {

AllGroups::AllGroups(unsigned interface_index)
    : socket_(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)) {
    packet_mreq wanted{};
    wanted.mr_ifindex = static_cast<int>(interface_index);
    wanted.mr_type = PACKET_MR_ALLMULTI;
    if (::setsockopt(socket_, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &wanted, sizeof wanted) == 0) {
        return;
    }
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

AllGroups::AllGroups(AllGroups&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

AllGroups& AllGroups::operator=(AllGroups&& other) noexcept {
    std::swap(socket_, other.socket_);
    return *this;
}

AllGroups::~AllGroups() {
    if (socket_ >= 0) ::close(socket_);
}

}  // namespace sluice::pmd::nic
