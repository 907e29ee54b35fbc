// KernelSocket: a netlink socket (rtnetlink) that never waits: requests to the kernel, their
// answers, and notifications of links, forwarding entries and neighbours.
//
// Answers and notifications arrive at the same socket, so that they keep the order of the events. A
// message is lost if the kernel had no room for it, or if it exceeds a datagram; `take` reports
// that, and everything has to be requested again. Messages that do not come from the kernel are
// ignored.
// Bound: `most_a_turn` datagrams a turn. The kernel keeps up to `waiting_octets` octets of
// datagrams, or less if its limit is lower (`why_small`).
// `Kernel` is the interface that a manager uses, so that a test can stand in for the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sluice::control::evpn {

class Kernel {
  public:
    Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    virtual ~Kernel() = default;

    // Returns why the socket is not open; empty: it is open.
    [[nodiscard]] virtual const std::string& why_not() const = 0;
    // Returns why the receive buffer is smaller than requested; empty: it is not smaller.
    [[nodiscard]] virtual const std::string& why_small() const = 0;
    struct Taken {
        bool lost = false;  // messages were lost
        bool more = false;  // more messages may be waiting
    };
    using Visit = std::function<void(std::span<const uint8_t>)>;
    virtual Taken take(const Visit& visit) = 0;
    // Sends one request. Returns false if the kernel did not take it.
    [[nodiscard]] virtual bool send(std::span<const uint8_t> octets) = 0;
};

class KernelSocket final : public Kernel {
  public:
    static constexpr std::size_t most_a_turn = 4096;
    static constexpr int waiting_octets = 8 * 1024 * 1024;

    KernelSocket();
    ~KernelSocket() override;

    [[nodiscard]] const std::string& why_not() const override { return why_not_; }
    [[nodiscard]] const std::string& why_small() const override { return why_small_; }
    Taken take(const Visit& visit) override;
    [[nodiscard]] bool send(std::span<const uint8_t> octets) override;

  private:
    int socket_;
    std::string why_not_;
    std::string why_small_;
    std::vector<uint8_t> buffer_;
};

}  // namespace sluice::control::evpn
