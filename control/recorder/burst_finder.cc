#include "control/recorder/burst_finder.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <utility>

#include "dataplane/types/queue_key.h"

namespace sluice::control {

namespace {

constexpr std::size_t none = SIZE_MAX;

class Finder {
  public:
    explicit Finder(const Recording& recording)
        : recording_(recording), begun_(recording.workers.size()) {
        for (const WorkerEntries& worker : recording.workers) {
            // If no entry was overwritten and the first entry is a sample with frames, earlier
            // samples found no frames.
            is_known_.push_back(worker.is_whole && !worker.entries.empty() &&
                                worker.entries.front().kind == RecordKind::sample &&
                                worker.entries.front().frames > 0);
        }
    }

    std::vector<Burst> find() {
        std::size_t worker_of_sample = 0;
        for_each_entry(recording_, [&](std::size_t worker, const RecordEntry& entry) {
            const bool is_next =
                sample_.empty() || worker != worker_of_sample || entry.time != sample_.front().time;
            if (is_next && !sample_.empty()) end_sample(worker_of_sample);
            worker_of_sample = worker;
            sample_.push_back(entry);
        });
        if (!sample_.empty()) end_sample(worker_of_sample);
        for (auto& [key, queue] : queues_) {
            if (queue.burst == none) continue;
            bursts_[queue.burst].goes_on = true;
            close(queue, std::max(recording_.end, now_));
        }
        for (Burst& burst : bursts_) {
            std::ranges::stable_sort(burst.feeders, std::greater<>(), [](const Burst::Feeder& one) {
                return one.came + one.dropped;
            });
        }
        return std::move(bursts_);
    }

  private:
    struct Queue {
        std::map<uint8_t, uint32_t> voqs;  // octets by input index
        uint32_t egress = 0;
        uint32_t egress_frames = 0;
        bool is_paused = false;
        Nanos paused_since;
        std::size_t burst = none;
        bool was_seen = false;  // whether the queue was seen in this sample

        [[nodiscard]] uint64_t octets() const {
            uint64_t sum = egress;
            for (const auto& [input, waiting] : voqs) sum += waiting;
            return sum;
        }
    };
    using Key = std::pair<PortIndex, Priority>;

    void end_sample(std::size_t worker) {
        now_ = sample_.front().time;
        uint32_t distance = 0;
        bool shows_all = false;
        for (const RecordEntry& entry : sample_) {
            if (entry.kind == RecordKind::sample) {
                settle_starts(worker, Nanos(entry.longest));
                distance = entry.distance;
                shows_all = entry.came != 0;
            } else if (entry.kind != RecordKind::group) {
                apply(entry);
            }
        }
        for (const RecordEntry& entry : sample_) {
            if (entry.kind == RecordKind::path) count(entry, worker, distance);
        }
        for (auto& [key, queue] : queues_) {
            if (!queue.was_seen) continue;
            if (queue.octets() > 0) open(key, queue, worker, distance);
        }
        for (const RecordEntry& entry : sample_) {
            if (entry.kind == RecordKind::group && entry.came > 0) count_xoffs(entry);
        }
        for (auto& [key, queue] : queues_) {
            if (!std::exchange(queue.was_seen, false)) continue;
            if (queue.octets() == 0 && queue.burst != none) close(queue, now_);
        }
        if (shows_all) is_known_[worker] = true;
        sample_.clear();
    }
    // Sets `until_next` of the bursts that began at the previous sample.
    void settle_starts(std::size_t worker, Nanos until_next) {
        for (const std::size_t begun : std::exchange(begun_[worker], {})) {
            bursts_[begun].until_next = until_next;
        }
    }
    void apply(const RecordEntry& entry) {
        Queue& queue = queues_[{entry.output, entry.priority}];
        queue.was_seen = true;
        if (entry.kind == RecordKind::path) {
            queue.voqs[entry.input] = entry.octets;
            return;
        }
        queue.egress = entry.octets;
        queue.egress_frames = entry.frames;
        const bool is_paused = entry.is_paused != 0;
        if (queue.is_paused && !is_paused) count_pause(queue, now_);
        if (!queue.is_paused && is_paused) queue.paused_since = now_;
        queue.is_paused = is_paused;
    }
    // Counts frames that arrived or were lost on a path, if a burst lasts or begins.
    void count(const RecordEntry& entry, std::size_t worker, uint32_t distance) {
        const Key key{entry.output, entry.priority};
        Queue& queue = queues_[key];
        const bool begins = queue.burst == none;
        if (begins && queue.octets() == 0 && entry.dropped == 0) return;
        Burst& burst = open(key, queue, worker, distance);
        uint64_t came = entry.came;
        // If counting began before the previous sample, some arrivals may have left before the
        // burst. So at most the waiting frames count.
        if (begins_now(burst) && entry.since > distance)
            came = std::min<uint64_t>(came, entry.frames + queue.egress_frames);
        Burst::Feeder& feeder = feeder_of(burst, entry.input);
        feeder.came += came;
        feeder.dropped += entry.dropped;
        feeder.marked += entry.marked;
        burst.came += came;
        burst.dropped += entry.dropped;
        burst.marked += entry.marked;
    }
    [[nodiscard]] bool begins_now(const Burst& burst) const { return burst.start == now_; }

    Burst& open(const Key& key, Queue& queue, std::size_t worker, uint32_t distance) {
        if (queue.burst == none) {
            queue.burst = bursts_.size();
            Burst& begun = bursts_.emplace_back();
            begun.output = key.first;
            begun.priority = key.second;
            begun.start = now_;
            begun.since_before = Nanos(distance);
            begun.peak_at = now_;
            begun.is_older = !is_known_[worker];
            begun_[worker].push_back(queue.burst);
            if (queue.is_paused) queue.paused_since = std::max(queue.paused_since, now_);
        }
        Burst& burst = bursts_[queue.burst];
        if (queue.octets() > burst.peak) {
            burst.peak = queue.octets();
            burst.peak_at = now_;
        }
        return burst;
    }
    void close(Queue& queue, Nanos at) {
        if (queue.is_paused) {
            count_pause(queue, at);
            queue.paused_since = at;
        }
        assert(queue.burst < bursts_.size() && at >= bursts_[queue.burst].start);
        bursts_[queue.burst].end = at;
        queue.burst = none;
    }
    void count_pause(const Queue& queue, Nanos at) {
        if (queue.burst == none) return;
        Burst& burst = bursts_[queue.burst];
        burst.paused += at - std::max(queue.paused_since, burst.start);
    }
    void count_xoffs(const RecordEntry& group) {
        Queue* cause = nullptr;
        uint32_t most = 0;
        for (auto& [key, queue] : queues_) {
            if (key.second != group.priority || queue.burst == none) continue;
            const auto waiting = queue.voqs.find(group.input);
            if (waiting == queue.voqs.end() || waiting->second <= most) continue;
            most = waiting->second;
            cause = &queue;
        }
        if (cause == nullptr) return;
        Burst& burst = bursts_[cause->burst];
        burst.xoffs += group.came;
        feeder_of(burst, group.input).xoffs += group.came;
    }
    [[nodiscard]] Burst::Feeder& feeder_of(Burst& burst, uint8_t input) const {
        assert(input < recording_.port_of.size());
        const PortIndex port = recording_.port_of[input];
        const auto found = std::ranges::find(burst.feeders, port, &Burst::Feeder::port);
        if (found != burst.feeders.end()) return *found;
        return burst.feeders.emplace_back(Burst::Feeder{.port = port});
    }

    const Recording& recording_;
    std::vector<bool> is_known_;                   // by worker: all queues are known
    std::vector<std::vector<std::size_t>> begun_;  // by worker: bursts begun in the last sample
    std::vector<RecordEntry> sample_;
    std::map<Key, Queue> queues_;
    std::vector<Burst> bursts_;
    Nanos now_;
};

}  // namespace

std::vector<Burst> find_bursts(const Recording& recording, uint64_t least) {
    std::vector<Burst> bursts = Finder(recording).find();
    std::erase_if(bursts, [&](const Burst& burst) {
        const bool costs = burst.dropped + burst.marked + burst.xoffs > 0;
        return burst.end < recording.begin || (burst.peak < least && !costs);
    });
    std::ranges::stable_sort(bursts, {}, &Burst::start);
    return bursts;
}

}  // namespace sluice::control
