// Port keys: the part of the schema (schema.h) that stands under `ports[]` and `defaults`. For
// schema.cc alone.
//
// Choices stand in the order of the enumeration that they are read into (dataplane/settings.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "config/bridge/bridging_keys.h"
#include "config/port/application_keys.h"
#include "config/port/credit_keys.h"
#include "config/port/ecn_keys.h"
#include "config/port/host_keys.h"
#include "config/port/key_parts.h"
#include "config/port/output_keys.h"
#include "config/port/pfc_keys.h"
#include "config/port/profiles.h"
#include "config/port/trim_keys.h"
#include "config/port/tunnel_keys.h"
#include "config/protocols/dcbx_keys.h"
#include "config/protocols/lldp_keys.h"
#include "config/protocols/sflow_keys.h"
#include "config/protocols/spanning_tree_keys.h"
#include "config/schema.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice::config::keys {

// The first fourteen are a port's own; the rest may stand under `defaults` as well.
inline constexpr std::size_t own_port_keys = 14;
inline constexpr auto port_keys = std::to_array<Key>({
    {.name = "name",
     .kind = Kind::name,
     .help = "what every other key, command and table calls the port",
     .worked_out = "`p0`, `p1`, ... in order"},
    {.name = "device",
     .kind = Kind::device,
     .help = "what the port opens; no two ports open the same",
     .required = true},
    {.name = "description",
     .kind = Kind::text,
     .help = "what it is for, in words (ifAlias): for `show ports`, LLDP and metrics",
     .worked_out = "nothing",
     .highest = 64},
    {.name = "address",
     .kind = Kind::address,
     .help = "source of the pause frames that the port sends",
     .worked_out = "the device's own; where it brings none (memif, vhost, TAP, rings, captures, "
                   "tunnels), one made of the machine's ID (machine-id) or, for a tunnel, of the "
                   "address of the port below it",
     .restart = true},
    {.name = "underlay",
     .kind = Kind::map,
     .help = "addresses of the port, for tunnels over it (`vxlan:`, `srv6:`, `mpls:`)",
     .restart = true,
     .inside = underlay_keys},
    {.name = "next_hop",
     .kind = Kind::address,
     .help = "of a tunnel: whom its frames go to on the network below, for good",
     .worked_out = "asked by ARP or neighbour discovery, of the other end or the first segment, or "
                   "of `underlay.gateway`, `gateway6`"},
    {.name = "remotes",
     .kind = Kind::list,
     .help = "of `vxlan:PORT/VNI`, or with `vnis`: the IPv4 addresses of its VTEPs, where no "
             "routing daemon names them; each gets floods, and who is behind which is learned",
     .fallback = "[]",
     .inside = a_remote,
     .most = most_remotes,
     .distinct = true},
    {.name = "vnis",
     .kind = Kind::table,
     .help = "of `vxlan:PORT`, without a VNI: each VLAN in a VNI of its own, up to 256, with the "
             "VTEPs of `remotes` or of a routing daemon; the port is a trunk of those VLANs",
     .fallback = "{}",
     .restart = true,
     .inside = vlan_to_vni},
    {.name = "local_sid",
     .kind = Kind::text,
     .help = "of `srv6:`: the SID (End.DX2) that the other end sends to",
     .worked_out = "required there",
     .restart = true,
     .highest = 39},
    {.name = "reduced_srh",
     .kind = Kind::boolean,
     .help = "of `srv6:`: the segment routing header is without the first segment, and left out "
             "where there is but one (H.Encaps.L2.Red)",
     .fallback = "true",
     .restart = true},
    {.name = "local_label",
     .kind = Kind::whole,
     .help = "of `mpls:`: the label that the other end puts at the bottom",
     .worked_out = "required there",
     .restart = true,
     .lowest = 16,
     .highest = 1048575},
    {.name = "control_word",
     .kind = Kind::boolean,
     .help = "of `mpls:`: the control word of RFC 4385 is before each frame, both ways",
     .fallback = "true",
     .restart = true},
    {.name = "entropy_label",
     .kind = Kind::boolean,
     .help = "of `mpls:`: an entropy label by a frame's flow goes above the bottom one (RFC 6790); "
             "for another end that steps over it, as this switch does",
     .fallback = "false",
     .restart = true},
    {.name = "pause_relay",
     .kind = Kind::map,
     .help = "of a tunnel: its peer's pauses are relayed to the peer of another port, and that "
             "one's to its peer",
     .inside = pause_relay_keys},
    {.name = "worker",
     .kind = Kind::whole,
     .help = "which worker polls the port; below `workers.count`",
     .worked_out = "the port's index modulo `workers.count`; of a tunnel its underlay's",
     .restart = true,
     .lowest = 0,
     .highest = max_workers - 1},
    {.name = "lanes",
     .kind = Kind::list,
     .help = "workers that receive from the port, each from queues of its own; the first is its "
             "`worker`, and the device has as many queues; `[]`: that one alone",
     .fallback = "[]",
     .restart = true,
     .inside = a_worker,
     .most = max_workers},
    {.name = "admin_status",
     .kind = Kind::choice,
     .help = "`down`: the port takes and sends nothing, and its link is down where its device can "
             "do that",
     .fallback = "up",
     .choices = admin_statuses},
    {.name = "speed",
     .kind = Kind::rate,
     .help =
         "of the link; it gives a pause quantum its length. Of a tunnel, where not its own: its "
         "underlay's",
     .fallback = "10G",
     .lowest = mega,
     .highest = 1600 * giga},
    {.name = "rate",
     .kind = Kind::rate,
     .help = "what the port sends at the most; 0: as fast as the device takes it",
     .fallback = "0",
     .lowest = mega,
     .highest = 1600 * giga,
     .or_zero = true},
    {.name = "mtu",
     .kind = Kind::size,
     .help =
         "octets of payload; a frame may have 22 more: its header and two tags. Of a tunnel, "
         "where not its own: what fits its underlay's with what goes before a frame, of VXLAN 58 "
         "less",
     .fallback = "1500B",
     .restart = true,
     .lowest = 68,
     .highest = 9702},
    {.name = "promiscuous",
     .kind = Kind::boolean,
     .help = "take frames for every address, as a switch has to; false filters in the device",
     .fallback = "true",
     .restart = true},
    {.name = "rx_descriptors",
     .kind = Kind::whole,
     .help = "frames that the device can hold before it is polled",
     .worked_out = "1024; 2048 with `af_xdp`",
     .restart = true,
     .lowest = 128,
     .highest = 8192,
     .power_of_two = true},
    {.name = "tx_descriptors",
     .kind = Kind::whole,
     .help = "frames that the device can hold until it has sent them: all of these may follow a "
             "pause; `ring` and `memif` have one size both ways, the larger",
     .worked_out = "1024",
     .restart = true,
     .lowest = 128,
     .highest = 8192,
     .power_of_two = true},
    {.name = "format",
     .kind = Kind::name,
     .help = "of its frames: a preset, which `formats[].like` names, or one of `formats`; never "
             "guessed, and ports of another family are not "
             "bridged to it",
     .fallback = "standard",
     .restart = true},
    {.name = "default_vlan",
     .kind = Kind::whole,
     .help = "the VLAN of frames without a tag; a trunk has `vlan.native` for it",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "vlan",
     .kind = Kind::map,
     .help = "which VLANs the port has, and how it tags them; a port that writes it keeps nothing "
             "of `defaults.vlan`",
     .inside = port_vlan_keys,
     .one_piece = true},
    {.name = "isolated",
     .kind = Kind::boolean,
     .help = "the port talks only to ports that are not isolated, such as uplinks",
     .fallback = "false"},
    {.name = "fdb",
     .kind = Kind::map,
     .help = "how the forwarding table treats what is learned here",
     .inside = port_fdb_keys},
    {.name = "loop_guard",
     .kind = Kind::map,
     .help = "whether the port looks for frames of its own that come back",
     .inside = loop_guard_keys},
    {.name = "spanning_tree",
     .kind = Kind::map,
     .help = "the port in the spanning tree, where the switch takes part in one",
     .inside = port_spanning_tree_keys},
    {.name = "storm_control",
     .kind = Kind::map,
     .help = "what the port lets in of what is flooded or goes to a group",
     .inside = storm_keys},
    {.name = "default_priority",
     .kind = Kind::whole,
     .help = "the priority of frames that no trusted source gives one",
     .fallback = "0",
     .lowest = 0,
     .highest = 7},
    {.name = "profile",
     .kind = Kind::choice,
     .help =
         "ready `trust`, `pcp_to_priority` and `dscp_to_priority`; each of them that is written "
         "replaces its part",
     .fallback = "none",
     .choices = profile_names},
    {.name = "trust",
     .kind = Kind::list,
     .help =
         "the first of these that a frame has decides its priority: its tag, its IP header, its "
         "traffic class, the DSCP of RoCEv2 alone, `application`; `[]`: none does",
     .fallback = "[pcp, dscp, tc]",
     .inside = a_source,
     .most = priority_sources,
     .distinct = true},
    {.name = "application",
     .kind = Kind::list,
     .help = "priorities of applications (802.1Q D.2.11): advertised by `dcbx`, and given to "
             "frames where `trust` names `application`",
     .fallback = "[]",
     .inside = an_application,
     .most = most_applications},
    {.name = "pcp_to_priority",
     .kind = Kind::list,
     .help = "the priority of each PCP, 0 first",
     .fallback = "[0, 1, 2, 3, 4, 5, 6, 7]",
     .inside = a_priority,
     .fewest = 8,
     .most = 8},
    {.name = "dscp_to_priority",
     .kind = Kind::table,
     .help = "the priority of each DSCP; one that is not named has priority 0",
     .fallback = "{}",
     .inside = dscp_to_priority},
    {.name = "tc_to_priority",
     .kind = Kind::table,
     .help = "the priority of each traffic class, in a format that has them; one that is not named "
             "has `default_priority`",
     .fallback = "{}",
     .inside = tc_to_priority},
    {.name = "remark",
     .kind = Kind::map,
     .help = "what the port writes into the frames that it sends",
     .inside = remark_keys},
    {.name = "scheduler",
     .kind = Kind::map,
     .help = "who sends next; a port that writes it keeps nothing of `defaults.scheduler`",
     .inside = scheduler_keys,
     .one_piece = true},
    {.name = "flow_control",
     .kind = Kind::choice,
     .help = "of the link: `pfc`; `credit`, by which a lossless priority is sent only if the peer "
             "has room for it, and which goes by `pfc` where LLDP has no peer that does; or "
             "`none`, which neither pauses nor obeys; one excludes the others",
     .fallback = "pfc",
     .choices = flow_controls},
    {.name = "lossless",
     .kind = Kind::list,
     .help = "priorities that pause their peer instead of dropping",
     .fallback = "[]",
     .inside = a_priority,
     .most = max_priorities,
     .distinct = true},
    {.name = "pfc",
     .kind = Kind::map,
     .help = "how a lossless priority pauses its peer, and is paused",
     .inside = pfc_keys},
    {.name = "credit",
     .kind = Kind::map,
     .help = "of a port with `flow_control: credit`; where its peer gives none it goes by `pfc`",
     .inside = credit_keys},
    {.name = "ecn",
     .kind = Kind::table,
     .help = "priorities whose ECN-capable frames are marked where they wait for this port",
     .fallback = "{}",
     .inside = priority_to_ecn},
    {.name = "trim",
     .kind = Kind::map,
     .help = "frames for this port that are cut to their headers where they would be dropped",
     .inside = trim_keys},
    {.name = "lldp",
     .kind = Kind::map,
     .help = "who is at the other end, and saying who is at this one",
     .inside = port_lldp_keys},
    {.name = "dcbx",
     .kind = Kind::map,
     .help = "what the port and its peer advertise to each other of priorities and bandwidth",
     .inside = port_dcbx_keys},
    {.name = "sflow",
     .kind = Kind::map,
     .help = "how many of its frames are sampled for collectors",
     .inside = port_sflow_keys},
    {.name = "host",
     .kind = Kind::map,
     .help = "what of an `af_xdp` interface's frames the host keeps; the switch has the others, "
             "and without it all. A port that writes it keeps nothing of `defaults.host`",
     .restart = true,
     .inside = host_keys,
     .one_piece = true},
});

}  // namespace sluice::config::keys
