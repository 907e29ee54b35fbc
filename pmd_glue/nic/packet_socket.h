// Packet socket: a packet socket that receives nothing until it is bound, for settings that the
// kernel keeps as long as the socket is open.
// Opening it needs CAP_NET_RAW; without it the socket is not open.
// Source: packet(7).
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd::nic {

class PacketSocket : public FileDescriptor {
  public:
    using FileDescriptor::FileDescriptor;
    static PacketSocket open() {
        return PacketSocket(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
    }
    template <class Value>
    [[nodiscard]] bool set(int level, int option, const Value& value) const {
        return ::setsockopt(number(), level, option, &value, sizeof value) == 0;
    }
};

// Returns an error text for the last system call: what was refused, and why.
inline std::string refused(const char* what) {
    return std::string("the kernel refuses ") + what + " (" + std::strerror(errno) + ")";
}

}  // namespace sluice::pmd::nic
