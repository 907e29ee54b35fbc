// CounterRows: the counters of nouns (nouns.h). A row has the key of a counter, whether the counter
// continues after a restart, and its metric. `clear counters` clears all of them
// (cleared_counters.h), `state.counters` restores the `lasting` ones (restored_counters.h), and
// Prometheus reads those with a metric (../http/metric_family.h).
//
// To add one:
//   1. dataplane/: add the Counter and the code that increments it;
//   2. here: add its row;
//   3. where its noun is made (snapshot.cc, queues.cc, lossless.cc, ...): add its value.
// For counters of ports, queues and PFC, a test fails if step 3 is missing. Another test prints the
// row to add to ../metrics.md. Describe the key in ../nouns.md. To show it in a table of `sluice
// show`, add a column (tools/sluice/ports_view.cc, lossless_views.cc).
//
// Not here: counts that need more than a row and a key (drops by reason, latency), and counters
// that `clear counters` does not reset.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sluice::control {

struct CounterRow {
    std::string_view pointer;  // `/` and the key of the counter in a row of the noun
    bool restored = false;
    std::string_view metric = {};  // name without `_total`; empty: it has no metric
    std::string_view unit = {};
    std::string_view help = {};
    double divisor = 1;

    [[nodiscard]] constexpr std::string_view key() const { return pointer.substr(1); }
    [[nodiscard]] constexpr bool has_metric() const { return !metric.empty(); }
};

// Returns the row of a counter that continues after a restart.
constexpr CounterRow lasting(std::string_view pointer, std::string_view metric = {},
                             std::string_view unit = {}, std::string_view help = {},
                             double divisor = 1) {
    return {pointer, true, metric, unit, help, divisor};
}
// Returns the row of a counter that starts at 0 after a restart.
constexpr CounterRow passing(std::string_view pointer, std::string_view metric = {},
                             std::string_view unit = {}, std::string_view help = {},
                             double divisor = 1) {
    return {pointer, false, metric, unit, help, divisor};
}
inline constexpr double in_seconds = 1e9;  // divisor of a counter of nanoseconds

inline constexpr auto port_counters = std::to_array<CounterRow>({
    lasting("/rx_frames", "sluice_port_receive_frames", "frames", "Frames that entered."),
    lasting("/rx_bytes", "sluice_port_receive_bytes", "bytes", "Octets of frames that entered."),
    lasting("/tx_frames", "sluice_port_transmit_frames", "frames", "Frames that left."),
    lasting("/tx_bytes", "sluice_port_transmit_bytes", "bytes", "Octets of frames that left."),
    passing("/dropped"),  // sum of the rows of `drops`, which are restored
    lasting("/copied", "sluice_port_copied_frames", "frames",
            "Copies beyond the first of frames that entered: floods, groups, mirrors."),
    lasting("/generated", "sluice_port_generated_frames", "frames",
            "Frames that the switch itself made: pause frames, LLDP."),
    lasting("/trimmed"),
    lasting("/trim_dropped"),
    lasting("/egress_stalls", "sluice_port_egress_stalls", "",
            "How often the device took no frames for `pfc.watchdog.detection`."),
    lasting("/egress_stalled_ns", "sluice_port_egress_stalled_seconds", "seconds",
            "How long such stalls lasted.", in_seconds),
    passing("/device_counters"),
    passing("/xdp"),
});

inline constexpr auto queue_counters = std::to_array<CounterRow>({
    passing("/enqueued", "sluice_queue_enqueued_frames", "frames", "Frames for the output."),
    passing("/dequeued", "sluice_queue_dequeued_frames", "frames", "Frames that crossed to it."),
    passing("/flushed", "sluice_queue_flushed_frames", "frames",
            "Frames that waited for it when it went down."),
    passing("/dropped", "sluice_queue_dropped_frames", "frames",
            "Frames for it that found no room."),
    passing("/marked", "sluice_queue_marked_frames", "frames", "Frames that ECN marked."),
    passing("/storm_dropped"),
    passing("/trimmed", "sluice_queue_trimmed_frames", "frames",
            "Frames for it that were cut to their headers, as they found no room."),
    passing("/trim_dropped", "sluice_queue_trim_dropped_frames", "frames",
            "Trimmed frames dropped because the buffer had no room for them either."),
});

inline constexpr auto pfc_counters = std::to_array<CounterRow>({
    lasting("/rx_pause", "sluice_port_pause_received_frames", "frames",
            "Pause frames of the peer that were obeyed."),
    lasting("/queue_refusals"),
    passing("/device_rx_pause", "sluice_port_device_pause_received_frames", "frames",
            "PFC frames that the device obeyed by itself (pfc.by: nic), where it counts them."),
    lasting("/paused_ns", "sluice_port_pause_received_seconds", "seconds",
            "How long the peer paused the priority.", in_seconds),
    passing("/paused_transitions", "sluice_port_pause_received_transitions", "",
            "How often the peer began to pause the priority."),
    lasting("/storms", "sluice_port_watchdog_storms", "", "Pause storms that the watchdog found."),
    lasting("/restored"),
    lasting("/storm_ns", "sluice_port_watchdog_storm_seconds", "seconds", "How long storms lasted.",
            in_seconds),
    lasting("/storm_dropped", "sluice_port_watchdog_dropped_frames", "frames",
            "Frames dropped since the watchdog gave their queue up."),
    passing("/relayed_pause", "sluice_port_relayed_pause_frames", "frames",
            "Pause frames of the peer that were relayed to the peer of another port."),
    passing("/relayed_resume", "sluice_port_relayed_resume_frames", "frames",
            "XON frames of the peer that were relayed to the peer of another port."),
    passing("/relay_cuts", "sluice_port_relay_cuts", "",
            "Relayed pauses that were cut off, having lasted for too long."),
    passing("/relay_too_deep", "sluice_port_relay_too_deep_frames", "frames",
            "Pause frames that passed too many relays and were obeyed here."),
    passing("/relay_too_many", "sluice_port_relay_too_many_frames", "frames",
            "Pause frames above the rate limit of the relay, obeyed here."),
    lasting("/tx_pause", "sluice_port_pause_sent_frames", "frames",
            "Pause frames (XOFF) to the peer."),
    lasting("/tx_resume", "sluice_port_resume_sent_frames", "frames",
            "Frames to the peer that end a pause (XON)."),
    lasting("/queue_stops"),
    passing("/device_tx_pause", "sluice_port_device_pause_sent_frames", "frames",
            "PFC frames that the device sent by itself (pfc.by: nic), where it counts them."),
    lasting("/pausing_ns", "sluice_port_pause_sent_seconds", "seconds",
            "How long the peer was paused.", in_seconds),
    passing("/pausing_transitions", "sluice_port_pause_sent_transitions", "",
            "How often this switch began to pause the peer."),
    lasting("/pause_ignored", "sluice_port_pause_ignored_frames", "frames",
            "Frames that the peer sent after an XOFF and its repetition."),
    lasting("/xoff_repeated"),
});

inline constexpr auto credit_port_counters = std::to_array<CounterRow>({
    passing("/updates_sent", "sluice_port_credit_updates_sent_frames", "frames",
            "Credit updates sent to the peer."),
    passing("/updates_received", "sluice_port_credit_updates_received_frames", "frames",
            "Credit updates received from the peer."),
    passing("/updates_lost", "sluice_port_credit_updates_lost_frames", "frames",
            "Credit updates of the peer that were lost."),
    passing("/lost_bytes", "sluice_port_credit_lost_bytes", "bytes",
            "Credit of lost or damaged frames that was restored."),
});
inline constexpr auto retry_counters = std::to_array<CounterRow>({
    passing("/sent", "sluice_port_retry_sent_frames", "frames",
            "Frames sent with a sequence number; resends not counted."),
    passing("/replayed", "sluice_port_retry_replayed_frames", "frames",
            "Frames resent; each resend counts."),
    passing("/replays", "sluice_port_retry_replays", "",
            "ACKs, NACKs and timeouts that caused frames to be resent."),
    passing("/timeouts", "sluice_port_retry_timeouts", "",
            "Replay timers that expired without an acknowledgement."),
    passing("/acknowledged", "sluice_port_retry_acknowledged_frames", "frames",
            "Frames that the peer acknowledged."),
    passing("/flushes", "sluice_port_retry_flushes", "",
            "How often frames were given up because one reached replay_count_max or data_age."),
    passing("/given_up", "sluice_port_retry_given_up_frames", "frames",
            "Frames that were not acknowledged when their session ended."),
    passing(
        "/abandoned", "sluice_port_retry_abandoned_frames", "frames",
        "Frames that were acknowledged to the peer, and dropped as their port was removed or the "
        "switch stopped."),
    passing("/unnumbered", "sluice_port_retry_unnumbered_frames", "frames",
            "Frames of lossless priorities sent without retry because no session was open."),
    passing("/taken", "sluice_port_retry_taken_frames", "frames", "Frames received in order."),
    passing("/kept", "sluice_port_retry_kept_frames", "frames",
            "Frames received after a missing one and stored until it was received."),
    passing("/duplicates", "sluice_port_retry_duplicate_frames", "frames",
            "Frames received a second time and dropped."),
    passing("/missing", "sluice_port_retry_missing_frames", "frames",
            "Frames received after a missing one and dropped."),
    passing("/acks", "sluice_port_retry_acks_sent_frames", "frames", "Acknowledgements sent."),
    passing("/nacks", "sluice_port_retry_nacks_sent_frames", "frames",
            "NACKs sent: requests to resend missing frames."),
    passing("/unexpected", "sluice_port_retry_unexpected_frames", "frames",
            "ACKs and NACKs ignored: of another session, for frames never sent, or out of date."),
    passing("/strays", "sluice_port_retry_stray_frames", "frames",
            "Frames received of another session, or without a session."),
    passing("/malformed", "sluice_port_retry_malformed_frames", "frames",
            "Damaged retry frames received."),
});
inline constexpr auto credit_priority_counters = std::to_array<CounterRow>({
    passing("/blocked_ns", "sluice_port_credit_blocked_seconds", "seconds",
            "How long frames waited for credit.", in_seconds),
});
inline constexpr auto csig_counters = std::to_array<CounterRow>({
    passing("/seen", "sluice_csig_seen_frames", "frames",
            "Frames with a CSIG tag that left a port that updates them."),
    passing("/replaced", "sluice_csig_replaced_frames", "frames",
            "Frames whose CSIG signal was replaced because that of the port was worse."),
    passing("/stripped", "sluice_csig_stripped_frames", "frames",
            "Frames for the port whose CSIG tag was removed."),
    passing("/shared", "sluice_csig_shared_frames", "frames",
            "Frames sent to several ports, whose CSIG tag was left unchanged."),
    passing("/truncated", "sluice_csig_truncated_frames", "frames",
            "Received frames that end within a CSIG tag or the IP header after it."),
    passing("/order", "sluice_csig_order_frames", "frames",
            "Received frames with another tag after the CSIG tag."),
    passing("/macsec", "sluice_csig_macsec_frames", "frames",
            "Received frames with both a CSIG tag and MACsec."),
    passing("/not_ip", "sluice_csig_not_ip_frames", "frames",
            "Received frames whose CSIG tag is not followed by IP."),
});
inline constexpr auto lldp_counters = std::to_array<CounterRow>({
    passing("/frames_out", "sluice_lldp_transmit_frames", "frames", "LLDP frames sent."),
    passing("/frames_in", "sluice_lldp_receive_frames", "frames", "LLDP frames received."),
    passing("/frames_in_errors", "sluice_lldp_receive_error_frames", "frames",
            "LLDP frames that were damaged."),
    passing("/frames_discarded"),
    passing("/tlvs_discarded"),
    passing("/tlvs_unrecognized"),
    passing("/ageouts", "sluice_lldp_aged_out_neighbours", "neighbours",
            "Neighbours that sent nothing in their time to live."),
    passing("/lldpdu_length_errors"),
});
inline constexpr auto lacp_counters = std::to_array<CounterRow>({
    passing("/lacpdus_in"),
    passing("/lacpdus_out"),
    passing("/markers_in"),
    passing("/marker_responses_out"),
    passing("/unknown_in"),
    passing("/illegal_in"),
});
inline constexpr auto tree_port_counters = std::to_array<CounterRow>({
    passing("/bpdus_in", "sluice_spanning_tree_receive_bpdus", "bpdus", "BPDUs received."),
    passing("/bpdus_out", "sluice_spanning_tree_transmit_bpdus", "bpdus", "BPDUs sent."),
    passing("/topology_changes_in"),
    passing("/damaged_in"),
    passing("/filtered_in"),
});
inline constexpr auto vtep_counters = std::to_array<CounterRow>({
    passing("/rx_frames", "sluice_vtep_receive_frames", "frames", "Frames received from the VTEP."),
    passing("/rx_bytes", "sluice_vtep_receive_bytes", "bytes",
            "Octets of these frames, without outer headers."),
    passing("/tx_frames", "sluice_vtep_transmit_frames", "frames", "Frames sent to the VTEP."),
    passing("/tx_bytes", "sluice_vtep_transmit_bytes", "bytes",
            "Octets of these frames, without outer headers."),
    passing(
        "/dropped", "sluice_vtep_dropped_frames", "frames",
        "Frames for the VTEP that were dropped: its next hop is not known, or they are too long."),
});
inline constexpr auto fabric_counters = std::to_array<CounterRow>({
    passing("/slots", "sluice_fabric_slots", "slots", "Matchings."),
    passing("/pairs", "sluice_fabric_pairs", "pairs", "Pairs of inputs and outputs in matchings."),
    passing("/frames", "sluice_fabric_frames", "frames",
            "Frames that crossed the crossbar by matchings."),
});

// Returns the keys of the rows for which `chosen` returns true, in the order of `rows`.
template <const auto& rows, auto chosen>
constexpr auto keys_of() {
    constexpr auto count = static_cast<std::size_t>(std::ranges::count_if(rows, chosen));
    std::array<std::string_view, count> keys{};
    std::size_t next = 0;
    for (const CounterRow& row : rows) {
        if (chosen(row)) keys[next++] = row.key();
    }
    return keys;
}
template <const auto& rows>
inline constexpr auto all_keys_of = keys_of<rows, [](const CounterRow&) { return true; }>();
template <const auto& rows>
inline constexpr auto restored_keys_of =
    keys_of<rows, [](const CounterRow& row) { return row.restored; }>();

}  // namespace sluice::control
