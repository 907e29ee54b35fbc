// Discard: what sFlow calls the reasons for which a frame ends here: the codes of `interface` of
// format 1, from 263 on as sflow.org's sFlow Dropped Packet Notification Structures has them.
// Bound: a code for each reason. Where sFlow has no word for one, `unknown` or that of its group.
#pragma once

#include <cstdint>

#include "dataplane/drops.h"

namespace sluice::control::sflow {

enum class Discard : uint32_t {
    unknown = 256,
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

// The frame itself was wrong.
constexpr bool is_error(Drop reason) {
    switch (reason) {
        case Drop::runt:
        case Drop::oversize:
        case Drop::truncated_tag:
        case Drop::truncated_ip:
        case Drop::afh_gen2_32b:
        case Drop::group_source:
            return true;
        default:
            return false;
    }
}

constexpr Discard discard_of(Drop reason) {
    switch (reason) {
        case Drop::oversize:
        case Drop::mtu_exceeded:
            return Discard::packet_too_big;
        case Drop::group_source:
            return Discard::source_mac_is_multicast;
        case Drop::tag_required:
        case Drop::tag_refused:
            return Discard::vlan_tag_mismatch;
        case Drop::vlan_filtered:
            return Discard::ingress_vlan_filter;
        case Drop::no_output:
        case Drop::no_listener:
            return Discard::port_list_is_empty;
        case Drop::same_port:
            return Discard::port_loopback_filter;
        case Drop::static_source:
        case Drop::moved_source:
        case Drop::unknown_unicast:
        case Drop::dcbx_defence:
            return Discard::acl;
        case Drop::storm_broadcast:
        case Drop::storm_unknown_unicast:
        case Drop::storm_multicast:
        case Drop::pause_limit:
        case Drop::lldp_limit:
        case Drop::lacp_limit:
        case Drop::loop_probe_limit:
            return Discard::traffic_shaping;
        case Drop::wred:
            return Discard::red;
        case Drop::over_threshold:
        case Drop::headroom_overrun:
        case Drop::no_credit:
        case Drop::no_queue_entry:
        case Drop::no_buffer:
        case Drop::pfc_storm:
        case Drop::fdb_full:
            return Discard::no_buffer_space;
        case Drop::none:
        case Drop::shutdown:
            return Discard::unknown;
        default:
            return Discard::unknown_l2;
    }
}

}  // namespace sluice::control::sflow
