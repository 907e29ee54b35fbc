// A shard's samples for its recorder at the end of a poll (recorder/reel.h): the paths of its
// inputs and the egress queues of its outputs that hold or held frames, its lossless groups, and
// the drops of its inputs.
//
// Bound: O(outputs with frames x inputs with frames for them), plus the 8 queues of one further
// (input, output), or of eight such pairs while no input is active; plus all paths of an input with
// drops that the sampled paths do not account for.
#include "dataplane/recorder/reel.h"
#include "dataplane/shard.h"
#include "dataplane/types/queue_refusals.h"

namespace sluice {

class Shard::Sample {
  public:
    Sample(Shard& shard, Reel& reel, Nanos now)
        : shard_(shard), reel_(reel), now_(now), wanted_(reel.settings()) {}

    [[gnu::noinline]] void take() {
        reel_.begin(now_);
        const PortSet waits = shard_.crossbar_.requested() | shard_.holding_ | reel_.outputs_held();
        for_each_port(waits & wanted_.ports, [&](PortIndex output) { see_output(output); });
        for_each_port(reel_.active() & shard_.ports_ & ~waits & wanted_.ports,
                      [&](PortIndex output) { see_pauses(output); });
        if (with_pfc) see_groups();
        if (waits != 0) {
            for_each_input(received(), [&](InputIndex input) { see_drops(input); });
        } else if (shard_.inputs_ != 0) {
            see_drops(reel_.next_input(shard_.inputs_));
        }
        see_arrivals();
        if (wanted_.has(RecordCause::latency)) see_latency();
        reel_.end();
    }

  private:
    // Samples an output without frames if its pauses changed.
    void see_pauses(PortIndex output) {
        if (shard_.egress_[output]->gate().paused(now_) != reel_.paused(output)) [[unlikely]]
            see_output(output);
    }
    void see_output(PortIndex output) {
        PrioritySet in_egress = 0;
        PrioritySet paused = 0;
        if (is_own(output)) {
            Egress& egress = *shard_.egress_[output];
            in_egress = egress.backlog();
            paused = egress.gate().paused(now_);
            reel_.see_storms(output, egress.watchdog().pfc_storms());
        }
        PrioritySet looked_at = in_egress | reel_.priorities_held(output);
        looked_at |= static_cast<PrioritySet>(paused ^ reel_.paused(output));
        if ((shard_.crossbar_.requested() & only(output)) != 0)
            looked_at |= shard_.crossbar_.requested_for(output);
        for_each_priority(looked_at & wanted_.priorities, [&](Priority priority) {
            const PrioritySet bit = only_priority(priority);
            see_queue({output, priority}, (paused & bit) != 0);
        });
    }
    void see_queue(QueueKey queue, bool is_paused) {
        InputSet from = shard_.crossbar_.requesting(queue) | reel_.inputs_held(queue);
        // Frames of active inputs may have bypassed their VOQ.
        from |= reel_.active() | ~shard_.ports_;
        uint64_t octets = 0;
        for_each_input(from & shard_.inputs_, [&](InputIndex input) {
            see_path(input, queue);
            octets += shard_.ingress(input).voq(queue.output, queue.priority).backlog().value();
        });
        if (is_own(queue.output)) {
            const EgressQueue& waiting = shard_.egress_[queue.output]->queue(queue.priority);
            const auto in_queue = static_cast<uint64_t>(waiting.bytes().count());
            reel_.see(queue, Reel::Queue{.octets = in_queue,
                                         .frames = waiting.waiting(),
                                         .left = waiting.taken(),
                                         .is_paused = is_paused});
            octets += in_queue;
        }
        if (!shard_.is_alone_) octets = octets_of_all_workers(queue);
        reel_.see_depth(queue, octets);
    }
    [[nodiscard]] uint64_t octets_of_all_workers(QueueKey queue) const {
        const SharedState& shared = shard_.shared_;
        const Bytes crossed = shared.egress[queue.output]->queue(queue.priority).bytes();
        return static_cast<uint64_t>((shared.depth(queue) + crossed).count());
    }
    void see_path(InputIndex input, QueueKey path) {
        const Ingress& from = shard_.ingress(input);
        const Voq& voq = from.voq(path.output, path.priority);
        reel_.see(input, path,
                  Reel::Path{.octets = voq.backlog().value(),
                             .frames = voq.waiting(),
                             .came = voq.enqueued() + from.bypassed(path),
                             .dropped = from.dropped(path) + from.flushed(path),
                             .marked = from.marked(path)});
    }
    void see_groups() {
        const InputSet held = (reel_.active() & shard_.may_pause_) | reel_.groups_held();
        for_each_input(held & shard_.inputs_, [&](InputIndex input) {
            const Ingress& from = shard_.ingress(input);
            if (!reel_.wants(from.port())) return;
            const PrioritySet pausing = from.pause_sender().announced();
            const PrioritySet lossless = from.settings().pfc.lossless & wanted_.priorities;
            for_each_priority(lossless, [&](Priority priority) {
                const IngressPriorityGroup& group = from.group(priority);
                reel_.see(input, priority,
                          Reel::Group{.octets = static_cast<uint64_t>(group.used().count()),
                                      .headroom = static_cast<uint64_t>(group.headroom().count()),
                                      .xoffs = from.pause_sender().xoff_sent(priority),
                                      .is_pausing = (pausing & only_priority(priority)) != 0});
            });
        });
    }
    // Samples all paths of an input with new drops: a frame may be dropped at an empty queue too,
    // if the pool is full, for example.
    void see_drops(InputIndex input) {
        const DropCounters& drops = shard_.counters_[input.number]->drops;
        if (!reel_.has_more_drops(input, refused_by_queues(drops))) return;
        const PortSet all = first_ports(shard_.shared_.port_count());
        for_each_port(wanted_.ports & all, [&](PortIndex output) {
            for_each_priority(wanted_.priorities, [&](Priority priority) {
                see_path(input, {output, priority});
            });
        });
        reel_.has_all_drops(input);
    }
    // Samples the arrivals of a few idle paths in turn, so that the last sample of a path is at
    // most one round old when frames begin to wait there.
    void see_arrivals() {
        constexpr int pairs_at_rest = 8;
        constexpr uint64_t samples_a_pair = 4;
        const bool is_at_rest = reel_.active() == 0;
        if (shard_.inputs_ == 0) return;
        if (!is_at_rest && reel_.samples() % samples_a_pair != 0) return;
        for (int left = is_at_rest ? pairs_at_rest : 1; left > 0; --left) {
            const Reel::Pair pair = reel_.next_pair(shard_.inputs_);
            if (!reel_.wants(pair.output)) continue;
            const Ingress& from = shard_.ingress(pair.input);
            for_each_priority(wanted_.priorities, [&](Priority priority) {
                const QueueKey path{pair.output, priority};
                const uint64_t came =
                    from.voq(path.output, priority).enqueued() + from.bypassed(path);
                if (reel_.has_news(pair.input, path, came)) see_path(pair.input, path);
            });
        }
    }
    void see_latency() {
        const auto [wait, priority] = shard_.latency_->take_longest();
        if (wait < wanted_.latency) return;
        reel_.fire(RecordCause::latency, RecordTrigger::unknown, priority,
                   static_cast<uint64_t>(wait.count()));
    }
    [[nodiscard]] bool is_own(PortIndex output) const {
        return (shard_.ports_ & only(output)) != 0;
    }
    // Returns the inputs that may have received frames since the last sample.
    [[nodiscard]] InputSet received() const {
        return (reel_.active() | ~shard_.ports_) & shard_.inputs_;
    }

    Shard& shard_;
    Reel& reel_;
    const Nanos now_;
    const RecorderSettings& wanted_;
};

void Shard::record(Nanos now) {
    Reel* const reel = shared_.reels[worker_].thing();
    if (reel == nullptr) [[likely]]
        return;
    if (reel->is_due(active_, now)) Sample(*this, *reel, now).take();
}

}  // namespace sluice
