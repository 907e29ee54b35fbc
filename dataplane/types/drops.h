// Drops: the drop reasons. Every frame that is received and not sent is counted under exactly one
// reason: at the port that received it or, once it has crossed the fabric, at its output.
//
// To add a reason, add its enumerator and its row here, before `shutdown`, and its row with sFlow's
// code (control/sflow/discard.h). Without both rows the code does not compile. The compiler checks
// none of the other places:
//   - `Fate::consumed` in its row here, if the frame was for the switch itself and so is no loss;
//   - dataplane/trace/what_if.cc, if the frame is dropped before it is queued;
//   - dataplane/types/queue_refusals.h, if a queue refuses the frame;
//   - `malformed_reasons` in control/show/counters.cc, if the frame is malformed;
//   - control/watch/loss_watch.h, if it should raise an event;
//   - the alert SluiceDrops in tools/prometheus/sluice.rules.yaml, if the frame found no room or is
//     too long.
// Metrics and `sluice show` print the reason without further changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/types/counters.h"
#include "dataplane/types/enum_count.h"

namespace sluice {

enum class Drop : uint8_t {
    none,                // not a drop: the frame is forwarded
    runt,                // shorter than the headers of the port's format (802.3: 14 octets)
    oversize,            // longer than the port's MTU allows
    truncated_tag,       // ends inside an 802.1Q or 802.1ad tag
    truncated_ip,        // ends inside its IPv4 or IPv6 header
    afh_gen2_32b,        // AFH with ids of 32 bits (key word W = 0), at a port of 16-bit ids
    afh_gen2_16b,        // AFH with ids of 16 bits (W = 1), at a port of 32-bit ids
    ttl_expired,         // the TTL of the frame's format is 1 or 0: no switch forwards it
    group_source,        // source address is a group address (802.3 3.2.3)
    reserved_address,    // 01-80-C2-00-00-00 to -0F: never forwarded (802.1Q table 8-1)
    mac_control,         // a pause frame that the port obeyed (802.3 clause 31)
    pause_destination,   // MAC control to another address than 01-80-C2-00-00-01: no effect
    pause_source,        // a pause frame from a station that the port does not obey: no effect
    pause_opcode,        // MAC control with an opcode that the port does not obey: no effect
    pause_length,        // a pause frame that ends before its last time: no effect
    pause_vector,        // PFC with a bit in the high octet of its class-enable vector: no effect
    pause_limit,         // a pause frame above the port's limit per second: no effect
    credit_update,       // the peer's update of credit
    lldp,                // LLDP, handed to control
    lldp_limit,          // LLDP that control does not accept: too many per second, or too long
    lacp,                // LACP or a marker at a port with LACP, handed to control
    lacp_limit,          // LACP that control does not accept
    lacp_detached,       // LACP has not attached the port, so the port exchanges only LACP
    loop_probe,          // a loop probe of this switch, handed to control
    loop_probe_limit,    // loop probes that control does not accept
    neigh_suppressed,    // a request for a neighbour that control answers for, handed to control
    loop_shut,           // the loop guard has shut the port
    bpdu,                // a BPDU at a port in the spanning tree, handed to control
    bpdu_limit,          // BPDUs that control does not accept
    stp_discarding,      // the spanning tree has the port discarding or learning
    tag_required,        // without a tag, at a port that accepts only tagged frames
    tag_refused,         // with a tag, at a port that accepts only untagged frames
    vlan_filtered,       // the input is not a member of the frame's VLAN
    same_port,           // the destination is on the port that received the frame
    no_output,           // no port of the VLAN and family that the frame may be sent to is up
    no_listener,         // no allowed output has a member of the group or, for a report, a router
    membership_damaged,  // IGMP or MLD that is cut short, has a bad checksum or hop limit
    storm_broadcast,     // a broadcast above the port's storm control limit
    storm_unknown_unicast,  // a unicast to an unknown station, above the port's storm control limit
    storm_multicast,        // a multicast above the port's storm control limit
    static_source,          // the source address is bound to another port
    moved_source,           // the source address is known at another port, and must not move
    fdb_full,               // the FDB has no room for the source address, and `when_full` is drop
    unknown_unicast,        // to an unknown station, in a VLAN that does not flood such frames
    mtu_exceeded,           // longer, with the tag, than the output's MTU (802.1Q 6.5.8)
    dcbx_defence,           // in a priority that the peer should pause and does not (DCBX)
    over_threshold,         // lossy: the VOQ is at the dynamic threshold, or the pool is used up
    trim_refused,           // trimmed, but the queue of trimmed frames has no room for the rest
    headroom_overrun,       // lossless, but the headroom is full
    wred,                   // not ECN-capable, and chosen by the curve of a lossy queue
    // Lossless with credit: the buffer of the frame's input is full. For a control frame: the peer
    // at the output has given no credit.
    no_credit,
    no_queue_entry,          // below the threshold, but the queues have no memory left
    pfc_storm,               // for a queue that the watchdog discards
    egress_stalled,          // for an output whose device accepts no frames
    ingress_down,            // received by a port that is administratively down
    too_long_for_interface,  // longer than the output's interface, or its far end, accepts
    no_retry_session,        // for a link whose retry has no session, and whose action is to drop
    no_buffer,    // needs another tag than other copies of the flood, and no buffer is free
    egress_down,  // queued for a port that went down
    shutdown,     // queued when the switch stopped
    last = shutdown
};

// The fate of a frame: lost, or consumed by the switch itself.
enum class Fate : uint8_t { lost, consumed };

// The name of each reason in metrics, JSON and tables; one row a reason, in the order of Drop.
struct DropName {
    Drop reason;
    std::string_view name;
    Fate fate = Fate::lost;
};
inline constexpr auto drop_names = std::to_array<DropName>({
    {Drop::none, "none"},
    {Drop::runt, "runt"},
    {Drop::oversize, "oversize"},
    {Drop::truncated_tag, "truncated_tag"},
    {Drop::truncated_ip, "truncated_ip"},
    {Drop::afh_gen2_32b, "afh_gen2_32b"},
    {Drop::afh_gen2_16b, "afh_gen2_16b"},
    {Drop::ttl_expired, "ttl_expired"},
    {Drop::group_source, "group_source"},
    {Drop::reserved_address, "reserved_address"},
    {Drop::mac_control, "mac_control", Fate::consumed},
    {Drop::pause_destination, "pause_destination"},
    {Drop::pause_source, "pause_source"},
    {Drop::pause_opcode, "pause_opcode"},
    {Drop::pause_length, "pause_length"},
    {Drop::pause_vector, "pause_vector"},
    {Drop::pause_limit, "pause_limit"},
    {Drop::credit_update, "credit_update", Fate::consumed},
    {Drop::lldp, "lldp", Fate::consumed},
    {Drop::lldp_limit, "lldp_limit"},
    {Drop::lacp, "lacp", Fate::consumed},
    {Drop::lacp_limit, "lacp_limit"},
    {Drop::lacp_detached, "lacp_detached"},
    {Drop::loop_probe, "loop_probe", Fate::consumed},
    {Drop::loop_probe_limit, "loop_probe_limit"},
    {Drop::neigh_suppressed, "neigh_suppressed", Fate::consumed},
    {Drop::loop_shut, "loop_shut"},
    {Drop::bpdu, "bpdu", Fate::consumed},
    {Drop::bpdu_limit, "bpdu_limit"},
    {Drop::stp_discarding, "stp_discarding"},
    {Drop::tag_required, "tag_required"},
    {Drop::tag_refused, "tag_refused"},
    {Drop::vlan_filtered, "vlan_filtered"},
    {Drop::same_port, "same_port"},
    {Drop::no_output, "no_output"},
    {Drop::no_listener, "no_listener"},
    {Drop::membership_damaged, "membership_damaged"},
    {Drop::storm_broadcast, "storm_broadcast"},
    {Drop::storm_unknown_unicast, "storm_unknown_unicast"},
    {Drop::storm_multicast, "storm_multicast"},
    {Drop::static_source, "static_source"},
    {Drop::moved_source, "moved_source"},
    {Drop::fdb_full, "fdb_full"},
    {Drop::unknown_unicast, "unknown_unicast"},
    {Drop::mtu_exceeded, "mtu_exceeded"},
    {Drop::dcbx_defence, "dcbx_defence"},
    {Drop::over_threshold, "over_threshold"},
    {Drop::trim_refused, "trim_refused"},
    {Drop::headroom_overrun, "headroom_overrun"},
    {Drop::wred, "wred"},
    {Drop::no_credit, "no_credit"},
    {Drop::no_queue_entry, "no_queue_entry"},
    {Drop::pfc_storm, "pfc_storm"},
    {Drop::egress_stalled, "egress_stalled"},
    {Drop::ingress_down, "ingress_down"},
    {Drop::too_long_for_interface, "too_long_for_interface"},
    {Drop::no_retry_session, "no_retry_session"},
    {Drop::no_buffer, "no_buffer"},
    {Drop::egress_down, "egress_down"},
    {Drop::shutdown, "shutdown"},
});
inline constexpr std::size_t drop_reasons = drop_names.size();

// Returns whether a table has one row for each reason, in the order of Drop, so that a reason is
// its index.
template <class Row, std::size_t rows>
consteval bool has_row_for_each_reason(const std::array<Row, rows>& table) {
    for (std::size_t row = 0; row < rows; ++row) {
        if (static_cast<std::size_t>(table[row].reason) != row) return false;
    }
    return rows == count_of<Drop>;
}
static_assert(has_row_for_each_reason(drop_names));

// Returns whether the switch itself consumed the frame, which is no loss.
constexpr bool is_consumed(Drop reason) {
    return drop_names[static_cast<std::size_t>(reason)].fate == Fate::consumed;
}

constexpr std::string_view name_of(Drop reason) {
    return drop_names[static_cast<std::size_t>(reason)].name;
}

// The counters of a port by reason. One writer: the worker that owns the port.
class DropCounters {
  public:
    void count(Drop reason, uint64_t frames = 1) {
        by_reason_[static_cast<std::size_t>(reason)].add(frames);
    }
    [[nodiscard]] uint64_t of(Drop reason) const {
        return by_reason_[static_cast<std::size_t>(reason)].value();
    }
    [[nodiscard]] uint64_t total() const {
        uint64_t sum = 0;
        for (const Counter& counter : by_reason_) sum += counter.value();
        return sum;
    }

  private:
    std::array<Counter, drop_reasons> by_reason_;
};

}  // namespace sluice
