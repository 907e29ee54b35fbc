// Drops: every frame that enters and does not leave is counted in exactly one of these: at the port
// it entered by, or at the port it was to leave by if it had crossed the fabric.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/counters.h"

namespace sluice {

enum class Drop : uint8_t {
    none,                   // not a drop: the frame goes on
    runt,                   // shorter than the headers of its port's format (802.3: 14 octets)
    oversize,               // longer than the port's MTU allows
    truncated_tag,          // ends inside an 802.1Q or 802.1ad tag
    truncated_ip,           // ends inside its IPv4 or IPv6 header
    afh_gen2_32b,           // AFH GEN2 with 32-bit ids (key word W = 0), whose layout is not public
    group_source,           // source address is a group address (802.3 3.2.3)
    reserved_address,       // 01-80-C2-00-00-00 to -0F: never forwarded (802.1Q table 8-1)
    mac_control,            // a pause frame: heard, and consumed at this port (802.3 clause 31)
    pause_destination,      // MAC control to another address than 01-80-C2-00-00-01: no effect
    pause_source,           // a pause frame of another than the known peer: no effect
    pause_opcode,           // MAC control with an opcode that the port does not obey: no effect
    pause_length,           // a pause frame that ends before its times do: no effect
    pause_vector,           // PFC whose class-enable vector has a high octet: no effect
    pause_limit,            // more pause frames in a second than the port listens to: no effect
    lldp,                   // handed to control
    lldp_limit,             // LLDP that control does not take: too many in a second, or too long
    tag_required,           // without a tag, on a port that takes none of those
    tag_refused,            // with a tag, on a port that takes none of those
    vlan_filtered,          // the input is no member of the frame's VLAN
    same_port,              // its destination is on the port it came from
    no_output,              // no other port of its VLAN and family that it may talk to is up
    no_listener,            // nobody it could go to listens to its group, or routes for a report
    membership_damaged,     // IGMP or MLD cut short, of a wrong checksum or from afar: not believed
    storm_broadcast,        // more broadcasts than its port lets in
    storm_unknown_unicast,  // more frames for stations that nobody knows than its port lets in
    storm_multicast,        // more multicast than its port lets in
    static_source,          // its source address is bound to another port
    moved_source,           // its source address is known at another port, which keeps it
    fdb_full,               // its source address finds no place, and such are not to speak
    unknown_unicast,        // for a station that nobody knows, in a VLAN that does not flood them
    mtu_exceeded,           // longer, with its tag, than its output sends (802.1Q 6.5.8)
    defended,               // of a priority in which the peer does not pause, and is to (DCBX)
    over_threshold,         // its VOQ is at the dynamic threshold (lossy priority)
    headroom_overrun,       // lossless priority, and the headroom is full
    no_queue_entry,         // its level has room, and the memory of the queues has none
    pfc_storm,              // for a queue that the watchdog has given up on
    no_buffer,              // was to leave with another tag than others of the flood, and no copy
    egress_down,            // was queued for a port that went down
    shutdown,               // was queued when the switch stopped
};

inline constexpr auto drop_names = std::to_array<std::string_view>({
    "none",
    "runt",
    "oversize",
    "truncated_tag",
    "truncated_ip",
    "afh_gen2_32b",
    "group_source",
    "reserved_address",
    "mac_control",
    "pause_destination",
    "pause_source",
    "pause_opcode",
    "pause_length",
    "pause_vector",
    "pause_limit",
    "lldp",
    "lldp_limit",
    "tag_required",
    "tag_refused",
    "vlan_filtered",
    "same_port",
    "no_output",
    "no_listener",
    "membership_damaged",
    "storm_broadcast",
    "storm_unknown_unicast",
    "storm_multicast",
    "static_source",
    "moved_source",
    "fdb_full",
    "unknown_unicast",
    "mtu_exceeded",
    "defended",
    "over_threshold",
    "headroom_overrun",
    "no_queue_entry",
    "pfc_storm",
    "no_buffer",
    "egress_down",
    "shutdown",
});
inline constexpr std::size_t drop_reasons = drop_names.size();
static_assert(static_cast<std::size_t>(Drop::shutdown) + 1 == drop_reasons);

constexpr std::string_view name_of(Drop reason) {
    return drop_names[static_cast<std::size_t>(reason)];
}

// One writer: the worker that owns the port.
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
