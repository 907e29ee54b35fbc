// FrameReport: the telemetry of a frame for its sender, if the sender's rate control requests it
// (congestion/rate_control.h). The report travels with the frame, and returns with the
// acknowledgement. Hops are in-band network telemetry, as HPCC needs from a switch: for each output
// on the path, the output's speed, and, at the time when the frame left the output, the output's
// backlog and the octets that the output had sent before (Li et al., "HPCC: High Precision
// Congestion Control", SIGCOMM 2019, figure 7). Only in the simulator: reports take no octets of a
// frame and no time of a wire. Bound: the first `most_hops` outputs of a path; further ones are
// left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/csig/csig_tag.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

// The report that a frame's sender requests: an acknowledgement on arrival; an acknowledgement with
// telemetry; credit after the frame has left the receiver's buffer; or a pull when it is the
// sender's turn again.
enum class Asks : uint8_t { nothing, acknowledgement, telemetry, credit, pull };

// Whether an answer gives the sender new permission (congestion/pulls.h): the sender needs none, a
// pull follows, or this answer is the pull.
enum class Pull : uint8_t { none_needed, follows, is_this };

struct Hop {
    BitsPerSecond speed;
    Picos at;    // when the frame began to leave the output
    Bytes sent;  // octets on the wire that the output sent before
    // Queued octets of the frame's priority, without the frame. Converted to octets on the wire as
    // if all queued frames had this frame's length.
    Bytes queued;
};

struct FrameReport {
    static constexpr std::size_t most_hops = 8;

    Bytes on_wire{};      // octets on the wire of this frame
    Bytes through{};      // octets that the source had sent in total, including this frame
    Picos left{};         // when the frame's first bit was on the sender's wire
    uint64_t serial = 0;  // serial number of the frame
    uint64_t next = 0;    // for Go-Back-N: the serial number that the receiver expects
    // The receiver requests a frame again: under Go-Back-N the frame `next` (NAK), else this frame,
    // which was trimmed.
    bool refused = false;
    Bytes taken{};  // `through` of the last frame that the receiver accepted
    // All frames up to `through` have left the receiver's buffer, or never arrived.
    bool credit = false;
    bool marked = false;
    std::optional<CsigSignal> csig{};     // signal in the frame's tag on arrival
    std::optional<BitsPerSecond> rate{};  // rate that the receiver sets
    Pull pull = Pull::none_needed;
    uint8_t hops = 0;
    std::array<Hop, most_hops> path{};

    void add(const Hop& hop) {
        if (hops < most_hops) path[hops++] = hop;
    }
    [[nodiscard]] std::span<const Hop> way() const { return std::span(path).first(hops); }
};

}  // namespace sluice::sim
