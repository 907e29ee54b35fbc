// BurstFinder: finds the bursts of a recording: when each began, how long it lasted, how deep it
// was, who fed it, and what it cost.
//
// A queue is (output, priority): what waits for it in the VOQs of all inputs, and in its egress
// queue. A burst lasts from the first sample that found a frame waiting to the first that found
// none; a drop where nothing waits is a burst of no length. What came is counted by input, while
// frames waited; of the first sample what came since the one before. Where arrivals of a busy path
// were last counted longer ago, only what waits of them counts, since the rest may have gone by.
// An XOFF belongs to the queue that most of its input's frames wait for then.
// Bound: O(entries), and O(entries of a sample x queues with frames) where XOFFs are.
// Between workers a frame that crosses is in no queue for a moment: then one burst may be seen as
// two. Not done here: which bursts matter; `least` leaves out those that were less deep and cost
// nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "control/recorder/recording.h"

namespace sluice::control {

// Those that were there at `recording.begin` or later.
[[nodiscard]] std::vector<Burst> find_bursts(const Recording& recording, uint64_t least);

// Every entry of a recording in the order of time: `visit(worker, entry)`.
template <class Visit>
void for_each_entry(const Recording& recording, Visit visit) {
    std::vector<std::size_t> next(recording.workers.size());
    for (;;) {
        std::size_t first = next.size();
        for (std::size_t worker = 0; worker < next.size(); ++worker) {
            const auto& entries = recording.workers[worker].entries;
            if (next[worker] == entries.size()) continue;
            if (first == next.size() ||
                entries[next[worker]].time < recording.workers[first].entries[next[first]].time) {
                first = worker;
            }
        }
        if (first == next.size()) return;
        // A sample as a whole.
        const auto& entries = recording.workers[first].entries;
        const Nanos time = entries[next[first]].time;
        for (; next[first] < entries.size() && entries[next[first]].time == time; ++next[first]) {
            visit(first, entries[next[first]]);
        }
    }
}

}  // namespace sluice::control
