// What a shard samples for IPFIX at the end of a poll (ipfix/queue_sampler.h): the queues of its
// outputs and the lossless groups of its ports.
//
// Drops and marks are looked for at inputs that frames came to or wait at, and at others in turn:
// four of all workers a sample, so they are found no more than a quarter as many samples later as
// there are inputs, wherever and whyever they happened.
// Bound: O(queues x (inputs looked at)), and O(queues x inputs) where several workers feed them.
#include "dataplane/ipfix/queue_sampler.h"
#include "dataplane/shard.h"

namespace sluice {

namespace {

constexpr std::size_t inputs_in_turn = 4;

uint64_t octets_of(Bytes bytes) { return static_cast<uint64_t>(bytes.count()); }

}  // namespace

class Shard::QueueSample {
  public:
    QueueSample(Shard& shard, QueueSampler& sampler) : shard_(shard), sampler_(sampler) {}

    [[gnu::noinline]] void take(Nanos now) {
        if (!sampler_.begin(now)) return;
        const InputSet own = (sampler_.active() | ~shard_.ports_) & shard_.inputs_;
        for_each_input(own, [&](InputIndex input) { see_input(input); });
        const std::size_t inputs = shard_.shared_.ingress.size();
        for (std::size_t left = inputs_in_turn; left > 0; --left)
            see_input(sampler_.next_input(inputs));
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
            sampler_.see(input, queue, from.dropped(queues[queue]), from.marked(queues[queue]));
    }
    void see_queue(std::size_t number, QueueKey queue) {
        const EgressQueue& crossed = shard_.egress_[queue.output]->queue(queue.priority);
        sampler_.see(number, crossed.taken(), octets_of(crossed.bytes() + in_voqs(queue)));
    }
    [[nodiscard]] Bytes in_voqs(QueueKey queue) const {
        const Crossbar::Shard& crossbar = shard_.crossbar_;
        if (!shard_.is_alone_) return shard_.shared_.depth(queue);
        Bytes sum;
        if ((crossbar.requested() & only(queue.output)) == 0) return sum;
        for_each_input(crossbar.requesting(queue), [&](InputIndex input) {
            sum += shard_.ingress(input).voq(queue.output, queue.priority).bytes();
        });
        return sum;
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
    if (sampler->is_due(active_, now)) QueueSample(*this, *sampler).take(now);
}

}  // namespace sluice
