// Run: simulates a scenario: every switch, host and cable, from the first frame to the last.
//
// Sources run for `run.time`; then frames under way may arrive for `run.drain`. A flow counts the
// frames that left a host from `run.warmup` on; a port counts from the start. A delay is from a
// frame's first bit on the sender's wire to its last bit at the receiver, plus the stages of both;
// the frame's earlier wait at its sender, held by a pause or behind other frames, is `wait`. A
// frame that is sent again counts as another frame, without the sender's stages, but its wait began
// with the first.
// A flow that offers more than is carried is reported (convergence.h). A run ends early on request,
// or when it would exceed `run.memory`: between two events, where all counts are consistent, with
// its results so far; frames under way count as waiting.
// Pure: the same scenario gives the same result on every machine; except when it was ended on
// request.
// Bound: an event costs the logarithm of the number of pending events. The run checks whether to
// end every 65536 events, so it takes up to that many packets more than `run.memory`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/ledger.h"
#include "tools/sim/scenario/record.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/slowdown.h"

namespace sluice::sim {

// The results of a flow whose lost frames are sent again.
struct RecoveryResult {
    uint64_t retransmitted = 0;  // of the frames that were sent
    uint64_t refused = 0;  // that arrived where it was not their turn, or once more: not taken
    uint64_t trimmed = 0;  // whose headers alone arrived
    double goodput = 0;    // as throughput, of frames that were taken
};

struct FlowResult {
    std::string name;
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t lost = 0;         // dropped by a switch
    uint64_t waiting = 0;      // at the end still under way
    uint64_t marked = 0;       // congestion experienced
    double throughput = 0;     // bits of frames a second, FCS counted, in the measured time
    double mean_delay_ns = 0;  // exact; of received frames
    uint64_t p50_delay_ns = 0;
    uint64_t p99_delay_ns = 0;  // both right to 1/64
    double max_delay_ns = 0;    // exact
    double mean_wait_ns = 0;
    uint64_t notified = 0;  // notices of congestion that its senders received
    uint64_t merged = 0;    // notices that hosts held back
    uint64_t rounds = 0;    // that finished (rounds.h), from the start
    double mean_round_ns = 0;
    double max_round_ns = 0;
    std::optional<bool> converged{};  // all that it offers is carried; nothing: it was not seen
    std::optional<SlowdownResult> slowdown{};  // of transfers
    std::optional<RecoveryResult> recovery{};
};

struct PortResult {
    std::string node;
    std::string port;
    std::string peer;  // at the other end; empty: none
    uint64_t rx_frames = 0;
    uint64_t tx_frames = 0;
    std::map<std::string_view, uint64_t> drops;  // by reason, but for pause frames received
    uint64_t rx_pause = 0;                       // XOFFs
    uint64_t tx_pause = 0;
    uint64_t paused_ns = 0;   // by its peer, summed over priorities
    uint64_t pausing_ns = 0;  // its peer
    uint64_t headroom = 0;    // of a lossless priority
    uint64_t headroom_used_max = 0;
    uint64_t marked = 0;  // as an output
    // With credit: the credit that it gave back, the buffer of each priority, and how long its
    // output and its peer lacked credit, summed over priorities.
    uint64_t credit_returned = 0;
    uint64_t credit_buffer = 0;
    uint64_t stalled_ns = 0;
    uint64_t stalling_ns = 0;
    // For a host that does not take all at once: its buffer of a priority, and the most it held.
    uint64_t peer_buffer = 0;
    uint64_t peer_held_max = 0;
};

struct NodeResult {
    std::string name;
    Ledger ledger;
};

// Why a run ended before its time, and when.
struct Stopped {
    enum class Why : uint8_t { interrupted, out_of_memory } why;
    Nanos at;
};

struct NetworkResult {
    std::vector<FlowResult> flows;
    std::vector<NodeResult> nodes;
    std::vector<PortResult> ports;
    uint64_t disordered = 0;  // frames behind a later one of their flow
    uint64_t events = 0;
    Nanos ended;                     // when the last frame arrived, or the drain was over
    bool stands_still = false;       // frames are left, and none arrived during the drain
    std::optional<Series> series{};  // where it was recorded
    std::optional<Stopped> stopped{};

    [[nodiscard]] bool balanced() const;
    // Whether all flows converged; empty: none is known not to converge, and for some it is
    // unknown.
    [[nodiscard]] std::optional<bool> converged() const;
};

struct Progress {
    Nanos now;
    Nanos time;  // for how long hosts send
    uint64_t events;
};
using OnProgress = std::function<void(const Progress&)>;
using Asking = std::function<bool()>;

enum class Recording : uint8_t { off, on };

// `on_progress` is called now and then with the progress, and `should_end` is polled. Recording
// does not change any count.
NetworkResult simulate(const NetworkScenario& scenario, const OnProgress& on_progress = {},
                       Recording recording = Recording::off, const Asking& should_end = {});

}  // namespace sluice::sim
