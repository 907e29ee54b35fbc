// BurstFinder: finds the bursts of a recording: when each began, its length and depth, its inputs,
// and its cost.
//
// A queue is (output, priority): the frames for it in the VOQs of all inputs, and in its egress
// queue. A burst lasts from the first sample that found a frame waiting to the first that found
// none; a drop while nothing waits is a burst of length 0. Arrivals are counted by input while
// frames waited; the first sample of a burst counts the arrivals since the previous sample. If the
// arrivals of a busy path were last counted before the previous sample, only the waiting frames
// count, because the others may have left before the burst. An XOFF belongs to the queue for which
// most frames of its input wait at that time. A frame that crosses between workers is in no queue
// for a moment, so one burst may be seen as two. Bursts below the depth `least` that cost nothing
// are left out.
// Bound: O(entries), and O(entries of a sample x queues with frames) for samples with XOFFs.
// Not done here: judging bursts.
#pragma once

#include <cstdint>
#include <vector>

#include "control/recorder/recording.h"

namespace sluice::control {

// Returns the bursts at `recording.begin` or later.
[[nodiscard]] std::vector<Burst> find_bursts(const Recording& recording, uint64_t least);

// Visits every entry of a recording in the order of time: `visit(worker, entry)`.
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
        // All entries of a sample are visited together.
        const auto& entries = recording.workers[first].entries;
        const Nanos time = entries[next[first]].time;
        for (; next[first] < entries.size() && entries[next[first]].time == time; ++next[first]) {
            visit(first, entries[next[first]]);
        }
    }
}

}  // namespace sluice::control
