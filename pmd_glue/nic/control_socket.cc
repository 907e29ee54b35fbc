#include "pmd_glue/nic/control_socket.h"

#include <linux/if_packet.h>
#include <cerrno>
#include <cstring>

namespace sluice::pmd::nic {

ControlSocket::ControlSocket(unsigned interface_index, std::string& refusal)
    : socket_(PacketSocket::open()) {
    constexpr int control = 7;  // TC_PRIO_CONTROL of linux/pkt_sched.h
    sockaddr_ll place{};
    place.sll_family = AF_PACKET;
    place.sll_ifindex = static_cast<int>(interface_index);
    if (socket_.set(SOL_SOCKET, SO_PRIORITY, control) &&
        ::bind(socket_.number(), reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) {
        return;
    }
    refusal = std::strerror(errno);
    socket_.close();
}

bool ControlSocket::send(std::span<const uint8_t> octets) const {
    const ssize_t sent =
        ::send(socket_.number(), octets.data(), octets.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent == static_cast<ssize_t>(octets.size());
}

}  // namespace sluice::pmd::nic
