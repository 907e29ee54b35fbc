// Messages: reads the kernel's rtnetlink messages about links, forwarding entries and neighbours,
// and writes requests, as `ip link`, `bridge fdb` and `ip neighbour` do.
//
// An entry of a bridge names the bridge (NDA_MASTER). An entry of a VXLAN device itself (NTF_SELF)
// names the VTEP (NDA_DST); for address 0 it is an entry of the flood list. Neighbours belong to
// interfaces, here to the bridge: a neighbour that a routing daemon wrote is `remote`. Bound: reads
// only within the given octets, whatever they contain (fuzzed). Skipped are other families, VTEPs
// of IPv6, entries of a VLAN or of next hop groups, manual neighbours, and truncated attributes.
// Source: rtnetlink(7), linux/neighbour.h, linux/if_link.h, and the messages of FRR 8.4.
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
    uint32_t bridge = 0;  // 0: the entry is not of a bridge
    bool self = false;
    bool permanent = false;
    bool sticky = false;  // the address does not move
    bool dumped = false;  // part of a dump; false: a notification of a change
    MacAddress address = {};
    std::optional<Ipv4Address> vtep = {};
    // The time since the last write (NDA_CACHEINFO). The kernel renews it in a bridge's entry
    // whenever a daemon writes the entry, even if nothing changes and no notification is sent.
    std::optional<Nanos> age = {};

    friend bool operator==(const Entry&, const Entry&) = default;
};

struct Link {
    bool removed = false;
    uint32_t interface = 0;
    uint32_t bridge = 0;  // the bridge of which the link is a port; 0: none
    bool is_up = false;   // administratively up
    std::string name = {};
    bool is_vxlan = false;
    uint32_t vni = 0;                       // VNI of a VXLAN device
    std::optional<Ipv4Address> local = {};  // own address of a VXLAN device

    friend bool operator==(const Link&, const Link&) = default;
};

struct Neighbour {
    bool removed = false;  // the neighbour was removed, or its MAC is no longer known
    uint32_t interface = 0;
    bool remote = false;  // written by a routing daemon (NTF_EXT_LEARNED); false: local
    bool router = false;
    bool dumped = false;  // part of a dump; false: a notification of a change
    IpAddress ip = {};
    MacAddress mac = {};  // 0 if `removed`

    friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

// End of the answer to the request with `number`. `error` is an errno; 0: the request succeeded.
struct Answer {
    uint32_t number = 0;
    int error = 0;

    friend bool operator==(const Answer&, const Answer&) = default;
};

// The table changed while the dump with `number` was under way (NLM_F_DUMP_INTR): entries may be
// missing.
struct Interruption {
    uint32_t number = 0;

    friend bool operator==(const Interruption&, const Interruption&) = default;
};

using Message = std::variant<Entry, Link, Neighbour, Answer, Interruption>;
std::vector<Message> read_messages(std::span<const uint8_t> octets);

using Octets = std::vector<uint8_t>;
// Return requests for a dump of all links, entries or neighbours. The answers carry `number`.
Octets ask_for_links(uint32_t number);
Octets ask_for_entries(uint32_t number);
Octets ask_for_neighbours(uint32_t number);

// Adds an address to a bridge, at its port `interface`, without ageing; `sticky`: the address
// cannot move. The kernel acknowledges the request even if nothing changes; no notification is sent
// then.
Octets add_to_bridge(uint32_t number, uint32_t interface, MacAddress address, bool sticky);
Octets remove_from_bridge(uint32_t number, uint32_t interface, MacAddress address);
// Removes an address of a VXLAN device, or, if the address is 0, removes the VTEP from the device's
// flood list.
Octets remove_from_device(uint32_t number, uint32_t interface, MacAddress address,
                          Ipv4Address vtep);
// An IP address and its MAC. `add_neighbour` writes both as a neighbour that has just been
// resolved, and replaces the neighbour with that IP address.
struct Station {
    IpAddress ip;
    MacAddress mac;
    bool router = false;
};
Octets add_neighbour(uint32_t number, uint32_t interface, const Station& station);
Octets remove_neighbour(uint32_t number, uint32_t interface, const IpAddress& ip);

}  // namespace sluice::control::evpn
