// Tunnel keys: the parts of the schema (schema.h) under `underlay`, `remotes`, `vnis` and
// `pause_relay` of a port. Used only by port_keys.h.
#pragma once

#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/tunnel/vxlan_datagram.h"

namespace sluice::config::keys {

inline constexpr std::array<Key, 1> a_remote = {
    {{.name = "remote", .kind = Kind::text, .highest = 15}}};
inline constexpr int64_t most_remotes = 1024;
inline constexpr std::array<Key, 2> vlan_to_vni = {whole("VLAN", 1, 4094),
                                                   whole("VNI", 1, highest_vni)};

inline constexpr auto underlay_keys = std::to_array<Key>({
    key(Kind::text, "address",
        "the port's IPv4 address and the length of its network's prefix, as in 192.0.2.1/24; ARP "
        "requests for it are answered",
        worked_out("none, beside `address6`"), 0, 18),
    key(Kind::text, "gateway",
        "the router to other ends of tunnels that are not on that network; with an address of /32 "
        "it may be any",
        worked_out("none: all other ends are on that network"), 0, 15),
    key(Kind::text, "address6",
        "the port's IPv6 address and prefix length, as in 2001:db8::1/64; neighbour solicitations "
        "for it, and for the SIDs of tunnels here, are answered",
        worked_out("none, beside `address`"), 0, 43),
    key(Kind::text, "gateway6",
        "the router to segments and other ends that are not on that network; link-local is "
        "allowed, with an address of /128 any",
        worked_out("none: all other ends are on that network"), 0, 39),
    key(Kind::whole, "vlan",
        "the VLAN of the network below: all frames of tunnels, ARP and neighbour discovery have "
        "its tag (802.1Q); frames without it are not theirs",
        worked_out("no tag"), 1, 4094),
    key(Kind::table, "pcp",
        "the PCP in that tag for the frames of each priority; default for each: its own number",
        "{}", priority_to_pcp),
    key(Kind::table, "dscp",
        "the DSCP of the outer header for the frames of each priority; default for each: its class "
        "selector, 8 times the priority",
        "{}", priority_to_dscp),
    key(Kind::table, "tc",
        "the traffic class in the labels before the frames of each priority; default for each: its "
        "own number",
        "{}", priority_to_tc),
});

inline constexpr auto pause_relay_keys = std::to_array<Key>({
    key(Kind::name, "port", "the other end of the relay, the port to the gateway",
        worked_out("required")),
    key(Kind::list, "priorities",
        "priorities whose pauses are relayed and not obeyed; lossless at both ports",
        worked_out("all that are lossless at both"), a_priority, 1, max_priorities) |
        Is::distinct,
    key(Kind::time, "longest",
        "a pause that lasts longer without a break is cut; pauses are relayed again once the peer "
        "has paused nothing for as long",
        "1s", millisecond, 60 * second),
    key(Kind::whole, "depth",
        "relays that a pause may pass in a row, this one included; one WAN is two; a pause that "
        "passed more is obeyed where it was received",
        "2", 1, most_relays),
    key(Kind::whole, "limit",
        "pauses that may begin in a second at either end; those beyond it are obeyed where they "
        "were received; 0: no limit",
        "10000", 0, 10'000'000),
});

}  // namespace sluice::config::keys
