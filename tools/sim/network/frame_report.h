// FrameReport: the telemetry of a frame for its sender, if its rate control requests it
// (congestion/rate_control.h). It travels with the frame, and back with the acknowledgement. Hops
// are in-band network telemetry, as HPCC asks of a switch: for each output on the path its speed,
// and, at the time when the frame left it, its backlog and the octets that it had sent before (Li
// et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, figure 7). Only in the
// simulator: reports take no octets of a frame and no time of a wire. Bound: the first `most_hops`
// outputs of a path; further ones are left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/csig/csig_tag.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

// The request of a frame's sender: an acknowledgement on arrival, with telemetry, or after the
// frame has left the receiver's buffer, or a pull when it is the sender's turn again.
enum class Asks : uint8_t { nothing, acknowledgement, telemetry, credit, pull };

// In an answer: whether it gives the sender its permission back (congestion/pulls.h).
enum class Pull : uint8_t { none_needed, follows, is_this };

struct Hop {
    BitsPerSecond speed;
    Picos at;      // when the frame began to leave
    Bytes sent;    // by this output before, octets of the wire
    Bytes queued;  // of the frame's priority, behind it; of the wire, were all as long as it is
};

struct FrameReport {
    static constexpr std::size_t most_hops = 8;

    Bytes on_wire{};      // octets of the wire that the frame took
    Bytes through{};      // and that its source had sent with it in all
    Picos left{};         // when the sender's wire took its first bit
    uint64_t serial = 0;  // of the frame itself
    uint64_t next = 0;    // of Go-Back-N: the serial that the receiver waits for
    bool refused =
        false;      // and that it asks for anew (NAK); else the frame's own, which was trimmed
    Bytes taken{};  // `through` of the last that it took
    bool credit = false;  // all until `through` has left the receiver's buffer, or never came
    bool marked = false;
    std::optional<CsigSignal> csig{};     // as its tag had it on arrival
    std::optional<BitsPerSecond> rate{};  // that the receiver names
    Pull pull = Pull::none_needed;
    uint8_t hops = 0;
    std::array<Hop, most_hops> path{};

    void add(const Hop& hop) {
        if (hops < most_hops) path[hops++] = hop;
    }
    [[nodiscard]] std::span<const Hop> way() const { return std::span(path).first(hops); }
};

}  // namespace sluice::sim
