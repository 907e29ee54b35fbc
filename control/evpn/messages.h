// Messages: what the kernel says of links, of forwarding entries and of neighbours by rtnetlink,
// read, and what it is asked, written. As `ip link`, `bridge fdb` and `ip neighbour` have it.
//
// An entry is said by whose it is: a bridge's names the bridge (NDA_MASTER); a VXLAN device's own
// (NTF_SELF) names the VTEP (NDA_DST), and that of address 0 is one of its flood list. Neighbours
// are those of interfaces, here of the bridge: one that a routing daemon wrote is `remote`.
// Bound: what is read lies within the octets that are given, whatever they say (fuzzed). What is
// of no use here is left out: other families, VTEPs of IPv6, entries of a VLAN or of next hop
// groups, neighbours that are written by hand, attributes that are cut short.
// Source: rtnetlink(7), linux/neighbour.h, linux/if_link.h; what FRR 8.4 sends was looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/units.h"

namespace sluice::control::evpn {

struct Entry {
    bool removed = false;
    uint32_t interface = 0;
    uint32_t bridge = 0;  // 0: not a bridge's
    bool self = false;
    bool permanent = false;
    bool sticky = false;  // it does not move
    bool dumped = false;  // as it is, since it was asked for; else it has just become so
    MacAddress address = {};
    std::optional<Ipv4Address> vtep = {};
    // How long ago it was written last (NDA_CACHEINFO). Of a bridge's entry the kernel renews that
    // whenever a daemon writes it, also where nothing changes and no message comes.
    std::optional<Nanos> age = {};

    friend bool operator==(const Entry&, const Entry&) = default;
};

struct Link {
    bool removed = false;
    uint32_t interface = 0;
    uint32_t bridge = 0;  // that it is a port of; 0: of none, or its master is no bridge
    bool is_up = false;   // administratively
    std::string name = {};
    bool is_vxlan = false;
    uint32_t vni = 0;                       // likewise
    std::optional<Ipv4Address> local = {};  // its end

    friend bool operator==(const Link&, const Link&) = default;
};

struct Neighbour {
    bool removed = false;  // or it is not known any more where it is
    uint32_t interface = 0;
    bool remote = false;  // a routing daemon says so (NTF_EXT_LEARNED); else it is here
    bool router = false;
    bool dumped = false;  // as of an entry
    IpAddress ip = {};
    MacAddress mac = {};  // 0 where it was removed

    friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

// The end of the answer to the request of that number; `error`, an errno: it failed.
struct Answer {
    uint32_t number = 0;
    int error = 0;

    friend bool operator==(const Answer&, const Answer&) = default;
};

// The table changed while the answer to that number was under way (NLM_F_DUMP_INTR): entries may be
// missing.
struct Interruption {
    uint32_t number = 0;

    friend bool operator==(const Interruption&, const Interruption&) = default;
};

using Message = std::variant<Entry, Link, Neighbour, Answer, Interruption>;
std::vector<Message> read_messages(std::span<const uint8_t> octets);

using Octets = std::vector<uint8_t>;
// All of them. `number` comes back in the answer.
Octets ask_for_links(uint32_t number);
Octets ask_for_entries(uint32_t number);
Octets ask_for_neighbours(uint32_t number);

// Of a bridge: an address at its port `interface`, which does not age; `sticky`: and does not move.
// It is answered even where nothing had to change, of which no message comes.
Octets add_to_bridge(uint32_t number, uint32_t interface, MacAddress address, bool sticky);
Octets remove_from_bridge(uint32_t number, uint32_t interface, MacAddress address);
// Of a VXLAN device: an address, or with 0 the VTEP in its flood list.
Octets remove_from_device(uint32_t number, uint32_t interface, MacAddress address,
                          Ipv4Address vtep);
// Of an interface: a neighbour as if it had just been resolved, in place of what was known of it.
struct Station {
    IpAddress ip;
    MacAddress mac;
    bool router = false;
};
Octets add_neighbour(uint32_t number, uint32_t interface, const Station& station);
Octets remove_neighbour(uint32_t number, uint32_t interface, const IpAddress& ip);

}  // namespace sluice::control::evpn
