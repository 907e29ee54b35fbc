#include "control/http/family.h"

#include <array>

namespace sluice::control::http {

namespace {

constexpr double nanoseconds = 1e9;
constexpr double bits = 8;

constexpr std::array<Label, 1> of_name = {{{"port", "name"}}};
constexpr std::array<Label, 5> of_device = {{{"port", "name"},
                                             {"device", "device"},
                                             {"address", "address"},
                                             {"family", "family"},
                                             {"pfc_rx", "pfc_rx"}}};
constexpr std::array<Label, 1> of_port = {{{"port", "port"}}};
constexpr std::array<Label, 2> of_drop = {{{"port", "port"}, {"reason", "reason"}}};
constexpr std::array<Label, 2> of_group = {{{"port", "port"}, {"priority", "priority"}}};
constexpr std::array<Label, 2> of_output = {{{"output", "output"}, {"priority", "priority"}}};
constexpr std::array<Label, 1> of_priority = {{{"priority", "priority"}}};
constexpr std::array<Label, 1> of_worker = {{{"worker", "index"}}};
constexpr std::array<Label, 3> of_core = {
    {{"worker", "index"}, {"core", "core"}, {"node", "node"}}};
constexpr std::array<Label, 2> of_feature = {{{"port", "port"}, {"feature", "feature"}}};
constexpr std::array<Label, 4> of_dialect = {
    {{"port", "port"}, {"feature", "feature"}, {"mode", "mode"}, {"dialect", "dialect"}}};

constexpr std::array<Label, 1> of_vni = {{{"vni", "vni"}}};

// A row a family; the columns are those of Family.
constexpr Family port(std::string_view name, Type type, std::string_view unit,
                      std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "ports",
            .key = key,
            .labels = of_name};
}
constexpr Family pfc(std::string_view name, Type type, std::string_view unit, std::string_view help,
                     std::string_view key, double per = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "pfc",
            .key = key,
            .labels = of_group,
            .per = per};
}
constexpr Family network(std::string_view name, Type type, std::string_view unit,
                         std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "evpn",
            .rows = "/networks",
            .key = key,
            .labels = of_vni};
}
constexpr Family tunnel(std::string_view name, Type type, std::string_view unit,
                        std::string_view help, std::string_view key, double per = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "tunnels",
            .rows = "/tunnels",
            .key = key,
            .labels = of_port,
            .per = per};
}
// Of a port by credit.
constexpr Family credit(std::string_view name, std::string_view unit, std::string_view help,
                        std::string_view key) {
    return {.name = name,
            .type = Type::counter,
            .unit = unit,
            .help = help,
            .noun = "credits",
            .rows = "/ports",
            .key = key,
            .labels = of_port};
}
// And of a priority of it.
constexpr Family channel(std::string_view name, Type type, std::string_view unit,
                         std::string_view help, std::string_view key, double per = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "credits",
            .rows = "/priorities",
            .key = key,
            .labels = of_group,
            .per = per};
}
constexpr Family group(std::string_view name, std::string_view help, std::string_view key) {
    return {.name = name,
            .unit = "bytes",
            .help = help,
            .noun = "buffer",
            .rows = "/groups",
            .key = key,
            .labels = of_group};
}
constexpr Family buffer(std::string_view name, std::string_view help, std::string_view key) {
    return {.name = name, .unit = "bytes", .help = help, .noun = "buffer", .key = key};
}
constexpr Family queue(std::string_view name, Type type, std::string_view unit,
                       std::string_view help, std::string_view key,
                       Together together = Together::sum) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "queues",
            .key = key,
            .labels = of_output,
            .together = together};
}
constexpr Family fabric(std::string_view name, std::string_view unit, std::string_view help,
                        std::string_view key) {
    return {.name = name,
            .type = Type::counter,
            .unit = unit,
            .help = help,
            .noun = "fabric",
            .key = key};
}
constexpr Family worker(std::string_view name, Type type, std::string_view unit,
                        std::string_view help, std::string_view key, double per = 1) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "workers",
            .key = key,
            .labels = of_worker,
            .per = per};
}
constexpr Family lldp(std::string_view name, Type type, std::string_view unit,
                      std::string_view help, std::string_view key) {
    return {.name = name,
            .type = type,
            .unit = unit,
            .help = help,
            .noun = "lldp",
            .key = key,
            .labels = of_port};
}
constexpr Family dcbx(std::string_view name, Type type, std::string_view help,
                      std::string_view key) {
    return {
        .name = name, .type = type, .help = help, .noun = "dcbx", .key = key, .labels = of_feature};
}
constexpr Family total(std::string_view name, Type type, std::string_view unit,
                       std::string_view help, std::string_view key) {
    return {.name = name, .type = type, .unit = unit, .help = help, .noun = "totals", .key = key};
}

constexpr auto counter = Type::counter;
constexpr auto gauge = Type::gauge;

constexpr auto table = std::to_array<Family>({
    {.name = "sluice_port",
     .type = Type::info,
     .help = "The port's device, address, family of frames, and who hears pause frames there.",
     .noun = "ports",
     .labels = of_device},
    {.name = "sluice_port_up",
     .help = "1 while the link is up.",
     .noun = "ports",
     .key = "/link",
     .labels = of_name,
     .equals = "up"},
    {.name = "sluice_port_rate_bytes_per_second",
     .unit = "bytes_per_second",
     .help = "What the port can send: its link, or its shaper where that is slower.",
     .noun = "ports",
     .key = "/rate_bps",
     .labels = of_name,
     .per = bits},
    port("sluice_port_receive_frames", counter, "frames", "Frames that entered.", "/rx_frames"),
    port("sluice_port_receive_bytes", counter, "bytes", "Octets of frames that entered.",
         "/rx_bytes"),
    port("sluice_port_transmit_frames", counter, "frames", "Frames that left.", "/tx_frames"),
    port("sluice_port_transmit_bytes", counter, "bytes", "Octets of frames that left.",
         "/tx_bytes"),
    port("sluice_port_copied_frames", counter, "frames",
         "Copies beyond the first of frames that entered: floods, groups, mirrors.", "/copied"),
    port("sluice_port_generated_frames", counter, "frames",
         "Frames that the switch itself made: pause frames, LLDP.", "/generated"),
    port("sluice_port_device_missed_frames", counter, "frames",
         "Frames that the device dropped since nobody took them in time.",
         "/device_counters/missed"),
    port("sluice_port_device_receive_error_frames", counter, "frames",
         "Frames that the device took for damaged.", "/device_counters/receive_errors"),
    port("sluice_port_device_transmit_error_frames", counter, "frames",
         "Frames that the device failed to send.", "/device_counters/transmit_errors"),
    port("sluice_port_device_no_buffer_frames", counter, "frames",
         "Frames that the device had no buffer for.", "/device_counters/no_buffer"),
    {.name = "sluice_dropped_frames",
     .type = counter,
     .unit = "frames",
     .help = "Frames that entered and did not leave, or were consumed, by the one reason why.",
     .noun = "drops",
     .key = "/frames",
     .labels = of_drop},

    pfc("sluice_port_lossless", gauge, "", "1 while the priority is lossless there.", "/lossless"),
    pfc("sluice_port_pause_received_frames", counter, "frames",
        "Pause frames of the peer that were obeyed.", "/rx_pause"),
    pfc("sluice_port_pause_received_seconds", counter, "seconds",
        "How long the peer paused the priority.", "/paused_ns", nanoseconds),
    pfc("sluice_port_pause_sent_frames", counter, "frames", "Pause frames (XOFF) to the peer.",
        "/tx_pause"),
    pfc("sluice_port_device_pause_received_frames", counter, "frames",
        "PFC frames that the device obeyed by itself (pfc.by: nic), where it tells.",
        "/device_rx_pause"),
    pfc("sluice_port_device_pause_sent_frames", counter, "frames",
        "PFC frames that the device sent by itself (pfc.by: nic), where it tells.",
        "/device_tx_pause"),
    pfc("sluice_port_resume_sent_frames", counter, "frames",
        "Frames to the peer that end a pause (XON).", "/tx_resume"),
    pfc("sluice_port_pause_sent_seconds", counter, "seconds", "How long the peer was paused.",
        "/pausing_ns", nanoseconds),
    pfc("sluice_port_pausing", gauge, "", "1 while the peer is paused.", "/pausing"),
    {.name = "sluice_port_watchdog_stormed",
     .help = "1 while the watchdog takes the peer's pauses for a storm.",
     .noun = "pfc",
     .key = "/watchdog",
     .labels = of_group,
     .equals = "stormed"},
    pfc("sluice_port_watchdog_storms", counter, "", "Pause storms that the watchdog found.",
        "/storms"),
    pfc("sluice_port_watchdog_storm_seconds", counter, "seconds", "How long storms lasted.",
        "/storm_ns", nanoseconds),
    pfc("sluice_port_watchdog_dropped_frames", counter, "frames",
        "Frames dropped since the watchdog gave their queue up.", "/storm_dropped"),
    pfc("sluice_port_relayed_pause_frames", counter, "frames",
        "Pause frames of the peer that were told to the peer of another port.", "/relayed_pause"),
    pfc("sluice_port_relayed_resume_frames", counter, "frames",
        "Frames of the peer that end such a pause (XON).", "/relayed_resume"),
    pfc("sluice_port_relay_cuts", counter, "",
        "Relayed pauses that were let go of, having lasted for too long.", "/relay_cuts"),
    pfc("sluice_port_relay_too_deep_frames", counter, "frames",
        "Pause frames that came through too many relays and were obeyed here.", "/relay_too_deep"),
    pfc("sluice_port_relay_too_many_frames", counter, "frames",
        "Pause frames that began too many pauses for a relay and were obeyed here.",
        "/relay_too_many"),

    {.name = "sluice_tunnel_up",
     .help = "1 while the tunnel can carry frames.",
     .noun = "tunnels",
     .rows = "/tunnels",
     .key = "/up",
     .labels = of_port},
    tunnel("sluice_tunnel_encapsulated_frames", counter, "frames",
           "Frames that went into the tunnel.", "/encapsulated"),
    tunnel("sluice_tunnel_decapsulated_frames", counter, "frames",
           "Frames that came out of the tunnel.", "/decapsulated"),
    tunnel("sluice_tunnel_copied_frames", counter, "frames",
           "Frames that were copied into the tunnel, as others held their buffers.", "/copied"),
    {.name = "sluice_tunnel_refused_frames",
     .type = counter,
     .unit = "frames",
     .help = "Frames for tunnels over the port that were dropped, by the one reason why.",
     .noun = "tunnels",
     .rows = "/refused",
     .key = "/frames",
     .labels = of_drop},
    tunnel("sluice_tunnel_pause_delay_seconds", gauge, "seconds",
           "How long a relayed pause takes to the other end, the longest of the last 8.",
           "/relay/delay_max_ns", nanoseconds),
    tunnel("sluice_tunnel_pause_probes", counter, "", "Times that was asked.", "/relay/probes"),
    tunnel("sluice_tunnel_pause_answers", counter, "", "Times that was answered.",
           "/relay/answers"),
    {.name = "sluice_tunnel_pauses_relayed",
     .help =
         "1 while pauses are relayed, 0 while they are obeyed here for want of somebody to tell, "
         "none while neither end has link.",
     .noun = "tunnels",
     .rows = "/tunnels",
     .key = "/relay/pauses",
     .labels = of_port,
     .equals = "relayed"},
    tunnel("sluice_tunnel_reserve_needed_bytes", gauge, "bytes",
           "What is under way until a relayed pause takes effect, by the longest delay.",
           "/relay/reserve_bytes"),
    tunnel("sluice_tunnel_reserve_bytes", gauge, "bytes",
           "The headroom that a relayed priority keeps for that.", "/relay/headroom_bytes"),
    tunnel("sluice_tunnel_reserve_used_max_bytes", gauge, "bytes",
           "The most that ever was taken of it.", "/relay/headroom_used_max"),

    {.name = "sluice_port_credit",
     .help = "1 while the port goes by credit; 0 where it is to, and does not.",
     .noun = "credits",
     .rows = "/ports",
     .key = "/state",
     .labels = of_port,
     .equals = "credit"},
    credit("sluice_port_credit_updates_sent_frames", "frames", "Updates of credit to the peer.",
           "/updates_sent"),
    credit("sluice_port_credit_updates_received_frames", "frames", "Updates of credit of the peer.",
           "/updates_received"),
    credit("sluice_port_credit_updates_lost_frames", "frames",
           "Updates of the peer that did not arrive.", "/updates_lost"),
    credit("sluice_port_credit_lost_bytes", "bytes",
           "Credit of frames that were lost or damaged, and that came back.", "/lost_bytes"),
    channel("sluice_port_credit_blocked_seconds", counter, "seconds",
            "How long frames waited for credit.", "/blocked_ns", nanoseconds),
    channel("sluice_port_credit_available_bytes", gauge, "bytes", "What may be sent on credit now.",
            "/available_bytes"),
    channel("sluice_port_credit_held_bytes", gauge, "bytes", "What of its credit buffer is taken.",
            "/held_bytes"),

    buffer("sluice_buffer_size_bytes", "All that may wait in the switch.", "/size_bytes"),
    buffer("sluice_buffer_pool_size_bytes", "The shared pool.", "/pool/size_bytes"),
    buffer("sluice_buffer_pool_used_bytes", "What of the shared pool is taken.",
           "/pool/used_bytes"),
    buffer("sluice_buffer_pool_used_max_bytes", "The most that ever was taken of it.",
           "/pool/max_used_bytes"),
    group("sluice_buffer_group_occupancy_bytes",
          "What frames that came by the port hold of the buffer.", "/occupancy_bytes"),
    group("sluice_buffer_group_occupancy_max_bytes", "The most that they ever held.",
          "/occupancy_max"),
    group("sluice_buffer_group_xoff_bytes", "Held of the pool, the level that pauses the peer.",
          "/xoff_bytes"),
    group("sluice_buffer_group_xon_bytes", "Held of the pool, the level that lets it go.",
          "/xon_bytes"),
    group("sluice_buffer_group_headroom_bytes", "Kept for what the peer still sends.",
          "/headroom_bytes"),
    group("sluice_buffer_group_headroom_used_bytes", "What of the headroom is taken.",
          "/headroom_used"),
    group("sluice_buffer_group_headroom_used_max_bytes", "The most that ever was taken of it.",
          "/headroom_used_max"),

    queue("sluice_queue_frames", gauge, "frames", "Frames that wait for the output.", "/frames"),
    queue("sluice_queue_bytes", gauge, "bytes", "What they hold of the buffer.", "/bytes"),
    queue("sluice_queue_max_bytes", gauge, "bytes",
          "The most that ever waited for the output from one input.", "/max_bytes", Together::most),
    queue("sluice_queue_enqueued_frames", counter, "frames", "Frames for the output.", "/enqueued"),
    queue("sluice_queue_dequeued_frames", counter, "frames", "Frames that crossed to it.",
          "/dequeued"),
    queue("sluice_queue_flushed_frames", counter, "frames",
          "Frames that waited for it when it went down.", "/flushed"),
    queue("sluice_queue_dropped_frames", counter, "frames", "Frames for it that found no room.",
          "/dropped"),
    queue("sluice_queue_marked_frames", counter, "frames", "Frames that ECN marked.", "/marked"),

    fabric("sluice_fabric_slots", "slots", "Matchings.", "/slots"),
    fabric("sluice_fabric_pairs", "pairs", "Pairs in them.", "/pairs"),
    fabric("sluice_fabric_frames", "frames", "Frames that crossed by them.", "/frames"),
    {.name = "sluice_fabric_bypassed_frames",
     .type = counter,
     .unit = "frames",
     .help = "Frames that stood behind none of their worker, and took no VOQ.",
     .noun = "fabric",
     .rows = "/bypassed",
     .key = "/frames",
     .labels = of_output},

    {.name = "sluice_latency_seconds",
     .type = Type::histogram,
     .unit = "seconds",
     .help = "How long frames were in the switch, of those that were timed.",
     .noun = "latency",
     .rows = "/priorities",
     .key = "/sum_ns",
     .labels = of_priority,
     .per = nanoseconds},

    {.name = "sluice_worker",
     .type = Type::info,
     .help = "The worker's core and its NUMA node.",
     .noun = "workers",
     .labels = of_core},
    worker("sluice_worker_busy_ratio", gauge, "ratio",
           "The share of its time in polls that found something to do, since the start.",
           "/busy_share"),
    worker("sluice_worker_polls", counter, "polls", "Polls.", "/polls"),
    worker("sluice_worker_busy_polls", counter, "polls", "Polls that found something to do.",
           "/busy_polls"),
    worker("sluice_worker_frames", counter, "frames", "Frames that it received.", "/frames"),
    worker("sluice_worker_longest_poll_gap_seconds", gauge, "seconds",
           "The longest time between two polls.", "/longest_gap_ns", nanoseconds),

    lldp("sluice_lldp_neighbours", gauge, "neighbours", "Who LLDP knows at the other end.",
         "/neighbours"),
    lldp("sluice_lldp_transmit_frames", counter, "frames", "LLDP frames sent.", "/frames_out"),
    lldp("sluice_lldp_receive_frames", counter, "frames", "LLDP frames heard.", "/frames_in"),
    lldp("sluice_lldp_receive_error_frames", counter, "frames", "LLDP frames that were damaged.",
         "/frames_in_errors"),
    lldp("sluice_lldp_aged_out_neighbours", counter, "neighbours",
         "Neighbours that were not heard of in time.", "/ageouts"),
    {.name = "sluice_dcbx",
     .type = Type::info,
     .help = "How the port speaks DCBX of the feature.",
     .noun = "dcbx",
     .labels = of_dialect},
    {.name = "sluice_dcbx_peers",
     .unit = "peers",
     .help = "Neighbours that speak DCBX; of several none is listened to.",
     .noun = "dcbx",
     .key = "/peers",
     .labels = of_port,
     .together = Together::most},
    dcbx("sluice_dcbx_mismatch", gauge, "1 while the port and its peer do not agree.", "/mismatch"),
    dcbx("sluice_dcbx_mismatches", counter, "How often they did not.", "/mismatches"),
    dcbx("sluice_dcbx_pending", gauge, "1 while the peer has not answered a change.", "/pending"),
    dcbx("sluice_dcbx_from_peer", gauge, "1 while what holds is what the peer has.", "/from_peer"),

    total("sluice_fdb_entries", gauge, "entries", "Addresses that are known.", "/fdb_entries"),
    total("sluice_fdb_capacity_entries", gauge, "entries", "How many there is room for.",
          "/fdb_capacity"),
    total("sluice_fdb_moves", counter, "", "Addresses that moved to another port.", "/fdb_moves"),
    total("sluice_fdb_full", counter, "", "Times that an address found no place.", "/fdb_full"),
    {.name = "sluice_multicast_groups",
     .unit = "groups",
     .help = "Groups that are known.",
     .noun = "multicast",
     .key = "/known"},
    network("sluice_evpn_network_up", gauge, "",
            "1 while the kernel has the devices of the network as they are to be.", "/up"),
    network("sluice_evpn_network_vteps", gauge, "", "VTEPs that the routing daemon tells of.",
            "/vteps"),
    network("sluice_evpn_network_local_addresses", gauge, "addresses",
            "MAC addresses that the routing daemon is told of.", "/local_addresses"),
    network("sluice_evpn_network_remote_addresses", gauge, "addresses",
            "MAC addresses that it tells of.", "/remote_addresses"),
    network("sluice_evpn_network_stale_entries", gauge, "entries",
            "Addresses and VTEPs that it took away and that are kept for a while.", "/stale"),
    network("sluice_evpn_network_left_out", counter, "",
            "Times that a MAC address or VTEP found no room.", "/left_out"),
    network("sluice_evpn_network_sweeps", counter, "",
            "Times that what is remote was swept, a routing daemon having begun anew.", "/sweeps"),
    network("sluice_evpn_network_local_neighbours", gauge, "neighbours",
            "IP addresses that the routing daemon is told of (neigh_suppress).",
            "/local_neighbours"),
    network("sluice_evpn_network_remote_neighbours", gauge, "neighbours",
            "IP addresses that are answered for.", "/remote_neighbours"),
    network("sluice_evpn_network_neighbours_left_out", counter, "",
            "Times that an IP address found no room.", "/neighbours_left_out"),
    network("sluice_evpn_network_suppressed_frames", counter, "frames",
            "Questions for neighbours that were answered here, in place of a flood.",
            "/suppressed"),
    network("sluice_evpn_network_unanswered_frames", counter, "frames",
            "Questions for neighbours that were neither answered nor flooded.", "/unanswered"),
    {.name = "sluice_evpn_resyncs",
     .type = counter,
     .help = "Times that the kernel had to be asked for all again.",
     .noun = "evpn",
     .key = "/resyncs"},
    {.name = "sluice_evpn_refused_requests",
     .type = counter,
     .unit = "requests",
     .help = "Requests that the kernel refused.",
     .noun = "evpn",
     .key = "/refused"},
    total("sluice_events", counter, "", "Events, as `sluice watch` tells them.", "/events"),
});

}  // namespace

std::span<const Family> families() { return table; }

}  // namespace sluice::control::http
