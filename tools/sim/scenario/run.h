// Run: simulates a scenario: every switch, host and cable, from the first frame to the last.
//
// Sources run for `run.time`; then frames in flight may arrive for `run.drain`. A flow counts the
// frames that were sent from `run.warmup` on; a port counts from the start. A delay is the time
// from a frame's first bit on the sender's wire to its last bit at the receiver, plus the stages of
// both; the frame's earlier wait at its sender, for the end of a pause or for other frames, is
// `wait`. A resent frame counts as another frame, without the sender's stages, but its wait begins
// with the wait of the first transmission.
// A flow that offers more than is carried is reported (convergence.h). A run ends early on request,
// or when it would exceed `run.memory`: between two events, where all counts are consistent, with
// the results until then; frames in flight count as waiting.
// Pure: the same scenario gives the same result on every machine, unless it is ended on request.
// Bound: an event costs the logarithm of the number of pending events. The run checks whether to
// end every 65536 events, so it may use that many packets more than `run.memory`.
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

// Results of a flow whose lost frames are resent.
struct RecoveryResult {
    uint64_t retransmitted = 0;  // resent frames, among those that were sent
    uint64_t refused = 0;        // frames that arrived out of order or again, and were not accepted
    uint64_t trimmed = 0;        // frames of which only the headers arrived
    double goodput = 0;          // throughput of accepted frames
};

struct FlowResult {
    std::string name;
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t lost = 0;         // dropped by a switch
    uint64_t waiting = 0;      // in flight at the end
    uint64_t marked = 0;       // frames that arrived with congestion experienced
    double throughput = 0;     // bits of frames with FCS a second, in the measured time
    double mean_delay_ns = 0;  // exact; for received frames
    uint64_t p50_delay_ns = 0;
    uint64_t p99_delay_ns = 0;  // p50 and p99 are exact to 1/64
    double max_delay_ns = 0;    // exact
    double mean_wait_ns = 0;
    uint64_t notified = 0;  // congestion notices that the flow's senders received
    uint64_t merged = 0;    // notices that hosts merged
    uint64_t rounds = 0;    // rounds that finished (rounds.h), from the start
    double mean_round_ns = 0;
    double max_round_ns = 0;
    std::optional<bool> converged{};           // whether the load is carried; none if unknown
    std::optional<SlowdownResult> slowdown{};  // only for transfers
    std::optional<RecoveryResult> recovery{};
};

struct PortResult {
    std::string node;
    std::string port;
    std::string peer;  // device at the other end; empty if there is none
    uint64_t rx_frames = 0;
    uint64_t tx_frames = 0;
    std::map<std::string_view, uint64_t> drops;  // by reason, without received pause frames
    uint64_t rx_pause = 0;                       // XOFFs
    uint64_t tx_pause = 0;
    uint64_t paused_ns = 0;   // time paused by the peer, summed over priorities
    uint64_t pausing_ns = 0;  // time in which the port paused the peer, summed over priorities
    uint64_t headroom = 0;    // headroom of a lossless priority
    uint64_t headroom_used_max = 0;
    uint64_t marked = 0;  // frames that the port marked as an output
    // For a port with credit: the credit that the port returned, the buffer of each priority, and
    // how long the port's output and its peer lacked credit, summed over priorities.
    uint64_t credit_returned = 0;
    uint64_t credit_buffer = 0;
    uint64_t stalled_ns = 0;
    uint64_t stalling_ns = 0;
    // For a host with a receive buffer: the buffer's size for a priority, and the most octets held.
    uint64_t peer_buffer = 0;
    uint64_t peer_held_max = 0;
};

struct NodeResult {
    std::string name;
    Ledger ledger;
};

// Why and when a run ended early.
struct Stopped {
    enum class Why : uint8_t { interrupted, out_of_memory } why;
    Nanos at;
};

struct NetworkResult {
    std::vector<FlowResult> flows;
    std::vector<NodeResult> nodes;
    std::vector<PortResult> ports;
    uint64_t disordered = 0;  // frames that arrived after a later one of their flow
    uint64_t events = 0;
    Nanos ended;                     // when the last frame arrived, or the drain ended
    bool stands_still = false;       // frames are left, and none arrived during the drain
    std::optional<Series> series{};  // only for a recorded run
    std::optional<Stopped> stopped{};

    [[nodiscard]] bool balanced() const;
    // Returns whether all flows converged; nothing if some are unknown and all others converged.
    [[nodiscard]] std::optional<bool> converged() const;
};

struct Progress {
    Nanos now;
    Nanos time;  // how long hosts send
    uint64_t events;
};
using OnProgress = std::function<void(const Progress&)>;
using Asking = std::function<bool()>;

enum class Recording : uint8_t { off, on };

// Simulates a scenario. `on_progress` is called from time to time with the progress, and
// `should_end` is polled. Recording does not change any count.
NetworkResult simulate(const NetworkScenario& scenario, const OnProgress& on_progress = {},
                       Recording recording = Recording::off, const Asking& should_end = {});

}  // namespace sluice::sim
