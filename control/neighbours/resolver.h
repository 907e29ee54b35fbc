// Resolver: ARP (RFC 826) and neighbour discovery (RFC 4861) at one port with addresses: who asks
// for these is answered, and the stations that tunnels there need are asked for.
//
// One that is not known is asked of everybody, or of its group: after 1, 1 and 1 s, then ever more
// seldom, down to once in 32 s. One that is known is asked itself once it was not heard for 30 s,
// each second; not heard for 40 s it is known no more. Heard is whoever asks for one of the port's
// addresses, or answers, and says what its MAC is: so who is only talked about is not believed, and
// an answer that does not say keeps the one that is known. A MAC that one announces of itself, by
// an ARP announcement or an advertisement that nobody asked for, takes the place of another one
// that is known, or of none (RFC 826, RFC 4861 7.2.5). Everybody is asked at once whether that is
// so, so that the one that has the address says it; if nobody does for 10 s it is known no more. So
// whoever is on that network can draw to him for a moment what is for another. No entry is made for
// anybody else. That
// another has an address of the port's is told of once, and that is all: neither RFC 5227 nor
// duplicate address detection (RFC 4862 5.4) is done, though who does that is answered.
// The port announces its addresses, its own before its SIDs: all where it is told to, and a SID
// that is new.
// Pure: time is an argument, what is to be sent and what changed are returned. Bound: O(entries).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "control/neighbours/arp.h"
#include "control/neighbours/discovery.h"
#include "dataplane/ip_address.h"
#include "dataplane/units.h"

namespace sluice::neighbours {

struct Neighbour {
    IpAddress ip;
    MacAddress mac;   // 0: it is not known
    Nanos last_seen;  // when it last was
    Nanos expires;    // when it is known no more if it is not heard again
    Nanos next_request;
    unsigned asked = 0;        // since it was heard
    bool is_verified = false;  // it spoke to us

    [[nodiscard]] bool is_known() const { return mac.bits != 0; }
};

enum class Event : uint8_t { resolved, moved, lost, same_address };

struct Change {
    Event event = Event::resolved;
    MacAddress mac;
    IpAddress ip;
};

// What a port has for its own, of each version one.
struct OwnAddresses {
    MacAddress mac;
    std::optional<Ipv4Address> ipv4;
    std::optional<Ipv6Address> ipv6;

    friend bool operator==(const OwnAddresses&, const OwnAddresses&) = default;
};

using Octets = std::vector<uint8_t>;

class Resolver {
  public:
    static constexpr Nanos first_pause{1'000'000'000};
    static constexpr Nanos longest_pause = first_pause * 32;
    static constexpr Nanos fresh = first_pause * 30;
    static constexpr Nanos known = first_pause * 40;

    explicit Resolver(const OwnAddresses& own) : own_(own) {}

    // Those that are asked for from now on, each of a version that the port has an address of; of
    // others nothing is kept.
    void want(std::span<const IpAddress> stations, Nanos now);
    // Who asks for these from now on is answered as well.
    void set_sids(std::vector<Ipv6Address> sids);
    // What is to be answered, if anything.
    std::optional<Octets> receive(std::span<const uint8_t> octets, Nanos now,
                                  std::vector<Change>& changes);
    // Everybody is to be told the MAC of each of its addresses.
    void announce();
    // The next of these, until `announced`, if there is one: an announcement of ARP (RFC 5227 3),
    // or an unsolicited advertisement (RFC 4861 7.2.6).
    [[nodiscard]] std::optional<Octets> announcement() const;
    void announced() { unannounced_.erase(unannounced_.begin()); }
    // What is to be asked now.
    std::vector<Octets> proceed(Nanos now, std::vector<Change>& changes);

    [[nodiscard]] std::optional<MacAddress> find(const IpAddress& ip) const;
    [[nodiscard]] const OwnAddresses& own() const { return own_; }
    [[nodiscard]] std::span<const Neighbour> neighbours() const { return neighbours_; }

  private:
    std::optional<Octets> receive_arp(const ArpPacket& packet, Nanos now,
                                      std::vector<Change>& changes);
    std::optional<Octets> receive_solicitation(const Solicitation& packet, Nanos now,
                                               std::vector<Change>& changes);
    void receive_advertisement(const Advertisement& packet, Nanos now,
                               std::vector<Change>& changes);
    void learn(MacAddress mac, const IpAddress& ip, Nanos now, std::vector<Change>& changes);
    void learn_announced(MacAddress mac, const IpAddress& ip, Nanos now,
                         std::vector<Change>& changes);
    // Null: it is not wanted.
    Neighbour* find_wanted(const IpAddress& ip);
    static void set_mac(Neighbour& neighbour, MacAddress mac, std::vector<Change>& changes);
    void report_same_address(MacAddress mac, const IpAddress& ip, std::vector<Change>& changes);
    [[nodiscard]] bool is_own(const Ipv6Address& ip) const;
    [[nodiscard]] Octets question(const Neighbour& neighbour) const;

    OwnAddresses own_;
    std::vector<Ipv6Address> sids_;
    std::vector<IpAddress> unannounced_;
    std::vector<Neighbour> neighbours_;
    bool same_address_reported_ = false;
};

}  // namespace sluice::neighbours
