#include "control/http/metric_family.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "control/http/metric_family_rows.h"
#include "control/show/counter_rows.h"

namespace sluice::control::http {

namespace {

using namespace rows;

constexpr auto counter = Type::counter;
constexpr auto gauge = Type::gauge;

// Returns a family for each row that has a metric.
template <const auto& rows>
constexpr auto families_of(const Place& place) {
    constexpr auto count =
        static_cast<std::size_t>(std::ranges::count_if(rows, &CounterRow::has_metric));
    std::array<MetricFamily, count> families{};
    std::size_t next = 0;
    for (const CounterRow& row : rows) {
        if (!row.has_metric()) continue;
        families[next++] = place(row.metric, counter, row.unit, row.help, row.pointer, row.divisor);
    }
    return families;
}
template <class... Part>
constexpr auto joined(const Part&... parts) {
    std::array<MetricFamily, (std::tuple_size_v<Part> + ...)> all{};
    auto* next = all.begin();
    ((next = std::ranges::copy(parts, next).out), ...);
    return all;
}

constexpr auto others = std::to_array<MetricFamily>({
    {.name = "sluice_build",
     .type = Type::info,
     .help = "The version of the switch, what it was built with, and what it runs on.",
     .noun = "version",
     .labels = of_build},
    {.name = "sluice_port",
     .type = Type::info,
     .help = "The port's description, device, address, family of frames, and what receives pause "
             "frames there.",
     .noun = "ports",
     .labels = of_device},
    equal_to("up", port("sluice_port_up", gauge, "", "1 while the link is up.", "/link")),
    equal_to("up", port("sluice_port_admin_up", gauge, "", "1 while `admin_status` is up.",
                        "/admin_status")),
    port("sluice_port_rate_bytes_per_second", gauge, "bytes_per_second",
         "Rate of the port: of its link, or its shaper if that is slower.", "/rate_bps", bits),
    port("sluice_port_egress_stalled", gauge, "", "1 while the device takes no frames.",
         "/egress_stalled"),
    port("sluice_port_device_missed_frames", counter, "frames",
         "Frames that the device dropped because they were not received in time.",
         "/device_counters/missed"),
    port("sluice_port_device_receive_error_frames", counter, "frames",
         "Frames that the device received damaged.", "/device_counters/receive_errors"),
    port("sluice_port_device_transmit_error_frames", counter, "frames",
         "Frames that the device failed to send.", "/device_counters/transmit_errors"),
    port("sluice_port_device_no_buffer_frames", counter, "frames",
         "Frames that the device had no buffer for.", "/device_counters/no_buffer"),
    port("sluice_port_offload_finished_checksums", counter, "checksums",
         "Checksums that a host left to its network card, computed on the way in.",
         "/device_counters/checksums_finished"),
    port("sluice_port_offload_cut_segments", counter, "segments",
         "Segments longer than the wire takes, cut into frames on the way in.",
         "/device_counters/segments_cut"),
    port("sluice_port_offload_joined_segments", counter, "segments",
         "Segments that frames of a flow were joined into on the way out.",
         "/device_counters/segments_joined"),
    drop("sluice_dropped_frames", counter, "frames",
         "Frames that entered and did not leave, by reason; those that the switch consumed, such "
         "as mac_control (pauses) and lldp, are no loss.",
         "/frames"),

    pfc("sluice_port_lossless", gauge, "", "1 while the priority is lossless there.", "/lossless"),
    pfc("sluice_port_pausing", gauge, "", "1 while the peer is paused.", "/pausing"),
    equal_to("stormed",
             pfc("sluice_port_watchdog_stormed", gauge, "",
                 "1 while the watchdog takes the peer's pauses for a storm.", "/watchdog")),
    pfc("sluice_port_watchdog_restores_after_seconds", gauge, "seconds",
        "Time without a pause that ends the present storm, or ended the last one.",
        "/restores_after_ns", nanoseconds),

    tunnel("sluice_tunnel_up", gauge, "", "1 while the tunnel can carry frames.", "/up"),
    tunnel("sluice_tunnel_encapsulated_frames", counter, "frames", "Frames sent into the tunnel.",
           "/encapsulated"),
    tunnel("sluice_tunnel_decapsulated_frames", counter, "frames",
           "Frames received from the tunnel.", "/decapsulated"),
    tunnel("sluice_tunnel_copied_frames", counter, "frames",
           "Frames that were copied into the tunnel, as others held their buffers.", "/copied"),
    refusal("sluice_tunnel_refused_frames", counter, "frames",
            "Frames for tunnels over the port that were dropped, by the one reason why.",
            "/frames"),
    tunnel("sluice_tunnel_pause_delay_seconds", gauge, "seconds",
           "How long a relayed pause takes to the other end, the longest of the last 8.",
           "/relay/delay_max_ns", nanoseconds),
    tunnel("sluice_tunnel_pause_probes", counter, "", "Delay probes sent to the other end.",
           "/relay/probes"),
    tunnel("sluice_tunnel_pause_answers", counter, "", "Delay probes that the other end answered.",
           "/relay/answers"),
    equal_to("relayed", tunnel("sluice_tunnel_pauses_relayed", gauge, "",
                               "1 while pauses are relayed, 0 while they are obeyed here as the "
                               "other end has no link or "
                               "does not answer, none while neither end has link.",
                               "/relay/pauses")),
    tunnel("sluice_tunnel_reserve_needed_bytes", gauge, "bytes",
           "Octets under way until a relayed pause takes effect, by the longest delay.",
           "/relay/reserve_bytes"),
    tunnel("sluice_tunnel_reserve_bytes", gauge, "bytes", "Headroom of a relayed priority.",
           "/relay/headroom_bytes"),
    tunnel("sluice_tunnel_reserve_used_max_bytes", gauge, "bytes",
           "Most octets of this headroom that were in use.", "/relay/headroom_used_max"),

    tunnel("sluice_tunnel_flooded_frames", counter, "frames",
           "Frames of which each VTEP of the tunnel got a copy.", "/flooded"),
    tunnel("sluice_tunnel_unmapped_frames", counter, "frames",
           "Frames dropped before the tunnel: of no network, of a network without VTEPs, or with "
           "two tags.",
           "/unmapped"),
    underlay("sluice_tunnel_floods_cut_off", counter, "",
             "Floods of tunnels over the port that ended with their tunnel, before each VTEP had "
             "its copy.",
             "/cut_off"),
    tunnel("sluice_tunnel_vteps", gauge, "", "VTEPs of a point-to-multipoint tunnel.", "/vteps"),
    vtep("sluice_vtep_up", gauge, "", "1 while frames can go to the VTEP.", "/up"),
    vtep("sluice_vtep_addresses", gauge, "addresses", "MAC addresses reached through the VTEP.",
         "/addresses"),

    equal_to(
        "credit",
        credit("sluice_port_credit", gauge, "",
               "1 while the port uses credit; 0 while it is configured for credit and uses PFC.",
               "/state")),
    csig("sluice_csig_available_bytes_per_second", gauge, "bytes_per_second",
         "Available bandwidth of a port that updates CSIG tags, over the last interval.",
         "/available_bps", bits),
    channel("sluice_port_credit_available_bytes", gauge, "bytes",
            "Octets that may be sent on credit now.", "/available_bytes"),
    channel("sluice_port_credit_used_bytes", gauge, "bytes", "Octets of its credit buffer in use.",
            "/used_bytes"),
    retry("sluice_port_retry_used_bytes", gauge, "bytes",
          "Octets of the replay buffer in use by frames not acknowledged yet.", "/used_bytes"),
    retry("sluice_port_retry_most_used_bytes", gauge, "bytes",
          "Most octets of the replay buffer in use since watermarks were cleared.",
          "/most_used_bytes"),
    retry("sluice_port_retry_resequence_used_bytes", gauge, "bytes",
          "Octets of the resequence buffer in use by frames received after a missing one.",
          "/kept_bytes"),
    retry("sluice_port_retry_resequence_most_used_bytes", gauge, "bytes",
          "Most octets of the resequence buffer in use since watermarks were cleared.",
          "/most_kept_bytes"),

    buffer("sluice_buffer_size_bytes", "Octets of frames that may wait in the switch.",
           "/size_bytes"),
    buffer("sluice_buffer_pool_size_bytes", "The shared pool.", "/pool/size_bytes"),
    buffer("sluice_buffer_pool_used_bytes", "Octets of the shared pool in use.",
           "/pool/used_bytes"),
    buffer("sluice_buffer_pool_used_max_bytes", "Most octets of the shared pool that were in use.",
           "/pool/max_used_bytes"),
    group("sluice_buffer_group_occupancy_bytes",
          "Octets of the buffer that frames received by the port occupy.", "/occupancy_bytes"),
    group("sluice_buffer_group_occupancy_max_bytes", "The most octets that they ever occupied.",
          "/occupancy_max"),
    group("sluice_buffer_group_xoff_bytes",
          "XOFF threshold: octets of the pool in use that pause the peer.", "/xoff_bytes"),
    group("sluice_buffer_group_xon_bytes",
          "XON threshold: octets of the pool in use that resume the peer.", "/xon_bytes"),
    group("sluice_buffer_group_headroom_bytes",
          "Octets reserved for frames that the peer still sends after an XOFF.", "/headroom_bytes"),
    group("sluice_buffer_group_headroom_used_bytes", "Octets of the headroom in use.",
          "/headroom_used"),
    group("sluice_buffer_group_headroom_used_max_bytes",
          "Most octets of the headroom that were in use.", "/headroom_used_max"),

    queue("sluice_queue_frames", gauge, "frames", "Frames that wait for the output.", "/frames"),
    queue("sluice_queue_bytes", gauge, "bytes", "Octets of the buffer that these frames occupy.",
          "/bytes"),
    most(queue("sluice_queue_max_bytes", gauge, "bytes",
               "Most octets that waited for the output from one input.", "/max_bytes")),

    bypass("sluice_fabric_bypassed_frames", counter, "frames", "Frames that bypassed the VOQs.",
           "/frames"),

    latency("sluice_latency_seconds", Type::histogram, "seconds",
            "How long frames were in the switch, of those that were timed.", "/sum_ns",
            nanoseconds),

    {.name = "sluice_worker",
     .type = Type::info,
     .help = "The worker's core and its NUMA node.",
     .noun = "workers",
     .labels = of_core},
    worker("sluice_worker_busy_ratio", gauge, "ratio",
           "The share of its time in polls that found something to do, since the start.",
           "/busy_share"),
    worker("sluice_worker_busy_seconds", counter, "seconds",
           "Time in polls that found something to do: its rate is how busy the worker is now.",
           "/busy_ns", nanoseconds),
    worker("sluice_worker_polls", counter, "polls", "Polls.", "/polls"),
    worker("sluice_worker_busy_polls", counter, "polls", "Polls that found something to do.",
           "/busy_polls"),
    worker("sluice_worker_frames", counter, "frames", "Frames that it received.", "/frames"),
    worker("sluice_worker_longest_poll_gap_seconds", gauge, "seconds",
           "The longest time between two polls.", "/longest_gap_ns", nanoseconds),

    lldp("sluice_lldp_neighbours", gauge, "neighbours", "Neighbours that LLDP knows.",
         "/neighbours"),
    tree("sluice_spanning_tree_is_root", gauge, "", "1: this switch is the root of the tree.",
         "/is_root"),
    tree("sluice_spanning_tree_topology_changes", counter, "changes",
         "Topology changes, detected here or reported by a neighbour.", "/topology_changes"),
    equal_to("forwarding",
             tree_port("sluice_spanning_tree_port_forwarding", gauge, "",
                       "1: the port forwards; 0: it discards or only learns.", "/state")),
    equal_to("root", tree_port("sluice_spanning_tree_port_root", gauge, "",
                               "1: the port is the root port.", "/role")),
    equal_to("bpdu_guard", tree_port("sluice_spanning_tree_port_bpdu_guarded", gauge, "",
                                     "1: the port is shut because it received a BPDU.", "/guard")),
    {.name = "sluice_dcbx",
     .type = Type::info,
     .help = "Mode and dialect of DCBX of the feature.",
     .noun = "dcbx",
     .labels = of_dialect},
    most(dcbx_port("sluice_dcbx_peers", gauge, "peers",
                   "Neighbours that speak DCBX; if there are several, all are ignored.", "/peers")),
    most(dcbx_port("sluice_dcbx_peer_faults", gauge, "faults",
                   "Kinds of fault in the peer's last DCBX frame.", "/peer_faults")),
    most(dcbx_port("sluice_dcbx_faults", counter, "",
                   "Invalid DCBX TLVs of peers, which were ignored.", "/fault_count")),
    dcbx("sluice_dcbx_mismatch", gauge, "", "1 while the port and its peer do not agree.",
         "/mismatch"),
    dcbx("sluice_dcbx_mismatches", counter, "", "DCBX mismatches that began.", "/mismatches"),
    dcbx("sluice_dcbx_pending", gauge, "", "1 while the peer has not answered a change.",
         "/pending"),
    dcbx("sluice_dcbx_from_peer", gauge, "", "1 while the peer's settings are in use.",
         "/from_peer"),

    total("sluice_fdb_entries", gauge, "entries", "Addresses that are known.", "/fdb_entries"),
    total("sluice_fdb_capacity_entries", gauge, "entries", "Addresses that the table has room for.",
          "/fdb_capacity"),
    total("sluice_fdb_moves", counter, "", "Addresses that moved to another port.", "/fdb_moves"),
    total("sluice_fdb_full", counter, "", "Addresses that found no room in the table.",
          "/fdb_full"),
    recorded("sluice_recorder_bursts", "", "Bursts that were found in recordings.", "/bursts"),
    recorded("sluice_recorder_recordings", "", "Recordings of queues that were made.", "/made"),
    recorded("sluice_recorder_lost_samples", "",
             "Samples that were lost because all memory waited to be read.", "/samples_lost"),
    exported("sluice_ipfix_records", "Data records that were sent.", "/records"),
    exported("sluice_ipfix_lost_samples",
             "Samples lost because the buffer was full or their layout changed.", "/samples_lost"),
    multicast("sluice_multicast_groups", gauge, "groups", "Groups that are known.", "/known"),
    querier("sluice_multicast_querier", gauge, "",
            "1 while this switch queries, 0 while another does.", "/own"),
    querier("sluice_multicast_query_frames", counter, "frames",
            "Queries of IGMP and MLD that this switch sent.", "/queries"),
    network("sluice_evpn_network_up", gauge, "",
            "1 while the devices of the network in the kernel are as they must be.", "/up"),
    network("sluice_evpn_network_vteps", gauge, "",
            "VTEPs that the routing daemon has written to the kernel.", "/vteps"),
    network("sluice_evpn_network_local_addresses", gauge, "addresses",
            "MAC addresses of local hosts that the kernel has, for the routing daemon.",
            "/local_addresses"),
    network("sluice_evpn_network_remote_addresses", gauge, "addresses",
            "Remote MAC addresses that the routing daemon has written to the kernel.",
            "/remote_addresses"),
    network("sluice_evpn_network_stale_entries", gauge, "entries",
            "Addresses and VTEPs that the routing daemon removed and that are kept for a while.",
            "/stale"),
    network("sluice_evpn_network_left_out", gauge, "",
            "Remote MAC addresses and VTEPs that there is no room for.", "/left_out"),
    network("sluice_evpn_network_sweeps", counter, "",
            "Sweeps of remote entries after a restart of the routing daemon.", "/sweeps"),
    network(
        "sluice_evpn_network_local_neighbours", gauge, "neighbours",
        "IP addresses of local hosts that the kernel has, for the routing daemon (neigh_suppress).",
        "/local_neighbours"),
    network("sluice_evpn_network_remote_neighbours", gauge, "neighbours",
            "Remote IP addresses for which ARP and ND requests are answered.",
            "/remote_neighbours"),
    network("sluice_evpn_network_neighbours_left_out", counter, "",
            "IP addresses that found no room.", "/neighbours_left_out"),
    network("sluice_evpn_network_suppressed_frames", counter, "frames",
            "ARP and ND requests that were answered here instead of flooded.", "/suppressed"),
    network("sluice_evpn_network_unanswered_frames", counter, "frames",
            "ARP and ND requests that were neither answered nor flooded.", "/unanswered"),
    evpn("sluice_evpn_resyncs", counter, "",
         "Resynchronisations with the kernel, after lost netlink messages.", "/resyncs"),
    evpn("sluice_evpn_refused_requests", counter, "requests", "Requests that the kernel refused.",
         "/refused"),
    total("sluice_events", counter, "", "Events, as `sluice watch` shows them.", "/events"),
});
constexpr auto table =
    joined(others, families_of<port_counters>(port), families_of<pfc_counters>(pfc),
           families_of<queue_counters>(queue), families_of<credit_port_counters>(credit),
           families_of<credit_priority_counters>(channel), families_of<csig_counters>(csig),
           families_of<retry_counters>(retry), families_of<fabric_counters>(fabric),
           families_of<lldp_counters>(lldp), families_of<tree_port_counters>(tree_port),
           families_of<vtep_counters>(vtep));

}  // namespace

std::span<const MetricFamily> families() { return table; }

}  // namespace sluice::control::http
