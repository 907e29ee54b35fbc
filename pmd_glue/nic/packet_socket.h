// Packet socket: one that receives nothing, for what the kernel does as long as it is open.
// To be had with CAP_NET_RAW; without, it is not open.
// Source: packet(7).
#pragma once

#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace sluice::pmd::nic {

class PacketSocket {
  public:
    PacketSocket() = default;  // not open
    static PacketSocket open() {
        PacketSocket socket;
        socket.number_ = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
        return socket;
    }
    PacketSocket(PacketSocket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    PacketSocket& operator=(PacketSocket&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~PacketSocket() { close(); }

    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    [[nodiscard]] int number() const { return number_; }
    template <class Value>
    [[nodiscard]] bool set(int level, int option, const Value& value) const {
        return ::setsockopt(number_, level, option, &value, sizeof value) == 0;
    }

  private:
    int number_ = -1;
};

}  // namespace sluice::pmd::nic
