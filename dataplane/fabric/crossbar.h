// Crossbar: the requests of inputs, the grants of the arbiter, and the transfer of frames between
// workers.
//
// A VOQ belongs to the worker of its input, an egress queue to the worker of its output. Worker 0
// matches. At most one grant is under way for each port, so one bit a stage shows the progress of
// the grant. The words, their writers, and their bits:
//
//   issued      the arbiter       a bit an input and one an output, toggled by each grant to it
//   executed    input's worker    a bit an input, toggled by each grant that it executed
//   posted      input's worker    a bit an output, toggled by each grant whose frames are in the
//                                 output's transfer buffer
//   absorbed    output's worker   a bit an output, toggled by each grant whose frames it received
//
// A port is free if its `issued` bit equals its `executed` bit (inputs) or `absorbed` bit
// (outputs); an input whose bits differ has a grant to execute. One exclusive or computes that for
// all ports of a worker. A transfer buffer is full if the exclusive or of the `posted` bits of all
// workers differs from the collected bit. Further words:
//
//   requests    input's worker    a bit a VOQ that holds frames; and for each priority a bit an
//                                 output that has requests
//   room        output's worker   for each priority a bit an output that has room for a grant, one
//                                 an output that has room for handed-over frames (handoff.h), and
//                                 one an output where the priority flows (egress/egress.h)
//   arrivals    input's worker    the output and priority of an input's last frame
//   backlogs    input's worker    the backlog of each VOQ, read in place
//   grants      the arbiter       the output and priority that an input serves next
//   transfer    input's worker    a buffer an output, for the frames of a grant whose two ports
//   buffers                       belong to different workers; emptied by the output's worker
//
// Each word has one writer, and each worker's words are on cache lines of its own; the arbiter
// combines those of all workers. The data that a toggled bit announces is written before the bit
// (release) and read after it (acquire): the grant before `issued`, the transfer buffer before
// `posted`, `posted` before `executed`, the room before `absorbed`. A request announces no other
// memory: one that is read late is granted late, and one that was withdrawn before its grant moves
// no frames. So a slow worker delays only its own ports, and a transfer buffer has room for one
// transfer and needs no lock.
// Bound: a slot reads some 20 words a worker, and with several workers 8 words a worker for each
// output that can be matched. To collect, a worker reads one word of each worker while a grant to
// one of its outputs is under way. Idle ports cost nothing.
// Not here: queues (ingress, egress); how to match (matching.h).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/fabric/matchers.h"
#include "dataplane/fabric/matching.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/queue_key.h"
#include "dataplane/types/settings.h"

namespace sluice {

// The most frames that one grant moves.
inline constexpr std::size_t max_transfer = 64;
// The most frames of one egress queue that other workers handed over (handoff.h). And one worker's
// share: the most frames that it has handed over to one output and that are not collected yet. A
// share is one transfer, or less if the shares of all other workers would not fit together.
inline constexpr std::size_t max_handed_over = 6 * max_transfer;
constexpr std::size_t share_of_handoff(std::size_t workers) {
    const std::size_t others = std::max<std::size_t>(workers - 1, 1);
    return std::min(max_transfer, (max_handed_over - max_transfer) / others);
}

// The queue that an input serves next.
using Grant = QueueKey;

class Crossbar {
  public:
    class Shard;

    Crossbar(const FabricSettings& settings, std::size_t ports, uint8_t workers);
    ~Crossbar();
    // Adopts settings. The algorithm does not change.
    void configure(const FabricSettings& settings);
    // Sets the address of the backlogs of the VOQs of `input`: one word every `distance` octets, by
    // output and priority. Called at start.
    void set_backlogs(InputIndex input, const Counter& first, std::size_t distance);

    // Returns the part of one worker; only that worker calls its functions.
    [[nodiscard]] Shard& shard(WorkerIndex worker);
    // Whether the algorithm uses the lengths of VOQs and the last arrivals (`Requests::backlog`).
    [[nodiscard]] bool reads_backlogs() const { return reads_backlogs_; }

    // Runs the arbiter for one slot; returns the number of pairs. Called by worker 0.
    std::size_t match();

    // --- state for readers ----------------------------------------------------------------------
    // Returns the grant of an input that has one (Shard::granted).
    [[nodiscard]] Grant grant_of(InputIndex input) const {
        return unpack(grants_[input.number].load(std::memory_order_relaxed));
    }
    [[nodiscard]] bool idle() const;  // no VOQ holds frames, and no grant is under way
    // Returns a bit for each output, which each grant that is issued to it toggles.
    [[nodiscard]] PortSet issued_outputs() const {
        return issued_outputs_.load(std::memory_order_relaxed);
    }
    // Returns the outputs that may still lack the frames of the grant that was under way to them
    // when `issued_outputs` was `then`. If several more grants were issued since then, a later
    // grant may be mistaken for that grant.
    [[nodiscard]] PortSet lacking(PortSet then) const;
    // Returns the outputs that have requests of any worker.
    [[nodiscard]] PortSet wanted() const;
    [[nodiscard]] uint64_t slots() const { return slots_.value(); }
    [[nodiscard]] uint64_t pairs() const { return pairs_.value(); }
    [[nodiscard]] uint64_t frames() const;
    // Returns how many matchings had `pairs` pairs, 0 to the number of ports.
    [[nodiscard]] uint64_t slots_with(std::size_t pairs) const { return sizes_[pairs].value(); }

  private:
    struct alignas(64) TransferBuffer {
        uint32_t count = 0;
        std::array<Frame, max_transfer> frames;
    };

    static constexpr uint16_t pack(Grant grant) {
        return static_cast<uint16_t>(grant.output << 8 | grant.priority);
    }
    static constexpr Grant unpack(uint16_t word) {
        return {static_cast<PortIndex>(word >> 8), static_cast<Priority>(word & 0xFF)};
    }
    // The inputs with a grant that is not executed; the outputs with a grant whose frames are not
    // absorbed.
    [[nodiscard]] InputSet busy_inputs() const;
    [[nodiscard]] PortSet busy_outputs() const;
    [[nodiscard]] PortSet absorbed_outputs() const;
    void gather_requests();
    void gather_of_one_shard(PortSet free);
    void gather_of_shards(PortSet free);
    void merge_rows();
    void gather_arrivals();
    void issue_grants();
    Priority next_favourite();

    std::size_t ports_;
    bool reads_backlogs_;
    std::unique_ptr<Matcher> matcher_;
    // Smooth weighted rotation over priorities for CrossbarRule::weighted; empty for strict.
    std::array<Priority, 128> rotation_{};
    std::size_t rotation_length_ = 0;
    std::size_t rotation_at_ = 0;

    std::vector<Shard> shards_;  // one a worker
    // Requests of all workers; used by the arbiter if there are several.
    std::vector<RequestRow> merged_;
    std::unique_ptr<TransferBuffer[]> transfer_buffers_;
    // Written by the arbiter. Others read `issued_outputs_` to check for idleness, and for frames
    // that are under way.
    alignas(64) std::atomic<PortSet> issued_inputs_{0};
    std::atomic<PortSet> issued_outputs_{0};
    std::array<std::atomic<uint16_t>, max_ports> grants_{};  // output << 8 | priority
    alignas(64) Requests requests_;
    Matching matching_;
    Counter slots_;
    Counter pairs_;
    std::array<Counter, max_ports + 1> sizes_;
};

// The inputs and outputs of one worker: their requests and offers, and the progress of their
// grants. Parameters `own` are sets of ports of that worker.
class alignas(64) Crossbar::Shard {
  public:
    Shard();

    // --- inputs ---------------------------------------------------------------------------------
    void request(InputIndex input, PortIndex output, Priority priority);
    void withdraw(InputIndex input, PortIndex output, Priority priority);
    // Returns the outputs that the worker's inputs request.
    [[nodiscard]] PortSet requested() const { return requested_; }
    // Returns the priorities that the worker's inputs request at one output.
    [[nodiscard]] PrioritySet requested_for(PortIndex output) const {
        PrioritySet requested = 0;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (rows_[output][priority] != 0) requested |= only_priority(priority);
        }
        return requested;
    }
    // Returns the worker's inputs that request the queue of a grant.
    [[nodiscard]] InputSet requesting(Grant grant) const {
        return rows_[grant.output][grant.priority];
    }
    // Notes the output and priority of the last frame of a burst that `input` received.
    void arrived(InputIndex input, PortIndex output, Priority priority);
    // Returns the inputs among `own` that have a grant to execute.
    [[nodiscard]] InputSet granted(InputSet own) const {
        return (crossbar_->issued_inputs_.load(std::memory_order_acquire) ^
                executed_.load(std::memory_order_relaxed)) &
               own;
    }
    // Notes that these inputs executed their grants, and moved `frames` frames in all.
    void executed(InputSet inputs, std::size_t frames);

    // --- outputs --------------------------------------------------------------------------------
    // The priorities for which an output has room, and the priorities that flow at the output.
    struct Room {
        PrioritySet grant;    // priorities with room for a grant
        PrioritySet handoff;  // priorities with room for handed-over frames
        PrioritySet flows;    // priorities that flow

        bool operator==(const Room&) const = default;
    };
    void offer(PortIndex output, Room room);
    // Whether the output has room for a frame that is handed over (any thread).
    [[nodiscard]] bool takes_handed_over(PortIndex output, Priority priority) const {
        return (handoff_[priority].load(std::memory_order_relaxed) & only(output)) != 0;
    }
    // Whether the priority flows at the output (any thread).
    [[nodiscard]] bool flows(PortIndex output, Priority priority) const {
        return (flows_[priority].load(std::memory_order_relaxed) & only(output)) != 0;
    }
    // Notes that these outputs received the frames of their grants. The room that is left must be
    // offered before this call.
    void absorbed(PortSet outputs);

    // --- between workers ------------------------------------------------------------------------
    // Returns the buffer for the frames of a grant to `output`; `filled` sets their number. Call
    // `post` once for all such outputs, before `executed`.
    [[nodiscard]] std::span<Frame, max_transfer> transfer_buffer(PortIndex output) {
        return crossbar_->transfer_buffers_[output].frames;
    }
    void filled(PortIndex output, std::size_t frames) {
        assert(frames <= max_transfer);
        crossbar_->transfer_buffers_[output].count = static_cast<uint32_t>(frames);
    }
    void post(PortSet outputs);
    // Returns the outputs among `own` to which frames of a grant were posted, and prefetches these
    // frames. Call `collected` after the frames were removed.
    [[nodiscard]] PortSet posted(PortSet own) const;
    [[nodiscard]] std::span<const Frame> posted_to(PortIndex output) const {
        const TransferBuffer& slot = crossbar_->transfer_buffers_[output];
        assert(slot.count <= max_transfer);
        return std::span(slot.frames).first(slot.count);
    }
    void collected(PortSet outputs);

  private:
    friend class Crossbar;

    using ByPriority = std::array<std::atomic<PortSet>, max_priorities>;

    // Returns the outputs among `own` that have a grant whose frames are not absorbed.
    [[nodiscard]] PortSet expecting(PortSet own) const {
        return (crossbar_->issued_outputs_.load(std::memory_order_relaxed) ^
                absorbed_.load(std::memory_order_relaxed)) &
               own;
    }

    // Written by the worker, read by the others too; rows only through atomic_ref while workers
    // run.
    std::array<RequestRow, max_ports> rows_;
    ByPriority wanted_{};  // outputs that have requests
    ByPriority open_;      // outputs that have room for a grant, and all outputs of other workers
    ByPriority handoff_;   // as `open_`, but for room for handed-over frames
    ByPriority flows_{};   // outputs of this worker where the priority flows
    std::atomic<PortSet> executed_{0};
    std::atomic<PortSet> posted_{0};
    std::atomic<PortSet> absorbed_{0};
    std::atomic<PortSet> arrived_at_{0};                       // inputs that received a frame
    std::array<std::atomic<uint16_t>, max_ports> arrivals_{};  // output << 8 | priority
    Counter frames_;
    // Used only by the worker. `collected_`: a bit an output, toggled each time that this worker
    // collects the output's transfer buffer. An output has a full buffer if its bit differs from
    // the exclusive or of the `posted_` bits of all shards.
    alignas(64) PortSet collected_ = 0;
    PortSet requested_ = 0;                // outputs in `wanted_`, of any priority
    PrioritySet requested_at_ = 0;         // priorities for which `wanted_` has outputs
    std::array<Room, max_ports> offered_;  // the room in `open_`, `handoff_` and `flows_`
    Crossbar* crossbar_ = nullptr;
};

inline Crossbar::Shard& Crossbar::shard(WorkerIndex worker) {
    assert(worker < shards_.size());
    return shards_[worker];
}

}  // namespace sluice
