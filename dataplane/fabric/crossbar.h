// Crossbar: the requests of inputs, the grants of the arbiter, and the transfer of frames between
// workers.
//
// A VOQ belongs to the worker of its input, an egress queue to the worker of its output. Worker 0
// matches. At most one grant is under way for each port, so one bit a stage shows how far the grant
// got:
//
//   issued      the arbiter       a bit an input and one an output, turned over by each grant to it
//   executed    input's worker    a bit an input, turned over by each grant that it carried out
//   posted      input's worker    a bit an output, turned over by each grant whose frames are in
//                                 the output's transfer buffer
//   absorbed    output's worker   a bit an output, turned over by each grant whose frames it has
//
// A port is free if its `issued` bit equals its `executed` bit (inputs) or `absorbed` bit
// (outputs); an input whose bits differ has a grant to carry out. One exclusive or computes that
// for all ports of a worker. A transfer buffer is full if the `posted` bits of all workers together
// differ from what was collected. Further words:
//
//   requests    input's worker    a bit a VOQ that holds frames; and for each priority a bit an
//                                 output that has any
//   room        output's worker   for each priority a bit an output that has room for a grant, one
//                                 where it has room for what is handed over (handoff.h), and one
//                                 where it flows (egress/egress.h)
//   arrivals    input's worker    the output and priority of what came last to an input
//   backlogs    input's worker    how much waits in each VOQ, read where it is kept
//   grants      the arbiter       the output and priority an input is to serve next
//   transfer    input's worker    a buffer an output, for the frames of a grant whose two ports are
//   buffers                       of different workers; emptied by the output's worker
//
// Each word has one writer, and each worker's words are on cache lines of its own; the arbiter
// takes those of all workers together. The data that a turned bit announces is written before the
// bit (release) and read after it (acquire): the grant before `issued`, the transfer buffer before
// `posted`, `posted` before `executed`, the room before `absorbed`. A request announces no other
// memory: a request that is seen late is granted late, and a request that was withdrawn meanwhile
// is granted for no frames. So a slow worker holds up only its own ports, and a transfer buffer has
// room for one transfer and no lock.
// Bound: a slot reads some 20 words a worker, and for each output that can be matched 8 words a
// worker where there are several; to collect, a worker reads one word of each worker while a grant
// to one of its outputs is under way. Idle ports cost nothing.
// Not done here: queues (ingress, egress); how to match (matching.h).
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
// The most frames of one egress queue that other workers handed over (handoff.h); and one worker's
// share of the frames that are handed over to one output and not collected yet: one transfer, or
// less where the other workers' shares would not find a place.
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
    // New settings; the algorithm stays the same.
    void configure(const FabricSettings& settings);
    // At start: where the VOQs of `input` keep their backlog, one word every `distance` octets, by
    // output and priority.
    void set_backlogs(InputIndex input, const Counter& first, std::size_t distance);

    // One worker's part of the crossbar; only that worker calls it.
    [[nodiscard]] Shard& shard(WorkerIndex worker);
    // Whether the algorithm uses the lengths of VOQs and the last arrivals (`Requests::backlog`).
    [[nodiscard]] bool reads_backlogs() const { return reads_backlogs_; }

    // The arbiter, called by worker 0. One slot; returns the number of pairs.
    std::size_t match();

    // --- state for readers ----------------------------------------------------------------------
    // The grant of an input that has one (Shard::granted).
    [[nodiscard]] Grant grant_of(InputIndex input) const {
        return unpack(grants_[input.number].load(std::memory_order_relaxed));
    }
    [[nodiscard]] bool idle() const;  // no VOQ holds frames, and no grant is under way
    // A bit an output, turned over by each grant that is issued to it.
    [[nodiscard]] PortSet issued_outputs() const {
        return issued_outputs_.load(std::memory_order_relaxed);
    }
    // Outputs that may still lack the frames of the grant that was under way to them when
    // `issued_outputs` was `then`. After several later grants a later one may be taken for that
    // grant.
    [[nodiscard]] PortSet lacking(PortSet then) const;
    // Outputs that have requests from any worker.
    [[nodiscard]] PortSet wanted() const;
    [[nodiscard]] uint64_t slots() const { return slots_.value(); }
    [[nodiscard]] uint64_t pairs() const { return pairs_.value(); }
    [[nodiscard]] uint64_t frames() const;
    // How many matchings had `pairs` pairs, 0 to the number of ports.
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
    // Inputs with a grant that is not carried out; outputs with a grant whose frames are not
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

    std::vector<Shard> shards_;       // one a worker
    std::vector<RequestRow> merged_;  // by the arbiter, with several workers
    std::unique_ptr<TransferBuffer[]> transfer_buffers_;
    // Written by the arbiter. Others read `issued_outputs_` to find whether all is idle, and which
    // frames are still to come.
    alignas(64) std::atomic<PortSet> issued_inputs_{0};
    std::atomic<PortSet> issued_outputs_{0};
    std::array<std::atomic<uint16_t>, max_ports> grants_{};  // output << 8 | priority
    alignas(64) Requests requests_;
    Matching matching_;
    Counter slots_;
    Counter pairs_;
    std::array<Counter, max_ports + 1> sizes_;
};

// The inputs and outputs of one worker: their requests and offers, and how far their grants got.
// `own` are always ports of that worker.
class alignas(64) Crossbar::Shard {
  public:
    Shard();

    // --- inputs ---------------------------------------------------------------------------------
    void request(InputIndex input, PortIndex output, Priority priority);
    void withdraw(InputIndex input, PortIndex output, Priority priority);
    // Outputs that the worker's inputs request.
    [[nodiscard]] PortSet requested() const { return requested_; }
    // Priorities that they request at one output.
    [[nodiscard]] PrioritySet requested_for(PortIndex output) const {
        PrioritySet requested = 0;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (rows_[output][priority] != 0) requested |= only_priority(priority);
        }
        return requested;
    }
    // The worker's inputs that request the queue of a grant.
    [[nodiscard]] InputSet requesting(Grant grant) const {
        return rows_[grant.output][grant.priority];
    }
    // The last frame of a burst that came to `input` was for this output.
    void arrived(InputIndex input, PortIndex output, Priority priority);
    // The inputs among `own` that have a grant to carry out.
    [[nodiscard]] InputSet granted(InputSet own) const {
        return (crossbar_->issued_inputs_.load(std::memory_order_acquire) ^
                executed_.load(std::memory_order_relaxed)) &
               own;
    }
    // These inputs carried out their grants, and moved so many frames in all.
    void executed(InputSet inputs, std::size_t frames);

    // --- outputs --------------------------------------------------------------------------------
    // Priorities that an output has room for, and those that flow there.
    struct Room {
        PrioritySet grant;  // one more
        PrioritySet handoff;
        PrioritySet flows;

        bool operator==(const Room&) const = default;
    };
    void offer(PortIndex output, Room room);
    // Whether the output has room for a frame that is handed over (any thread).
    [[nodiscard]] bool takes_handed_over(PortIndex output, Priority priority) const {
        return (handoff_[priority].load(std::memory_order_relaxed) & only(output)) != 0;
    }
    // Whether the priority flows there (any thread).
    [[nodiscard]] bool flows(PortIndex output, Priority priority) const {
        return (flows_[priority].load(std::memory_order_relaxed) & only(output)) != 0;
    }
    // These outputs have the frames of their grants; the room that is left was offered before.
    void absorbed(PortSet outputs);

    // --- between workers ------------------------------------------------------------------------
    // The place for the frames of a grant to `output`; `filled` sets their number. Call `post` once
    // for all such outputs, before `executed`.
    [[nodiscard]] std::span<Frame, max_transfer> transfer_buffer(PortIndex output) {
        return crossbar_->transfer_buffers_[output].frames;
    }
    void filled(PortIndex output, std::size_t frames) {
        assert(frames <= max_transfer);
        crossbar_->transfer_buffers_[output].count = static_cast<uint32_t>(frames);
    }
    void post(PortSet outputs);
    // Outputs among `own` that frames of a grant were posted to; the frames are prefetched. Call
    // `collected` after the frames were taken.
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

    // The outputs among `own` that have a grant whose frames have not come yet.
    [[nodiscard]] PortSet expecting(PortSet own) const {
        return (crossbar_->issued_outputs_.load(std::memory_order_relaxed) ^
                absorbed_.load(std::memory_order_relaxed)) &
               own;
    }

    // Written by the worker, read by the others too; rows only through atomic_ref while workers
    // run.
    std::array<RequestRow, max_ports> rows_;
    ByPriority wanted_{};  // outputs that have requests
    ByPriority open_;      // outputs that have room for a grant; and all of other workers
    ByPriority handoff_;   // as `open_`, for what is handed over
    ByPriority flows_{};   // outputs of this worker that flow
    std::atomic<PortSet> executed_{0};
    std::atomic<PortSet> posted_{0};
    std::atomic<PortSet> absorbed_{0};
    std::atomic<PortSet> arrived_at_{0};                       // inputs to which anything came
    std::array<std::atomic<uint16_t>, max_ports> arrivals_{};  // as grants_
    Counter frames_;
    // Private to the worker. The exclusive or of all `posted_` at its last look.
    alignas(64) PortSet collected_ = 0;
    PortSet requested_ = 0;                // as `wanted_` has it, in one word
    PrioritySet requested_at_ = 0;         // where that has any output
    std::array<Room, max_ports> offered_;  // as `open_` and `handoff_` have it
    Crossbar* crossbar_ = nullptr;
};

inline Crossbar::Shard& Crossbar::shard(WorkerIndex worker) {
    assert(worker < shards_.size());
    return shards_[worker];
}

}  // namespace sluice
