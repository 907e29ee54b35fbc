// Collector: sends datagrams, of sFlow or IPFIX, to one collector, by a UDP socket that never
// waits.
//
// A datagram that the socket does not take, that is refused by the receiver, or for which there is
// no route is counted and lost; neither protocol has an acknowledgement, and a collector sees
// losses by the sequence numbers.
// A collector is unreachable from its first failure. It is reachable again when no datagram has
// failed for some time and several datagrams in a row have been sent. If no process listens there,
// only every second datagram fails, because the socket reports the refusal of one datagram at the
// next.
// Bound: one socket; if the socket cannot be made, it is retried at most once a second.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dataplane/types/units.h"

namespace sluice::control {

class Collector {
  public:
    static constexpr Nanos recovery_time{10'000'000'000};
    static constexpr unsigned recovery_datagrams = 3;

    // `endpoint`: an address and a port (config/yaml/endpoint.h).
    explicit Collector(std::string endpoint) : endpoint_(std::move(endpoint)) {}
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;
    ~Collector();

    void send(std::span<const uint8_t> datagram, Nanos now);
    // Returns whether the collector is reachable, if that changed since the last call.
    std::optional<bool> take_change();

    [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
    [[nodiscard]] uint64_t sent() const { return sent_; }
    [[nodiscard]] uint64_t lost() const { return lost_; }
    [[nodiscard]] bool is_reachable() const { return reachable_; }
    // Returns why the collector is not reachable.
    [[nodiscard]] const std::string& why() const { return why_; }
    // Returns the source address of the datagrams to the collector, 4 octets or 16; empty: there is
    // no route.
    [[nodiscard]] std::vector<uint8_t> local_address(Nanos now);

  private:
    bool open(Nanos now);
    void fail(int error, Nanos now);

    const std::string endpoint_;
    int socket_ = -1;
    std::optional<Nanos> tried_at_;
    uint64_t sent_ = 0;
    uint64_t lost_ = 0;
    bool reachable_ = true;
    bool reported_ = true;  // the last value returned by `take_change`
    std::string why_;
    Nanos failed_at_;
    unsigned sent_since_ = 0;  // datagrams sent since the last failure
};

}  // namespace sluice::control
