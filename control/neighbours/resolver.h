// Resolver: ARP (RFC 826) at one port with an address: who asks for that is answered, and the
// stations that tunnels there need are asked for.
//
// One that is not known is asked of everybody: after 1, 1 and 1 s, then ever more seldom, down to
// once in 32 s. One that is known is asked itself once it was not heard for 30 s, each second; not
// heard for 40 s it is known no more. Heard is whoever asks for, or answers, the port's address: so
// who is only talked about is not believed. No entry is made for anybody else (RFC 5227 is not
// followed: that another has the port's address is told of once, and that is all).
// Pure: time is an argument, what is to be sent and what changed are returned. Bound: O(entries).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/neighbours/arp.h"
#include "dataplane/units.h"

namespace sluice::neighbours {

struct Neighbour {
    Ipv4Address ip;
    MacAddress mac;  // 0: it is not known
    Nanos heard;     // when it last was
    Nanos next_request;
    unsigned asked = 0;  // since it was heard

    [[nodiscard]] bool is_known() const { return mac.bits != 0; }
};

enum class Event : uint8_t { resolved, moved, lost, same_address };

struct Change {
    Event event = Event::resolved;
    Station station;
};

class Resolver {
  public:
    static constexpr Nanos first_pause{1'000'000'000};
    static constexpr Nanos longest_pause = first_pause * 32;
    static constexpr Nanos fresh = first_pause * 30;
    static constexpr Nanos known = first_pause * 40;

    explicit Resolver(const Station& own) : own_(own) {}

    // Those that are asked for from now on; of others nothing is kept.
    void want(std::span<const Ipv4Address> stations, Nanos now);
    // What is to be answered, if anything.
    std::optional<ArpFrame> hear(std::span<const uint8_t> octets, Nanos now,
                                 std::vector<Change>& changes);
    // What is to be asked now.
    std::vector<ArpFrame> proceed(Nanos now, std::vector<Change>& changes);

    [[nodiscard]] std::optional<MacAddress> find(Ipv4Address ip) const;
    [[nodiscard]] const Station& own() const { return own_; }
    [[nodiscard]] std::span<const Neighbour> neighbours() const { return neighbours_; }

  private:
    void learn(const Station& station, Nanos now, std::vector<Change>& changes);

    Station own_;
    std::vector<Neighbour> neighbours_;
    bool told_of_same_ = false;
};

}  // namespace sluice::neighbours
