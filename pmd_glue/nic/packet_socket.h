// Packet socket: one that receives nothing, for what the kernel does as long as it is open.
// To be had with CAP_NET_RAW; without, it is not open.
// Source: packet(7).
#pragma once

#include <sys/socket.h>

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

}  // namespace sluice::pmd::nic
