// Tunnel keys: the parts of the schema (schema.h) that stand under `underlay`, `remotes`, `vnis`
// and `pause_relay` of a port. For port_keys.h alone.
#pragma once

#include "config/port/key_parts.h"
#include "config/schema.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/tunnel/vxlan_datagram.h"

namespace sluice::config::keys {

inline constexpr std::array<Key, 1> a_remote = {
    {{.name = "remote", .kind = Kind::text, .highest = 15}}};
inline constexpr int64_t most_remotes = 1024;
inline constexpr std::array<Key, 2> vlan_to_vni = {whole("VLAN", 1, 4094),
                                                   whole("VNI", 1, highest_vni)};

inline constexpr auto underlay_keys = std::to_array<Key>({
    {.name = "address",
     .kind = Kind::text,
     .help = "the port's IPv4 address and the length of its network's prefix, as in 192.0.2.1/24; "
             "ARP requests for it are answered",
     .worked_out = "none, beside `address6`",
     .highest = 18},
    {.name = "gateway",
     .kind = Kind::text,
     .help =
         "the router to other ends of tunnels than those of that network; any beside an address "
         "with /32",
     .worked_out = "none: there are no others",
     .highest = 15},
    {.name = "address6",
     .kind = Kind::text,
     .help = "likewise of IPv6, as in 2001:db8::1/64; neighbour solicitations for it are answered, "
             "and for the SIDs of tunnels here",
     .worked_out = "none, beside `address`",
     .highest = 43},
    {.name = "gateway6",
     .kind = Kind::text,
     .help =
         "the router to other segments than those of that network; it may be link-local, and any "
         "beside an address with /128",
     .worked_out = "none: there are no others",
     .highest = 39},
    {.name = "vlan",
     .kind = Kind::whole,
     .help =
         "the VLAN of the network below: all frames of tunnels, ARP and neighbour discovery have "
         "its tag (802.1Q), and without it none is theirs",
     .worked_out = "none: they have no tag",
     .lowest = 1,
     .highest = 4094},
    {.name = "pcp",
     .kind = Kind::table,
     .help =
         "the PCP in that tag for the frames of each priority; of one that is not named its own "
         "number",
     .fallback = "{}",
     .inside = priority_to_pcp},
    {.name = "dscp",
     .kind = Kind::table,
     .help = "the DSCP in front of the frames of each priority; of one that is not named its class "
             "selector, 8 times the priority",
     .fallback = "{}",
     .inside = priority_to_dscp},
    {.name = "tc",
     .kind = Kind::table,
     .help = "the traffic class in the labels before the frames of each priority; of one that is "
             "not named its own number",
     .fallback = "{}",
     .inside = priority_to_tc},
});

inline constexpr auto pause_relay_keys = std::to_array<Key>({
    {.name = "port",
     .kind = Kind::name,
     .help = "the other end of the relay, the port to the gateway",
     .worked_out = "required"},
    {.name = "priorities",
     .kind = Kind::list,
     .help = "whose pauses are relayed and not obeyed; lossless ones of both ports",
     .worked_out = "all that are lossless at both",
     .inside = a_priority,
     .fewest = 1,
     .most = max_priorities,
     .distinct = true},
    {.name = "longest",
     .kind = Kind::time,
     .help = "what a peer pauses for longer without a break is cut, and relayed again once it has "
             "paused nothing for as long",
     .fallback = "1s",
     .lowest = millisecond,
     .highest = 60 * second},
    {.name = "depth",
     .kind = Kind::whole,
     .help = "how many relays a pause may go through in a row, this one counted; one WAN is two; "
             "what came through more is obeyed where it was received",
     .fallback = "2",
     .lowest = 1,
     .highest = most_relays},
    {.name = "limit",
     .kind = Kind::whole,
     .help = "pauses that may begin in a second at either end; what is beyond is obeyed where it "
             "was received; 0: no limit",
     .fallback = "10000",
     .highest = 10'000'000},
});

}  // namespace sluice::config::keys
