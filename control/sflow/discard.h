// Discard: maps drop reasons to sFlow's codes. Codes below 263 are those of `interface` of format
// 1, codes from 263 on those of sflow.org's sFlow Dropped Packet Notification Structures. Bound:
// one row for each reason, which the compiler checks. A reason that has no code in sFlow gets
// `unknown` or the code of its group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/drops.h"

namespace sluice::control::sflow {

enum class Discard : uint32_t {
    unknown = 256,
    ttl_exceeded = 257,
    acl = 258,
    no_buffer_space = 259,
    red = 260,
    traffic_shaping = 261,
    packet_too_big = 262,
    source_mac_is_multicast = 263,
    vlan_tag_mismatch = 264,
    ingress_vlan_filter = 265,
    port_list_is_empty = 267,
    port_loopback_filter = 268,
    unknown_l2 = 284,
};

// The counter of an interface that counts a lost frame (IF-MIB: ifInDiscards or ifInErrors). A
// frame that is faulty itself counts as an error.
enum class CountedAs : uint8_t { discard, error };

// The code of a drop reason: one row a reason, in the order of Drop.
struct DiscardRow {
    Drop reason;
    Discard code;
    CountedAs counted = CountedAs::discard;
};
inline constexpr auto discard_rows = std::to_array<DiscardRow>({
    {Drop::none, Discard::unknown},
    {Drop::runt, Discard::unknown_l2, CountedAs::error},
    {Drop::oversize, Discard::packet_too_big, CountedAs::error},
    {Drop::truncated_tag, Discard::unknown_l2, CountedAs::error},
    {Drop::truncated_ip, Discard::unknown_l2, CountedAs::error},
    {Drop::afh_gen2_32b, Discard::unknown_l2, CountedAs::error},
    {Drop::afh_gen2_16b, Discard::unknown_l2, CountedAs::error},
    {Drop::ttl_expired, Discard::ttl_exceeded, CountedAs::error},
    {Drop::group_source, Discard::source_mac_is_multicast, CountedAs::error},
    {Drop::reserved_address, Discard::unknown_l2},
    {Drop::mac_control, Discard::unknown_l2},
    {Drop::pause_destination, Discard::unknown_l2},
    {Drop::pause_source, Discard::unknown_l2},
    {Drop::pause_opcode, Discard::unknown_l2},
    {Drop::pause_length, Discard::unknown_l2},
    {Drop::pause_vector, Discard::unknown_l2},
    {Drop::pause_limit, Discard::traffic_shaping},
    {Drop::credit_update, Discard::unknown_l2},
    {Drop::lldp, Discard::unknown_l2},
    {Drop::lldp_limit, Discard::traffic_shaping},
    {Drop::lacp, Discard::unknown_l2},
    {Drop::lacp_limit, Discard::traffic_shaping},
    {Drop::lacp_detached, Discard::unknown_l2},
    {Drop::loop_probe, Discard::unknown_l2},
    {Drop::loop_probe_limit, Discard::traffic_shaping},
    {Drop::neigh_suppressed, Discard::unknown_l2},
    {Drop::loop_shut, Discard::unknown_l2},
    {Drop::bpdu, Discard::unknown_l2},
    {Drop::bpdu_limit, Discard::traffic_shaping},
    {Drop::stp_discarding, Discard::unknown_l2},
    {Drop::tag_required, Discard::vlan_tag_mismatch},
    {Drop::tag_refused, Discard::vlan_tag_mismatch},
    {Drop::vlan_filtered, Discard::ingress_vlan_filter},
    {Drop::same_port, Discard::port_loopback_filter},
    {Drop::no_output, Discard::port_list_is_empty},
    {Drop::no_listener, Discard::port_list_is_empty},
    {Drop::membership_damaged, Discard::unknown_l2},
    {Drop::storm_broadcast, Discard::traffic_shaping},
    {Drop::storm_unknown_unicast, Discard::traffic_shaping},
    {Drop::storm_multicast, Discard::traffic_shaping},
    {Drop::static_source, Discard::acl},
    {Drop::moved_source, Discard::acl},
    {Drop::fdb_full, Discard::no_buffer_space},
    {Drop::unknown_unicast, Discard::acl},
    {Drop::mtu_exceeded, Discard::packet_too_big},
    {Drop::dcbx_defence, Discard::acl},
    {Drop::over_threshold, Discard::no_buffer_space},
    {Drop::trim_refused, Discard::no_buffer_space},
    {Drop::headroom_overrun, Discard::no_buffer_space},
    {Drop::wred, Discard::red},
    {Drop::no_credit, Discard::no_buffer_space},
    {Drop::no_queue_entry, Discard::no_buffer_space},
    {Drop::pfc_storm, Discard::no_buffer_space},
    {Drop::egress_stalled, Discard::no_buffer_space},
    {Drop::ingress_down, Discard::unknown_l2},
    {Drop::too_long_for_interface, Discard::packet_too_big},
    {Drop::no_retry_session, Discard::no_buffer_space},
    {Drop::no_buffer, Discard::no_buffer_space},
    {Drop::egress_down, Discard::unknown_l2},
    {Drop::shutdown, Discard::unknown},
});
static_assert(has_row_for_each_reason(discard_rows));

constexpr bool is_error(Drop reason) {
    return discard_rows[static_cast<std::size_t>(reason)].counted == CountedAs::error;
}

constexpr Discard discard_of(Drop reason) {
    return discard_rows[static_cast<std::size_t>(reason)].code;
}

}  // namespace sluice::control::sflow
