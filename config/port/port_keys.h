// Port keys: the part of the schema (schema.h) that stands under `ports[]` and `defaults`, and the
// units that a schema is written in. For schema.cc alone.
//
// Choices stand in the order of the enumeration that they are read into (dataplane/settings.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "config/bridge/bridging_keys.h"
#include "config/port/application_keys.h"
#include "config/port/host_keys.h"
#include "config/port/profiles.h"
#include "config/protocols/dcbx_keys.h"
#include "config/protocols/lldp_keys.h"
#include "config/schema.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice::config::keys {

inline constexpr int64_t kilo = 1'000;
inline constexpr int64_t mega = 1'000 * kilo;
inline constexpr int64_t giga = 1'000 * mega;
inline constexpr int64_t KiB = 1024;
inline constexpr int64_t MiB = 1024 * KiB;
inline constexpr int64_t GiB = 1024 * MiB;
inline constexpr int64_t millisecond = 1'000'000;
inline constexpr int64_t second = 1000 * millisecond;
inline constexpr int64_t kilometre = 1'000'000;  // in millimetres

inline constexpr std::array<std::string_view, 5> sources = {"pcp", "dscp", "tc", "roce",
                                                            "application"};
inline constexpr std::array<std::string_view, 2> admin_statuses = {"up", "down"};
inline constexpr std::array<std::string_view, 2> flow_controls = {"none", "pfc"};
inline constexpr std::array<std::string_view, 2> triggers = {"ingress", "egress"};
inline constexpr std::array<std::string_view, 4> watchdog_actions = {"off", "alert", "drop",
                                                                     "forward"};

inline constexpr std::array<std::string_view, 3> unproved = {"warn", "refuse", "allow"};

inline constexpr Key whole(std::string_view name, int64_t lowest, int64_t highest) {
    return {.name = name, .kind = Kind::whole, .lowest = lowest, .highest = highest};
}

inline constexpr Key priority = whole("priority", 0, 7);
inline constexpr std::array<Key, 1> a_priority = {priority};
inline constexpr std::array<Key, 1> a_worker = {whole("worker", 0, max_workers - 1)};
inline constexpr std::array<Key, 1> a_source = {
    {{.name = "source", .kind = Kind::choice, .choices = sources}}};
inline constexpr std::array<Key, 2> dscp_to_priority = {whole("DSCP", 0, 63), priority};
inline constexpr std::array<Key, 2> tc_to_priority = {whole("traffic class", 0, 255), priority};
inline constexpr std::array<Key, 2> priority_to_pcp = {priority, whole("PCP", 0, 7)};
inline constexpr std::array<Key, 2> priority_to_dscp = {priority, whole("DSCP", 0, 63)};
inline constexpr std::array<Key, 2> class_to_weight = {whole("traffic class", 0, 7),
                                                       whole("weight", 1, 1000)};

inline constexpr std::array<Key, 1> a_station = {{{.name = "station", .kind = Kind::address}}};
inline constexpr std::array<Key, 1> a_class = {whole("traffic class", 0, 7)};
inline constexpr auto scheduler_keys = std::to_array<Key>({
    {.name = "traffic_class",
     .kind = Kind::list,
     .help = "the traffic class of each priority, 0 first (802.1Q 8.6.6); those of one class share "
             "what it gets in turn",
     .fallback = "[0, 1, 2, 3, 4, 5, 6, 7]",
     .inside = a_class,
     .fewest = 8,
     .most = 8},
    {.name = "strict",
     .kind = Kind::list,
     .help = "traffic classes served first, the highest first; so is each that is named nowhere",
     .fallback = "[]",
     .inside = a_class,
     .most = max_priorities,
     .distinct = true},
    {.name = "wrr",
     .kind = Kind::table,
     .help = "traffic classes that share what is left, frames by weight",
     .fallback = "{}",
     .inside = class_to_weight},
    {.name = "dwrr",
     .kind = Kind::table,
     .help = "traffic classes that share what is left, octets by weight; not beside `wrr`",
     .fallback = "{}",
     .inside = class_to_weight},
});

inline constexpr auto remark_keys = std::to_array<Key>({
    {.name = "pcp",
     .kind = Kind::table,
     .help = "the PCP in the tag of each priority; of one that is not named it stays",
     .fallback = "{}",
     .inside = priority_to_pcp},
    {.name = "dscp",
     .kind = Kind::table,
     .help = "the DSCP in the IP header of each priority; of one that is not named it stays",
     .fallback = "{}",
     .inside = priority_to_dscp},
});

inline constexpr auto watchdog_keys = std::to_array<Key>({
    {.name = "action",
     .kind = Kind::choice,
     .help = "what is done about a peer that pauses on and on: `alert` tells of it, `drop` drops "
             "and `forward` sends what it holds up",
     .fallback = "alert",
     .choices = watchdog_actions},
    {.name = "detection",
     .kind = Kind::time,
     .help = "a queue that was held for this long is stormed",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 60 * second},
    {.name = "restoration",
     .kind = Kind::time,
     .help = "without a pause for this long the storm is over",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 60 * second},
    {.name = "poll",
     .kind = Kind::time,
     .help = "how often the watchdog looks; not above `detection`",
     .fallback = "200ms",
     .lowest = millisecond,
     .highest = 10 * second},
});

inline constexpr auto pfc_keys = std::to_array<Key>({
    {.name = "trigger",
     .kind = Kind::choice,
     .help = "whose level pauses the peer: what its own frames hold (`ingress`), or how deep the "
             "queues of one output are (`egress`)",
     .fallback = "ingress",
     .choices = triggers},
    {.name = "reserved",
     .kind = Kind::size,
     .help = "of each lossless priority of the port, which nobody else may take",
     .fallback = "0B",
     .lowest = 0,
     .highest = GiB},
    {.name = "alpha",
     .kind = Kind::share,
     .help = "pauses before `xoff`, at `reserved` and this much of the free shared pool, an output "
             "(`egress`) at this much alone; 0: at `xoff` alone",
     .fallback = "0",
     .lowest = 1,
     .highest = 128 * 128,
     .or_zero = true},
    {.name = "xoff",
     .kind = Kind::size,
     .help = "a lossless priority that holds this much pauses its peer",
     .worked_out = "a round trip (as of `xon`) above `xon`, two at least: 128KiB at 10G",
     .lowest = 0,
     .highest = GiB},
    {.name = "xon",
     .kind = Kind::size,
     .help = "it resumes its peer at this or less; not above `xoff`",
     .worked_out =
         "what leaves in a round trip, from `speed`, `mtu`, `cable` and `response`; 64KiB "
         "at least, half of a written `xoff` at most",
     .lowest = 0,
     .highest = GiB},
    {.name = "xon_offset",
     .kind = Kind::size,
     .help = "or at this much below what paused it, if that is higher; 0: at `xon` alone",
     .fallback = "0B",
     .lowest = 0,
     .highest = GiB},
    {.name = "headroom",
     .kind = Kind::size,
     .help = "set aside for what a peer still sends after it was told to pause; no less than that",
     .worked_out = "from `speed`, `mtu`, `cable`, `response` and `buffer.cell`",
     .lowest = 0,
     .highest = GiB},
    {.name = "cable",
     .kind = Kind::length,
     .help = "length of the cable to the peer",
     .fallback = "5m",
     .lowest = 0,
     .highest = 100 * kilometre},
    {.name = "response",
     .kind = Kind::time,
     .help = "from an XOFF being due until the peer is silent: its response time and how late this "
             "switch polls",
     .fallback = "20us",
     .lowest = 0,
     .highest = second},
    {.name = "pause",
     .kind = Kind::whole,
     .help = "how long one XOFF asks for, in quanta of 512 bit times; refreshed at half of it",
     .fallback = "65535",
     .lowest = 1,
     .highest = 65535},
    {.name = "peer",
     .kind = Kind::list,
     .help = "the only sources of pause frames that are obeyed",
     .worked_out = "any source; with `strict` the neighbour",
     .inside = a_station,
     .fewest = 1,
     .most = 4,
     .distinct = true,
     .or_one = true},
    {.name = "strict",
     .kind = Kind::boolean,
     .help = "obey pause frames only of the neighbour, as LLDP tells its addresses, and of `peer`",
     .fallback = "false"},
    {.name = "link_pause",
     .kind = Kind::boolean,
     .help = "obey 802.3x as well, which pauses every priority",
     .fallback = "false"},
    {.name = "rx_limit",
     .kind = Kind::whole,
     .help = "XOFFs a second that are obeyed; 0: all",
     .fallback = "0",
     .lowest = 0,
     .highest = giga},
    {.name = "tx_limit",
     .kind = Kind::whole,
     .help = "pause frames a second that are sent, but for XOFF, which does not wait; 0: no limit",
     .fallback = "0",
     .lowest = 0,
     .highest = giga},
    {.name = "unproved",
     .kind = Kind::choice,
     .help = "where nobody has seen that the device hears and sends pause frames (`pfc_rx` and "
             "`pfc_tx` of `sluice show ports`): `warn`, `refuse` to start, or `allow`",
     .fallback = "warn",
     .choices = unproved},
    {.name = "watchdog",
     .kind = Kind::map,
     .help = "against a peer that never stops pausing",
     .inside = watchdog_keys},
});

inline constexpr auto ecn_keys = std::to_array<Key>({
    {.name = "low",
     .kind = Kind::size,
     .help = "a queue of the output that holds less marks nothing",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "high",
     .kind = Kind::size,
     .help = "from here on every frame is marked; above `low`, and for a lossless priority not "
             "above `pfc.xoff`",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "probability",
     .kind = Kind::probability,
     .help = "that a frame is marked just below `high`; it grows evenly from `low`",
     .required = true,
     .lowest = 1,
     .highest = 65536},
});
inline constexpr std::array<Key, 2> priority_to_ecn = {
    a_priority[0], {.name = "marking", .kind = Kind::map, .inside = ecn_keys}};

// The first three are a port's own; the rest may stand under `defaults` as well.
inline constexpr std::size_t own_port_keys = 3;
inline constexpr auto port_keys = std::to_array<Key>({
    {.name = "name",
     .kind = Kind::name,
     .help = "what every other key, command and table calls the port",
     .worked_out = "`p0`, `p1`, ... in order"},
    {.name = "device",
     .kind = Kind::device,
     .help = "what the port opens; no two ports open the same",
     .required = true},
    {.name = "address",
     .kind = Kind::address,
     .help = "source of the pause frames that the port sends",
     .worked_out = "the device's own"},
    {.name = "worker",
     .kind = Kind::whole,
     .help = "which worker polls the port; below `workers.count`",
     .worked_out = "the port's index modulo `workers.count`",
     .lowest = 0,
     .highest = max_workers - 1},
    {.name = "lanes",
     .kind = Kind::list,
     .help = "workers that receive from the port, each from queues of its own; the first is its "
             "`worker`, and the device has as many queues; `[]`: that one alone",
     .fallback = "[]",
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
     .help = "of the link; it gives a pause quantum its length",
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
     .help = "octets of payload; a frame may have 22 more: its header and two tags",
     .fallback = "1500B",
     .lowest = 68,
     .highest = 9702},
    {.name = "promiscuous",
     .kind = Kind::boolean,
     .help = "take frames for every address, as a switch has to; false filters in the device",
     .fallback = "true"},
    {.name = "rx_descriptors",
     .kind = Kind::whole,
     .help = "frames that the device can hold before it is polled",
     .worked_out = "1024; 2048 with `af_xdp`",
     .lowest = 128,
     .highest = 8192,
     .power_of_two = true},
    {.name = "tx_descriptors",
     .kind = Kind::whole,
     .help = "frames that the device can hold until it has sent them: all of these may follow a "
             "pause; `ring`, `af_packet` and `memif` have one size both ways, the larger",
     .worked_out = "1024",
     .lowest = 128,
     .highest = 8192,
     .power_of_two = true},
    {.name = "format",
     .kind = Kind::name,
     .help = "of its frames: standard, afh_gen1, afh_gen2_16b, afh_lite or one of `formats`; never "
             "guessed, and ports of another family are not bridged to it",
     .fallback = "standard"},
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
     .help = "priorities of applications (802.1Q D.2.11): told by `dcbx`, and given to frames "
             "where `trust` names `application`",
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
     .help =
         "of the link: `pfc`, or `none`, which neither pauses nor obeys; one excludes the other",
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
    {.name = "ecn",
     .kind = Kind::table,
     .help = "priorities whose ECN-capable frames are marked where they wait for this port",
     .fallback = "{}",
     .inside = priority_to_ecn},
    {.name = "lldp",
     .kind = Kind::map,
     .help = "who is at the other end, and saying who is at this one",
     .inside = port_lldp_keys},
    {.name = "dcbx",
     .kind = Kind::map,
     .help = "what the port and its peer tell each other of priorities and bandwidth",
     .inside = port_dcbx_keys},
    {.name = "host",
     .kind = Kind::map,
     .help = "what of an `af_xdp` interface's frames the host keeps; the switch has the others, "
             "and without it all. A port that writes it keeps nothing of `defaults.host`",
     .inside = host_keys,
     .one_piece = true},
});

}  // namespace sluice::config::keys
