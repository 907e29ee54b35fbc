// Port keys: the part of the schema (schema.h) under `ports[]` and `defaults`. Used only by
// schema.cc.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>

#include "config/bridge/bridging_keys.h"
#include "config/csig_keys.h"
#include "config/key_row.h"
#include "config/port/application_keys.h"
#include "config/port/credit_keys.h"
#include "config/port/ecn_keys.h"
#include "config/port/host_keys.h"
#include "config/port/key_parts.h"
#include "config/port/output_keys.h"
#include "config/port/pfc_keys.h"
#include "config/port/profiles.h"
#include "config/port/retry_keys.h"
#include "config/port/trim_keys.h"
#include "config/port/tunnel_keys.h"
#include "config/protocols/dcbx_keys.h"
#include "config/protocols/lldp_keys.h"
#include "config/protocols/sflow_keys.h"
#include "config/protocols/spanning_tree_keys.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto port_keys = std::to_array<Key>({
    key(Kind::name, "name", "what every other key, command and table calls the port",
        worked_out("`p0`, `p1`, ... in order")) |
        Is::own,
    key(Kind::device, "device", "what the port opens; no two ports open the same") | Is::required |
        Is::own | Is::not_simulated,
    key(Kind::text, "description",
        "what it is for, in words (ifAlias): for `show ports`, LLDP and metrics",
        worked_out("nothing"), 0, 64) |
        Is::own,
    key(Kind::address, "address", "source of the pause frames that the port sends",
        worked_out("the device's own; where it has none, made of the machine's ID, or for a tunnel "
                   "of the address of the port below it")) |
        Is::restart | Is::own | Is::not_simulated,
    key(Kind::map, "underlay",
        "addresses of the port, for tunnels over it (`vxlan:`, `srv6:`, `mpls:`)", {},
        underlay_keys) |
        Is::restart | Is::by_meaning | Is::own | Is::not_simulated,
    key(Kind::address, "next_hop",
        "static MAC address of the tunnel's next hop; disables ARP and neighbour discovery for it",
        worked_out("queried by ARP or neighbour discovery, of the other end or the first segment, "
                   "or of `underlay.gateway`, `gateway6`")) |
        Is::own | Is::not_simulated,
    key(Kind::list, "remotes",
        "for `vxlan:PORT/VNI`, or with `vnis`: the IPv4 addresses of the tunnel's VTEPs, if no "
        "routing daemon names them; each receives floods, and its stations are learned",
        "[]", a_remote, 0, most_remotes) |
        Is::own | Is::not_simulated | Is::distinct,
    key(Kind::table, "vnis",
        "for `vxlan:PORT`, without a VNI: each VLAN in a VNI of its own, up to 256, with the VTEPs "
        "of `remotes` or of a routing daemon; the port is a trunk of those VLANs",
        "{}", vlan_to_vni) |
        Is::restart | Is::own | Is::not_simulated,
    key(Kind::text, "local_sid", "for `srv6:`: the SID (End.DX2) that the other end sends to",
        worked_out("required there"), 0, 39) |
        Is::restart | Is::by_meaning | Is::own,
    key(Kind::boolean, "reduced_srh",
        "for `srv6:`: the segment routing header omits the first segment, and is omitted if there "
        "is only one (H.Encaps.L2.Red)",
        "true") |
        Is::restart | Is::by_meaning | Is::own,
    key(Kind::whole, "local_label", "for `mpls:`: the label that the other end puts at the bottom",
        worked_out("required there"), 16, 1048575) |
        Is::restart | Is::by_meaning | Is::own,
    key(Kind::boolean, "control_word",
        "for `mpls:`: the control word of RFC 4385 is before each frame, both ways", "true") |
        Is::restart | Is::by_meaning | Is::own,
    key(Kind::boolean, "entropy_label",
        "for `mpls:`: an entropy label of the frame's flow goes above the bottom one (RFC 6790); "
        "only for another end that skips it, as this switch does",
        "false") |
        Is::restart | Is::by_meaning | Is::own,
    key(Kind::map, "pause_relay",
        "for a tunnel: relays the pauses of its peer to the peer of another port, and back", {},
        pause_relay_keys) |
        Is::own | Is::not_simulated,
    key(Kind::whole, "worker", "the worker that polls the port; below `workers.count`",
        worked_out("the port's index modulo `workers.count`; of a tunnel its underlay's"), 0,
        max_workers - 1) |
        Is::restart | Is::by_meaning | Is::not_simulated,
    key(Kind::list, "lanes",
        "workers that receive from the port, each from a receive queue of its own (RSS); the first "
        "is the port's `worker`, and the device has as many queues; `[]`: only that worker",
        "[]", a_worker, 0, max_workers) |
        Is::restart | Is::by_meaning,
    key(Kind::choice, "admin_status",
        "`down`: the port receives and sends nothing, and its link is down if its device can do "
        "that",
        "up", admin_statuses),
    key(Kind::rate, "speed",
        "speed of the link, which gives a pause quantum its length; default of a tunnel: its "
        "underlay's",
        "10G", mega, 1600 * giga) |
        Is::not_simulated,
    key(Kind::rate, "rate", "the most that the port sends; 0: as fast as the device takes it", "0",
        mega, 1600 * giga) |
        Is::or_zero,
    key(Kind::size, "mtu",
        "octets of payload; a frame may have 22 more: its header and two tags. Default of a "
        "tunnel: its underlay's, less the outer headers (58 octets for VXLAN)",
        "1500B", 68, 9702) |
        Is::restart | Is::by_meaning,
    key(Kind::boolean, "promiscuous",
        "take frames for every address, as a switch has to; false filters in the device", "true") |
        Is::restart | Is::not_simulated,
    key(Kind::whole, "rx_descriptors", "frames that the device can hold before it is polled",
        worked_out("1024; 2048 with `af_xdp`"), 128, 8192) |
        Is::restart | Is::not_simulated | Is::power_of_two,
    key(Kind::whole, "tx_descriptors",
        "frames that the device can hold until it has sent them: all of these may follow a pause; "
        "`ring` and `memif` have one size both ways, the larger",
        worked_out("1024"), 128, 8192) |
        Is::restart | Is::not_simulated | Is::power_of_two,
    key(Kind::name, "format",
        "format of the port's frames: a preset, which `formats[].like` names, or one of `formats`; "
        "never guessed, and ports of another family are not bridged to it",
        "standard") |
        Is::restart | Is::by_meaning,
    key(Kind::whole, "default_vlan",
        "the VLAN of frames without a tag; a trunk has `vlan.native` for it", "1", 1, 4094) |
        Is::not_simulated,
    key(Kind::map, "vlan",
        "which VLANs the port has, and how it tags them; replaces `defaults.vlan` as a whole", {},
        port_vlan_keys) |
        Is::not_simulated | Is::one_piece,
    key(Kind::boolean, "isolated",
        "the port talks only to ports that are not isolated, such as uplinks", "false"),
    key(Kind::map, "fdb", "how the forwarding table treats what is learned here", {},
        port_fdb_keys),
    key(Kind::map, "loop_guard", "whether the port detects its own frames when they return", {},
        loop_guard_keys),
    key(Kind::map, "spanning_tree",
        "the port in the spanning tree, where the switch takes part in one", {},
        port_spanning_tree_keys),
    key(Kind::map, "storm_control", "limits for frames that are flooded or go to a group", {},
        storm_keys),
    key(Kind::whole, "default_priority", "the priority of frames that no trusted source gives one",
        "0", 0, 7),
    key(Kind::choice, "profile",
        "preset for `trust`, `pcp_to_priority` and `dscp_to_priority`; each of them that is "
        "configured replaces its part",
        "none", profile_names),
    key(Kind::list, "trust",
        "the first of these that a frame has decides its priority: its tag, its IP header, its "
        "traffic class, the DSCP of RoCEv2 alone, `application`; `[]`: none does",
        "[pcp, dscp, tc]", a_source, 0, priority_sources) |
        Is::distinct,
    key(Kind::list, "application",
        "priorities of applications (802.1Q D.2.11): advertised by `dcbx`, and given to frames "
        "where `trust` names `application`",
        "[]", an_application, 0, most_applications),
    key(Kind::list, "pcp_to_priority", "the priority of each PCP, 0 first",
        "[0, 1, 2, 3, 4, 5, 6, 7]", a_priority, 8, 8),
    key(Kind::table, "dscp_to_priority", "the priority of each DSCP; default for each: 0", "{}",
        dscp_to_priority),
    key(Kind::table, "tc_to_priority",
        "the priority of each traffic class, in a format that has them; default for each: "
        "`default_priority`",
        "{}", tc_to_priority),
    key(Kind::map, "remark", "what the port writes into the frames that it sends", {}, remark_keys),
    key(Kind::map, "scheduler", "which queue sends next; replaces `defaults.scheduler` as a whole",
        {}, scheduler_keys) |
        Is::one_piece,
    key(Kind::choice, "flow_control",
        "flow control of the link: `pfc`; `credit`, which sends a lossless priority only if the "
        "peer has room for it, and uses `pfc` while LLDP shows no peer with credit; or `none`, "
        "which neither pauses nor obeys; one excludes the others",
        "pfc", flow_controls),
    key(Kind::list, "lossless", "priorities that pause their peer instead of dropping", "[]",
        a_priority, 0, max_priorities) |
        Is::distinct,
    key(Kind::map, "pfc", "how a lossless priority pauses its peer, and is paused", {}, pfc_keys),
    key(Kind::map, "credit",
        "a port with `flow_control: credit`; it uses `pfc` while its peer does not use credit", {},
        credit_keys) |
        Needs::credit,
    key(Kind::map, "retry",
        "link-level retry: what the link loses of lossless priorities is sent again", {},
        retry_keys) |
        Is::not_simulated,
    key(Kind::table, "ecn",
        "priorities whose ECN-capable frames are marked where they wait for this port", "{}",
        priority_to_ecn),
    key(Kind::map, "trim",
        "frames for this port that are cut to their headers where they would be dropped", {},
        trim_keys) |
        Needs::trimming,
    key(Kind::map, "csig", "tags of congestion signalling in band, in frames that the port sends",
        {}, port_csig_keys),
    key(Kind::map, "lldp", "discovery of the neighbour at the other end of the link", {},
        port_lldp_keys),
    key(Kind::map, "dcbx", "exchange of priorities and bandwidths between the port and its peer",
        {}, port_dcbx_keys),
    key(Kind::map, "sflow", "how many of its frames are sampled for collectors", {},
        port_sflow_keys),
    key(Kind::map, "host",
        "which frames of an `af_xdp` interface the host keeps; the switch gets the others, without "
        "this key all. Replaces `defaults.host` as a whole",
        {}, host_keys) |
        Is::restart | Is::one_piece,
});

}  // namespace sluice::config::keys
