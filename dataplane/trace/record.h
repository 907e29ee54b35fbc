// Record: the path of one frame through the switch, as the workers note it while a trace runs
// (tracer.h): first its reception, then each of its copies, one for each output.
//
// The input's worker writes a copy's record until the copy leaves that worker, then the output's
// worker does; `closed` is written last. Times are those of polls, so exact to one poll.
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

// The frames to trace: those that match all members.
struct TraceFilter {
    PortSet ports = ~PortSet{0};  // ports that received the frames
    std::optional<MacAddress> destination = {};
    std::optional<MacAddress> source = {};
    std::optional<VlanId> vlan = {};        // VLAN that the frames are bridged in
    std::optional<Priority> priority = {};  // priority of the frames
    uint32_t frames = 1;                    // number of frames to trace, 1 to most_traced_frames
};
inline constexpr uint32_t most_traced_frames = 64;
// The largest number of copies for one worker; further copies of a flood are only counted.
inline constexpr uint32_t most_traced_copies = 512;

// The admission of a copy: refused; sent past the VOQs, by its own worker or by another (bypass.h);
// put into its VOQ; or trimmed (trim/trimmer.h). A trimmed copy follows its rest, which is a copy
// of its own.
enum class TraceWay : uint8_t { refused, bypassed, handed_over, queued, trimmed, last = trimmed };

struct CopyNotes {
    // --- at its admission -----------------------------------------------------------------------
    PortIndex output = 0;
    bool mirrored = false;  // the copy is for a mirror
    Priority priority = 0;
    VlanId vlan = 0;
    TagEdit edit = TagEdit::none;
    TraceWay way = TraceWay::refused;
    Drop why = Drop::none;  // reason if the copy was refused, or dropped later
    uint8_t ecn = 0;        // ECN of the copy's IP header (RFC 3168)
    Admission found;        // state of the queue before the copy
    uint64_t ahead_in_egress = 0;
    bool paused = false;    // whether the peer had paused the output
    Nanos paused_before;    // total time that the output was paused before the admission
    bool withheld = false;  // whether credit was missing (credits/credit_watch.h)
    Nanos blocked_before;   // total time that credit was missing before the admission
    // --- when it left its VOQ -------------------------------------------------------------------
    bool left_voq = false;
    bool marked = false;
    Nanos left_voq_at;
    // --- when it left the switch ----------------------------------------------------------------
    uint32_t refused_by_device = 0;  // times that the device refused the copy
    Nanos ended_at;
    Nanos paused_in_all;   // time for which the output was paused while the frame was in the switch
    Nanos blocked_in_all;  // time for which credit was missing while the frame was in the switch
    uint16_t length = 0;   // length when the copy was sent
};

struct TracedCopy {
    std::atomic<void*> handle{nullptr};
    std::atomic<bool> closed{false};
    CopyNotes notes;
};

// Parses the headers of a frame as its port does; frames that end at the port are parsed as
// standard Ethernet. Returns false if the headers are malformed or cut short.
inline bool read_headers(const Format& format, std::span<const uint8_t> octets, Headers& headers) {
    const bool described = !format.is_standard && control_of(octets) == Control::none;
    return (described ? parse(format, octets, headers) : parse(octets, headers)) == Drop::none;
}

// The FDB's entry of an address when the frame was looked up.
struct TracedAddress {
    bool known = false;
    EntryKind kind = EntryKind::learned;
    PortIndex port = 0;  // bridge port of the address

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
    std::array<uint8_t, 64> octets{};  // the first octets of the frame
    bool parsed = false;               // whether `read_headers` returned true
    Headers headers;
    Drop why = Drop::none;  // reason if the frame was dropped before it had outputs
    // Valid if `classified`: the frame was not dropped by its headers.
    bool classified = false;
    VlanId vlan = 0;
    Priority priority = 0;
    PrioritySource rule = PrioritySource::none;  // none: the port's default
    // Valid if `looked_up`: whether the port is a member of the VLAN, and the entries of both
    // addresses before the source was learned.
    bool looked_up = false;
    bool is_member = false;  // the port is a member of the frame's VLAN
    TracedAddress source;    // entry of the source, before it was learned
    TracedAddress destination;
    PortSet outputs = 0;   // outputs of the frame, without mirrors
    PortSet too_long = 0;  // outputs whose MTU the frame exceeds
    // Indices into the worker's copies.
    uint32_t first_copy = 0;
    uint32_t copies = 0;
    uint32_t untraced_copies = 0;  // copies without a free record
};

}  // namespace sluice
