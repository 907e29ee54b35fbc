// KernelSocket: rtnetlink, never waited for: what changes of links and of forwarding entries, and
// what is asked.
//
// One socket for both, so that what a listing says and what has changed since come in the order in
// which it was so. What the kernel has no room for is lost, and told as `lost`: then all has to be
// asked for again.
// Bound: a turn takes `most_a_turn` datagrams. Only what comes from the kernel itself is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sluice::control::evpn {

class KernelSocket {
  public:
    static constexpr std::size_t most_a_turn = 64;

    KernelSocket();
    KernelSocket(const KernelSocket&) = delete;
    KernelSocket& operator=(const KernelSocket&) = delete;
    ~KernelSocket();

    // Empty: it is open.
    [[nodiscard]] const std::string& why_not() const { return why_not_; }
    // False: something was lost.
    bool take(const std::function<void(std::span<const uint8_t>)>& visit);
    void send(std::span<const uint8_t> octets);

  private:
    int socket_ = -1;
    std::string why_not_;
    std::vector<uint8_t> buffer_;
    bool lost_ = false;  // a request
};

}  // namespace sluice::control::evpn
