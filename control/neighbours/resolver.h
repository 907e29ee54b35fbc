// Resolver: ARP (RFC 826) and neighbour discovery (RFC 4861) at one port that has addresses:
// answers requests for these, and resolves the next hops of tunnels over the port.
//
// Requests for a next hop without a known MAC are sent to broadcast or its multicast group: after
// 1, 1 and 1 s, then at growing intervals up to 32 s. A known next hop that sent nothing for 30 s
// gets a request each second; after 40 s its MAC is unknown. Only packets that the station sends
// itself count: a request for one of the port's addresses, or an answer, with its own MAC. An
// answer without a MAC keeps the known MAC.
// A station may announce another MAC without a request (an ARP announcement, an unsolicited
// advertisement): the new MAC replaces the known one, if any (RFC 826, RFC 4861 7.2.5). The
// resolver verifies the new MAC at once by a request to all stations, so that the owner of the
// address answers; without an answer within 10 s the MAC is unknown again. So any station on that
// network can divert traffic for a moment.
// Stations that are no next hops get no entry. A station that uses one of the port's own addresses
// is reported once. Probing for duplicates (RFC 5227, RFC 4862 5.4) is not done, but probes are
// answered.
// The port announces its addresses, its own before its SIDs: all addresses by `announce`, and each
// new SID. Pure: time is an argument; packets to send and changes are returned. Bound: O(entries).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/neighbours/arp.h"
#include "control/neighbours/neighbour_discovery.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/units.h"

namespace sluice::neighbours {

struct Neighbour {
    IpAddress ip;
    MacAddress mac;   // 0: not known
    Nanos last_seen;  // time of the last packet that counts
    Nanos expires;    // when the MAC becomes unknown without a further packet
    Nanos next_request;
    unsigned asked = 0;        // requests since the neighbour's last packet
    bool is_verified = false;  // the neighbour answered a request, or requested this port's MAC

    [[nodiscard]] bool is_known() const { return mac.bits != 0; }
};

enum class Event : uint8_t { resolved, moved, lost, same_address };

struct Change {
    Event event = Event::resolved;
    MacAddress mac;
    IpAddress ip;
};

// Addresses of the port itself, one of each IP version.
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

    // Sets the next hops to resolve. The port must have an address of the IP version of each.
    // Entries of other stations are removed.
    void want(std::span<const IpAddress> stations, Nanos now);
    // Sets the SIDs for which solicitations are answered as well.
    void set_sids(std::vector<Ipv6Address> sids);
    // Returns the answer to send, if any.
    std::optional<Octets> receive(std::span<const uint8_t> octets, Nanos now,
                                  std::vector<Change>& changes);
    // Marks announcements of all addresses as due.
    void announce();
    // Returns the next announcement that is due, until `announced` is called: of ARP (RFC 5227 3),
    // or an unsolicited advertisement (RFC 4861 7.2.6). Empty: none is due.
    [[nodiscard]] std::optional<Octets> announcement() const;
    void announced() { unannounced_.erase(unannounced_.begin()); }
    // Returns the requests to send now, for up to `most` stations in turn; the others wait.
    std::vector<Octets> proceed(Nanos now, std::vector<Change>& changes,
                                std::size_t most = SIZE_MAX);

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
    // Returns null if the address is no next hop.
    Neighbour* find_wanted(const IpAddress& ip);
    static void set_mac(Neighbour& neighbour, MacAddress mac, std::vector<Change>& changes);
    void report_same_address(MacAddress mac, const IpAddress& ip, std::vector<Change>& changes);
    [[nodiscard]] bool is_own(const Ipv6Address& ip) const;
    [[nodiscard]] Octets question(const Neighbour& neighbour) const;

    OwnAddresses own_;
    std::vector<Ipv6Address> sids_;
    std::vector<IpAddress> unannounced_;
    std::vector<Neighbour> neighbours_;
    std::size_t ask_from_ = 0;  // index of the neighbour whose turn is next
    bool same_address_reported_ = false;
};

}  // namespace sluice::neighbours
