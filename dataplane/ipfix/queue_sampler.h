// QueueSampler: takes one worker's samples for the export of counters by IPFIX (control/ipfix).
// Once a period, at the time of a poll, a sample contains all counters of the queues and lossless
// groups that the sampler was made for.
//
// Control makes samplers and gives one to each worker (worker_slot.h). The worker fills in a sample
// at the end of a poll that is due (shard_ipfix.cc), and control takes samples out of the ring.
// Samples do not drift: the next sample is due a period after the last was due. A worker that polls
// less often samples at each poll; missed samples are not made up.
// Bound: the ring, and 16 octets for each (input, queue), allocated by the constructor. If the ring
// is full the sample is counted as lost, and no thread waits.
// Not done here: mapping counters to information elements (control/ipfix/statistics.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dataplane/threads/single_producer_ring.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/queue_key.h"
#include "dataplane/types/units.h"

namespace sluice {

class QueueSampler {
  public:
    // The words of a queue in a sample, in this order. Counts are since the start.
    struct QueueCounts {
        uint64_t left;     // frames that the queue passed to the device
        uint64_t dropped;  // frames that the queue refused
        uint64_t marked;   // frames marked with congestion experienced
        uint64_t octets;   // octets queued, in VOQs and the egress queue
    };
    // The words of a group in a sample, in this order.
    struct GroupCounts {
        uint64_t octets;    // octets in the group's reserve and the pool
        uint64_t headroom;  // octets in the group's headroom
    };
    struct Group {
        PortIndex port;
        Priority priority;
        friend bool operator==(const Group&, const Group&) = default;
    };
    static constexpr std::size_t words_of_queue = sizeof(QueueCounts) / sizeof(uint64_t);
    static constexpr std::size_t words_of_group = sizeof(GroupCounts) / sizeof(uint64_t);
    static constexpr uint32_t most_samples = 4096;

    // The selection for one worker: queues of the worker's outputs, and groups of its ports.
    struct Wanted {
        std::vector<QueueKey> queues;
        std::vector<Group> groups;
    };
    // `samples`: how many samples the ring holds, up to `most_samples`.
    QueueSampler(Nanos period, Wanted wanted, std::size_t inputs, uint32_t samples);

    // --- called by the worker; `see` also by control, before it gives the sampler away -----------
    [[nodiscard]] bool is_due(Nanos now) const { return now >= next_; }
    // Returns false if the ring is full; this sample is then lost.
    bool begin(Nanos now);
    // Returns whether queues have refused more frames of the input since the last call. `total`:
    // frames refused since the start.
    [[nodiscard]] bool has_more_drops(InputIndex input, uint64_t total) {
        return std::exchange(refused_[input.number], total) != total;
    }
    // Returns the next input, in turn.
    [[nodiscard]] InputIndex next_input(std::size_t inputs) {
        turn_ = (turn_ + 1) % inputs;
        return InputIndex(static_cast<uint8_t>(turn_));
    }
    [[nodiscard]] std::span<const QueueKey> queues() const { return wanted_.queues; }
    [[nodiscard]] std::span<const Group> groups() const { return wanted_.groups; }
    // Records how many frames for a queue an input has dropped and marked since the start.
    void see(InputIndex input, std::size_t queue, uint64_t dropped, uint64_t marked);
    // Sets the approximate number of frames that have left a queue. Later calls of `see` pass only
    // the low 32 bits of the number.
    void set_left(std::size_t queue, uint64_t about) { queues_[queue].left = about; }
    // Records the frames that left the egress queue, modulo 2^32, and the octets queued for it.
    void see(std::size_t queue, uint32_t left, uint64_t octets);
    void see(std::size_t group, GroupCounts counts);
    void end();

    // --- called by control ----------------------------------------------------------------------
    // Takes the samples in the ring, oldest first. A sample is its time in nanoseconds, then the
    // words of all queues, then those of all groups.
    template <class Visit>
    void take(Visit visit) {
        ring_.take(
            [&](uint32_t place) { visit(std::span<const uint64_t>(sample(place), words_)); });
    }

    // Any thread may call these functions.
    [[nodiscard]] uint64_t samples() const { return samples_.value(); }
    [[nodiscard]] uint64_t lost() const { return lost_.value(); }
    [[nodiscard]] uint64_t longest_distance() const { return longest_.value(); }

  private:
    struct Seen {
        uint64_t dropped = 0;
        uint64_t marked = 0;
    };

    [[nodiscard]] uint64_t* sample(uint32_t place) { return &memory_[place * words_]; }

    const Nanos period_;
    const Wanted wanted_;
    const std::size_t words_;
    const uint32_t places_;
    std::vector<uint64_t> memory_;
    std::vector<Seen> seen_;             // by input and queue
    std::vector<QueueCounts> queues_;    // as of the last `see`
    std::vector<uint64_t> group_words_;  // as of the last `see`
    std::vector<uint64_t> refused_;      // by input: frames refused since the start
    std::size_t turn_ = 0;               // the input of the last `next_input`
    Nanos next_{INT64_MIN};
    Nanos last_{-1};
    Nanos now_;
    uint32_t place_ = 0;  // place of the next sample
    Counter samples_;
    Counter lost_;
    Counter longest_;
    SingleProducerRing<uint32_t, most_samples> ring_;  // places of full samples
};

}  // namespace sluice
