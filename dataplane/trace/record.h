// Record: the path of one frame through the switch, as the workers note it when tracing is on
// (tracer.h): first its way in, then each of its copies, one for each output.
//
// The input's worker writes a copy's record until the copy leaves it, then the output's worker;
// `closed` is written last. Times are those of polls, so exact to one poll.
// Bound: plain words of fixed size.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/fabric/crossbar.h"
#include "dataplane/forward/packed_entry.h"
#include "dataplane/ingress/format.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/types/address.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"
#include "dataplane/types/units.h"

namespace sluice {

// Which frames to trace: those that match all members.
struct TraceFilter {
    PortSet ports = ~PortSet{0};  // that they came by
    std::optional<MacAddress> destination = {};
    std::optional<MacAddress> source = {};
    std::optional<VlanId> vlan = {};        // that they are bridged in
    std::optional<Priority> priority = {};  // that they were given
    uint32_t frames = 1;                    // so many of them, 1 to most_traced_frames
};
inline constexpr uint32_t most_traced_frames = 64;
// For the frames of one worker; further copies of a flood are only counted.
inline constexpr uint32_t most_traced_copies = 512;

// How a copy was admitted: not at all; past the VOQs, on its own worker or to another (bypass.h);
// into its VOQ; or trimmed (trim/trimmer.h), in which case the copy before this one is its rest.
enum class TraceWay : uint8_t { refused, bypassed, handed_over, queued, trimmed, last = trimmed };

struct CopyNotes {
    // --- as it was admitted ---------------------------------------------------------------------
    PortIndex output = 0;
    bool mirrored = false;  // for a mirror
    Priority priority = 0;
    VlanId vlan = 0;
    TagEdit edit = TagEdit::none;
    TraceWay way = TraceWay::refused;
    Drop why = Drop::none;  // refused, or dropped later
    uint8_t ecn = 0;        // of its IP header (RFC 3168), if it has one that is its own
    Admission found;        // before it was queued
    uint64_t ahead_in_egress = 0;
    bool paused = false;    // the output, by its peer
    Nanos paused_before;    // for so long, ever, until then
    bool withheld = false;  // for want of credit (credits/credit_watch.h)
    Nanos blocked_before;   // likewise
    // --- as it left its VOQ ---------------------------------------------------------------------
    bool left_voq = false;
    bool marked = false;
    Nanos left_voq_at;
    // --- as it left the switch ------------------------------------------------------------------
    uint32_t refused_by_device = 0;  // so often
    Nanos ended_at;
    Nanos paused_in_all;   // while it was in the switch
    Nanos blocked_in_all;  // likewise
    uint16_t length = 0;   // as it was sent
};

struct TracedCopy {
    std::atomic<void*> handle{nullptr};
    std::atomic<bool> closed{false};
    CopyNotes notes;
};

// Parses the headers of a frame as its port does; frames that end at the port are parsed as
// standard Ethernet. False: the headers are malformed, or cut short.
inline bool read_headers(const Format& format, std::span<const uint8_t> octets, Headers& headers) {
    const bool described = !format.is_standard && control_of(octets) == Control::none;
    return (described ? parse(format, octets, headers) : parse(octets, headers)) == Drop::none;
}

// The FDB's entry of an address at that time.
struct TracedAddress {
    bool known = false;
    EntryKind kind = EntryKind::learned;
    PortIndex port = 0;  // a bridge port

    static TracedAddress of(PackedEntry entry) {
        if (!entry) return {};
        return {.known = true, .kind = entry.kind(), .port = entry.port()};
    }
};

struct TracedFrame {
    Nanos received_at;
    InputIndex input{0};
    PortIndex port = 0;
    uint16_t length = 0;
    std::array<uint8_t, 64> octets{};  // as many of it as there are
    bool parsed = false;               // false: as `read_headers`
    Headers headers;
    Drop why = Drop::none;  // it ended on its way in
    // Valid if `classified`: the frame was not dropped before.
    bool classified = false;
    VlanId vlan = 0;
    Priority priority = 0;
    PrioritySource rule = PrioritySource::none;  // none: the port's default
    // Valid if `looked_up`.
    bool looked_up = false;
    bool is_member = false;  // its port, of its VLAN
    TracedAddress source;    // before it was learned
    TracedAddress destination;
    PortSet outputs = 0;   // where it is to go, mirrors apart
    PortSet too_long = 0;  // those that do not send a frame of its length
    // Indexes into the worker's copies.
    uint32_t first_copy = 0;
    uint32_t copies = 0;
    uint32_t untraced_copies = 0;  // that found no place
};

}  // namespace sluice
