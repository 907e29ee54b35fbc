#include "control/show/noun_snapshots.h"

#include <cstdint>

namespace sluice::control {

namespace {

// Counters of one (input, output, priority), summed over the lanes of the input. With several lanes
// `max_bytes` sums maxima that may be of different moments.
struct QueueSums {
    QueueSums(const Switch& dataplane, PortIndex input, QueueKey path) {
        for_each_port(dataplane.lanes_of(input), [&](PortIndex lane) {
            const Ingress& ingress = dataplane.ingress(lane);
            const Voq& voq = ingress.voq(path.output, path.priority);
            frames += voq.waiting();
            bytes += voq.bytes().count();
            max_bytes += voq.max_bytes();
            enqueued += voq.enqueued() + ingress.bypassed(path);
            dequeued += ingress.dequeued(path);
            flushed += ingress.flushed(path);
            dropped += ingress.dropped(path);
            marked += ingress.marked(path);
            watchdog_drops += ingress.watchdog_drops(path);
            trimmed += ingress.trimmed(path);
            trim_dropped += ingress.trim_dropped(path);
        });
    }

    uint64_t frames = 0;
    int64_t bytes = 0;
    uint64_t max_bytes = 0;
    uint64_t enqueued = 0;
    uint64_t dequeued = 0;
    uint64_t flushed = 0;
    uint64_t dropped = 0;
    uint64_t marked = 0;
    uint64_t watchdog_drops = 0;
    uint64_t trimmed = 0;
    uint64_t trim_dropped = 0;
};

}  // namespace

Json queues_snapshot(const View& view, bool all) {
    Json rows = Json::array();
    for (PortIndex input = 0; input < view.dataplane.port_count(); ++input) {
        if (view.ports[input].vacant) continue;
        for_each_group(view, [&](PortIndex output, Priority priority) {
            const QueueSums sums(view.dataplane, input, {output, priority});
            if (!all && sums.enqueued + sums.dropped + sums.trimmed == 0) return;
            rows.push_back({
                {"input", view.ports[input].name},
                {"output", view.ports[output].name},
                {"priority", priority},
                {"frames", sums.frames},
                {"bytes", sums.bytes},
                {"max_bytes", sums.max_bytes},
                {"enqueued", sums.enqueued},
                {"dequeued", sums.dequeued},
                {"flushed", sums.flushed},
                {"dropped", sums.dropped},
                {"marked", sums.marked},
                {"storm_dropped", sums.watchdog_drops},
                {"trimmed", sums.trimmed},
                {"trim_dropped", sums.trim_dropped},
            });
        });
    }
    return rows;
}

Json trims_of(const View& view, PortIndex output) {
    uint64_t trimmed = 0;
    uint64_t dropped = 0;
    for (PortIndex input = 0; input < view.dataplane.input_count(); ++input) {
        const Ingress& ingress = view.dataplane.ingress(input);
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            trimmed += ingress.trimmed({output, priority});
            dropped += ingress.trim_dropped({output, priority});
        }
    }
    return {{"trimmed", trimmed}, {"trim_dropped", dropped}};
}

}  // namespace sluice::control
