// Reel: one worker's flight recorder of its queues, paths and lossless groups. It overwrites a ring
// until a trigger fires. Then it records for the time after the trigger, hands the ring over to
// control, and begins the next ring.
//
// Control makes reels and gives one to each worker (recorder.h). At the end of a poll that
// `is_due`, the worker passes its state to the reel (shard_recorder.cc). The memory consists of
// `parts`: one is being written, the others are queued for control or free. A part is a ring of
// entries (entry.h). Unchanged values are not written again, except that in every eighth of a ring
// one sample has all values that are not 0, so that any remainder of a ring is complete. At most
// half of a part is for the time after the trigger.
// Bound: `parts` rings and 32 octets for each (input, output, priority), allocated by the
// constructor. A sample writes at most `most_of_a_sample` entries; further changes are written with
// the next sample, and the sample reports that. While no part is free, samples are counted as lost,
// and no thread waits. Each call is O(1).
// Not done here: finding the queues and paths (shard_recorder.cc), and finding bursts
// (control/recorder).
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/recorder/entry.h"
#include "dataplane/recorder/settings.h"
#include "dataplane/recorder/trigger.h"
#include "dataplane/threads/single_producer_ring.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/queue_key.h"
#include "dataplane/types/units.h"

namespace sluice {

class Reel {
  public:
    static constexpr std::size_t most_of_a_sample = 256;

    // The state of a path: octets and frames in the VOQ, and counts of frames since the start.
    struct Path {
        uint64_t octets;
        uint64_t frames;
        uint64_t came;
        uint64_t dropped;
        uint64_t marked;
    };
    // The state of an egress queue.
    struct Queue {
        uint64_t octets;
        uint64_t frames;
        uint32_t left;  // frames since the start, modulo 2^32
        bool is_paused;
    };
    // The state of a lossless group.
    struct Group {
        uint64_t octets;
        uint64_t headroom;
        uint64_t xoffs;  // XOFFs since the start
        bool is_pausing;
    };
    // A finished part, for control.
    struct Finished {
        uint32_t part;
        uint32_t round;
        std::optional<RecordTrigger> trigger;  // set by the worker that began the recording
        Nanos end;
        uint64_t written;  // entries written to the part, whose ring has only the last of them
    };

    Reel(const RecorderSettings& settings, TriggerBoard& board, std::size_t inputs,
         std::size_t outputs);

    [[nodiscard]] const RecorderSettings& settings() const { return settings_; }

    // --- called by the worker -------------------------------------------------------------------
    // Returns whether to sample this poll: a period after the last sample; or if this poll has
    // frames and the last had none, as this poll may take long. `active`: ports that received or
    // were given frames in the poll.
    [[nodiscard]] bool is_due(PortSet active, Nanos now) {
        active_ |= active;
        const bool begins = active != 0 && !was_active_;
        was_active_ = active != 0;
        return begins || now >= next_;
    }
    // Begins a sample.
    void begin(Nanos now);
    // Returns the ports that received or were given frames since the last sample.
    [[nodiscard]] PortSet active() const { return active_; }
    // Record the state of a path, queue or group at the sample. The port must be one that `wants`
    // returns true for.
    void see(InputIndex input, QueueKey path, const Path& found);
    void see(QueueKey queue, const Queue& found);
    void see(InputIndex input, Priority priority, const Group& found);
    // Checks the trigger `depth`. `octets`: the depth of a queue, over all inputs.
    void see_depth(QueueKey queue, uint64_t octets) {
        if (octets >= depth_level_) [[unlikely]]
            fire(RecordCause::depth, queue.output, queue.priority, octets);
    }
    // Checks the trigger `watchdog`. `storms`: the priorities of the output in a pause storm.
    void see_storms(PortIndex output, PrioritySet storms);
    // Fires the trigger for any cause.
    void fire(RecordCause cause, PortIndex port, Priority priority, uint64_t value);
    // Ends the sample. May hand over a part to control.
    void end();

    [[nodiscard]] bool wants(PortIndex port) const { return (settings_.ports & only(port)) != 0; }
    // Return the outputs and priorities with frames at their last sample, so that a sample also
    // sees them empty.
    [[nodiscard]] PortSet outputs_held() const { return outputs_held_; }
    [[nodiscard]] PrioritySet priorities_held(PortIndex output) const {
        return held_priorities_[output];
    }
    [[nodiscard]] InputSet inputs_held(QueueKey queue) const { return held_[index(queue)]; }
    [[nodiscard]] InputSet groups_held() const { return groups_held_; }
    // Returns the priorities of an output that its peer paused at the last sample.
    [[nodiscard]] PrioritySet paused(PortIndex output) const { return paused_[output]; }
    // Returns whether frames were received for a path since its last sample. If none were, this
    // call counts as a sample of the path.
    [[nodiscard]] bool has_news(InputIndex input, QueueKey path, uint64_t came);
    // Returns whether the input has dropped more frames since the last call than the samples of its
    // paths show. `total`: all frames that the input has dropped since the start.
    bool has_more_drops(InputIndex input, uint64_t total);
    // Notes that all paths of the input were checked for drops.
    void has_all_drops(InputIndex input) { dropped_by_paths_[input.number] = 0; }
    // Returns the next (input, output) of the worker, in turn. The worker samples that pair even if
    // no frame of it is known to be queued, so that no count is older than one round.
    struct Pair {
        InputIndex input;
        PortIndex output;
    };
    Pair next_pair(InputSet inputs);
    // Returns the next input, in turn.
    InputIndex next_input(InputSet inputs);

    // --- called by control ----------------------------------------------------------------------
    // Returns the oldest part that was handed over and not given back; null: there is none.
    [[nodiscard]] const Finished* finished() const { return finished_.front(); }
    // The entries of a part, oldest first, in two spans.
    using Entries = std::array<std::span<const RecordEntry>, 2>;
    [[nodiscard]] Entries entries_of(const Finished& part) const;
    void give_back();
    // Requests a recording by hand: the worker begins it at its next sample.
    void want() { wanted_.store(true); }

    // Any thread may call these functions.
    [[nodiscard]] uint64_t samples() const { return samples_.value(); }
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }
    [[nodiscard]] uint64_t longest_distance() const { return longest_.value(); }

  private:
    struct SeenPath {
        Nanos at{-1};
        uint32_t octets = 0;
        uint32_t came = 0;
        uint32_t dropped = 0;
        uint32_t marked = 0;
    };
    struct SeenQueue {
        uint32_t octets = 0;
        uint32_t left = 0;
        bool is_paused = false;
    };
    struct SeenGroup {
        uint32_t octets = 0;
        uint32_t headroom = 0;
        uint32_t xoffs = 0;
        bool is_pausing = false;
    };
    static constexpr uint32_t no_part = RecorderSettings::parts;

    static std::size_t index(QueueKey queue) {
        return std::size_t{queue.output} * max_priorities + queue.priority;
    }
    SeenPath& seen(InputIndex input, QueueKey path) {
        assert(path.output < outputs_ && path.priority < max_priorities);
        return paths_[std::size_t{input.number} * outputs_ * max_priorities + index(path)];
    }
    // Returns the time over which a count grew, if the count was last read at the time `at`. If the
    // input received nothing between `at` and the last sample, that is at most the time since the
    // last sample.
    [[nodiscard]] uint32_t counted_over(InputIndex input, Nanos at) const;
    // Returns null if there is no room in this sample.
    RecordEntry* write(RecordKind kind);
    RecordEntry* place();
    void note_held(QueueKey queue);
    void begin_recording(uint32_t round);
    void hand_over();
    void take_free();

    const RecorderSettings settings_;
    const uint64_t depth_level_;
    TriggerBoard& board_;
    const std::size_t outputs_;
    const std::size_t capacity_;  // entries of one part
    std::vector<RecordEntry> entries_;
    std::vector<SeenPath> paths_;    // by input, output and priority
    std::vector<SeenQueue> queues_;  // by output and priority
    std::vector<SeenGroup> groups_;  // by input and priority
    std::vector<InputSet> held_;     // inputs with frames, by output and priority
    std::array<PrioritySet, max_ports> held_priorities_{};
    PortSet active_ = 0;
    bool was_active_ = false;
    std::array<Nanos, max_ports> came_before_{};  // by input: active sample before `came_at_`
    // By input: the last sample at which the input was active.
    std::array<Nanos, max_ports> came_at_{};
    PortSet outputs_held_ = 0;
    InputSet groups_held_ = 0;
    std::array<PrioritySet, max_ports> paused_{};            // by output
    std::array<PrioritySet, max_ports> storms_{};            // by output
    std::array<uint64_t, max_ports> dropped_{};              // by input, since the start
    std::array<uint32_t, max_ports> dropped_by_paths_{};     // by input, in this sample
    std::array<PrioritySet, max_ports> group_priorities_{};  // by input: priorities with octets
    Pair next_pair_{InputIndex(0), 0};
    InputIndex next_input_{0};

    Nanos now_;
    Nanos next_{INT64_MIN};
    Nanos last_{-1};          // time of the last sample, whether it left entries or not
    uint32_t unchanged_ = 0;  // samples since the last sample that left an entry
    uint32_t longest_since_ = 0;
    std::size_t of_sample_ = 0;      // entries of this sample
    RecordEntry* sample_ = nullptr;  // the entry `sample`; null: none yet
    bool is_missing_ = false;        // entries of this sample are missing
    bool shows_all_ = true;          // this sample has all values that are not 0
    uint64_t shown_all_at_ = 0;      // `written_` at the last sample with all values

    uint32_t part_ = 0;
    uint64_t written_ = 0;
    uint32_t round_ = 0;  // the recording in progress, or the last one
    std::optional<RecordTrigger> trigger_;
    bool is_recording_ = false;
    Nanos ends_;
    uint64_t written_then_ = 0;  // `written_` when the recording began
    Nanos longest_end_;          // latest end of the recording, whatever triggers follow
    std::atomic<bool> wanted_{false};
    Counter samples_;
    Counter lost_;
    Counter longest_;
    SingleProducerRing<Finished, 16> finished_;
    SingleProducerRing<uint32_t, 16> free_;
    static_assert(RecorderSettings::parts <= 16);
};

}  // namespace sluice
