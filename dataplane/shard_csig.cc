// A shard's update of the CSIG tags of frames that it sends (csig/csig_tag.h).
#include "dataplane/shard.h"

namespace sluice {

[[gnu::noinline]] void Shard::update_csig(PortIndex output, std::span<const Frame> burst,
                                          Nanos now) {
    check_owner_();
    CsigOutput& csig = csig_.output(output);
    PrioritySet priorities = 0;
    for (const Frame& frame : burst) priorities |= only_priority(frame.priority);
    for_each_priority(priorities, [&](Priority priority) {
        const EgressQueue& queue = egress_[output]->queue(priority);
        uint64_t waiting = queue.waiting();
        for (const Ingress* input : shared_.ingress) {
            waiting += input->voq(output, priority).waiting();
        }
        const Bytes depth = shared_.depth({output, priority}) + queue.bytes();
        csig.look(priority, {.left = queue.taken(), .waiting = waiting, .depth = depth}, now);
    });
    csig.update(burst);
}

}  // namespace sluice
