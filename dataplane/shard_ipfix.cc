// A shard's samples for IPFIX at the end of a poll (ipfix/queue_sampler.h): the queues of its
// outputs and the lossless groups of its ports.
//
// A sample reads drops and marks of queues with frames, of inputs with new drops, and of the other
// inputs in turn, one a sample, or four if some belong to other workers. So every drop is reported
// after at most as many samples as there are inputs.
// Bound: O(inputs + queues x (inputs with drops) + (queues with frames) x inputs), and O(queues x
// inputs) if several workers feed them.
#include "dataplane/ipfix/queue_sampler.h"
#include "dataplane/shard.h"
#include "dataplane/types/queue_refusals.h"

namespace sluice {

namespace {

constexpr std::size_t in_turn_if_alone = 1;
constexpr std::size_t in_turn_of_all_workers = 4;

uint64_t octets_of(Bytes bytes) { return static_cast<uint64_t>(bytes.count()); }

}  // namespace

class Shard::QueueSample {
  public:
    QueueSample(Shard& shard, QueueSampler& sampler) : shard_(shard), sampler_(sampler) {}

    [[gnu::noinline]] void take(Nanos now) {
        if (!sampler_.begin(now)) return;
        for_each_input(shard_.inputs_, [&](InputIndex input) {
            const DropCounters& drops = shard_.counters_[input.number]->drops;
            if (sampler_.has_more_drops(input, refused_by_queues(drops))) see_input(input);
        });
        const std::size_t inputs = shard_.shared_.ingress.size();
        std::size_t left = shard_.is_alone_ ? in_turn_if_alone : in_turn_of_all_workers;
        for (; left > 0; --left) see_input(sampler_.next_input(inputs));
        const auto queues = sampler_.queues();
        for (std::size_t queue = 0; queue < queues.size(); ++queue) see_queue(queue, queues[queue]);
        const auto groups = sampler_.groups();
        for (std::size_t group = 0; group < groups.size(); ++group) see_group(group, groups[group]);
        sampler_.end();
    }

  private:
    void see_input(InputIndex input) {
        const Ingress& from = *shard_.shared_.ingress[input.number];
        const auto queues = sampler_.queues();
        for (std::size_t queue = 0; queue < queues.size(); ++queue)
            see_path(from, input, queue, queues[queue]);
    }
    void see_path(const Ingress& from, InputIndex input, std::size_t number, QueueKey queue) {
        sampler_.see(input, number, from.dropped(queue), from.marked(queue));
    }
    void see_queue(std::size_t number, QueueKey queue) {
        const EgressQueue& crossed = shard_.egress_[queue.output]->queue(queue.priority);
        Bytes waiting = crossed.bytes();
        const Crossbar::Shard& crossbar = shard_.crossbar_;
        if ((crossbar.requested() & only(queue.output)) != 0) {
            for_each_input(crossbar.requesting(queue), [&](InputIndex input) {
                const Ingress& from = shard_.ingress(input);
                see_path(from, input, number, queue);
                waiting += from.voq(queue.output, queue.priority).bytes();
            });
        }
        if (!shard_.is_alone_) waiting = crossed.bytes() + shard_.shared_.depth(queue);
        sampler_.see(number, crossed.taken(), octets_of(waiting));
    }
    void see_group(std::size_t number, QueueSampler::Group of) {
        Bytes octets;
        Bytes headroom;
        for_each_input(shard_.shared_.lanes_of[of.port], [&](InputIndex lane) {
            const IngressPriorityGroup& group =
                shard_.shared_.ingress[lane.number]->group(of.priority);
            octets += group.used();
            headroom += group.headroom();
        });
        sampler_.see(number, {octets_of(octets), octets_of(headroom)});
    }

    Shard& shard_;
    QueueSampler& sampler_;
};

void Shard::sample_queues(Nanos now) {
    QueueSampler* const sampler = shared_.samplers[worker_].thing();
    if (sampler == nullptr) [[likely]]
        return;
    if (sampler->is_due(now)) QueueSample(*this, *sampler).take(now);
}

}  // namespace sluice
