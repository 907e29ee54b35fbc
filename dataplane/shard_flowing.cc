// Outputs that flow (egress/egress.h): decides which outputs flow. At an output with a curve or a
// pause level, limits how much may bypass the VOQs, and which priorities may flow. With several
// workers, moves frames from VOQs to outputs that flow.
#include <algorithm>
#include <array>
#include <utility>

#include "dataplane/bypass.h"
#include "dataplane/egress/strict_priority.h"
#include "dataplane/shard.h"

namespace sluice {

void Shard::settle_outputs() {
    for_each_port(holding_ | std::exchange(to_settle_, 0), [&](PortIndex port) {
        Egress& egress = *egress_[port];
        const PrioritySet before = egress.flowing();
        egress.settle();
        held_ = egress.is_held() ? held_ | only(port) : held_ & ~only(port);
        if (egress.flowing() != before) offer(port);
    });
}

// Limits bypass to an output by its curves. Frames that other workers hand over are not counted
// before they arrive, so with several workers a priority with a curve may not flow.
void Shard::limit_bypass(PortIndex output, const Settings& settings) {
    const PortSettings& about = settings.ports[output];
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const LevelsOfDepth levels(about, priority);
        const Bytes most = most_charged_flowing(settings);
        if (levels.pause <= most || (!is_alone_ && levels.curve <= most)) {
            egress_[output]->hold(only_priority(priority));
        }
        if (levels.curve <= most) {
            egress_[output]->limit_bypass(priority, levels.curve, settings.buffer.cell);
        }
    }
}

// Moves the highest priority first, and within a priority begins with another input each time.
// Frames for outputs that do not flow are left to the arbiter, and so are frames that would
// overtake those of a grant that is under way.
[[gnu::noinline]] void Shard::move_to_flowing() {
    if (posted_ != 0) posted_ &= shared_.crossbar.lacking(issued_then_);
    ++first_input_;
    for_each_port(crossbar_.requested() & outputs() & ~posted_, [&](PortIndex output) {
        const bool own = (ports_ & only(output)) != 0;
        PrioritySet waiting = crossbar_.requested_for(output);
        while (waiting != 0) {
            const Priority priority = highest(waiting);
            while (move_to_flowing({output, priority}, own)) {
            }
            waiting = static_cast<PrioritySet>(waiting & ~only_priority(priority));
        }
    });
    publish();
}

// Moves up to a quantum of each input. Returns true if more frames may be left.
bool Shard::move_to_flowing(QueueKey path, bool own) {
    bool moved_any = false;
    const InputSet all = crossbar_.requesting(path);
    const InputSet later = all & first_ports(first_input_ % max_ports);
    for (const InputSet part : {all & ~later, later}) {
        for_each_input(part, [&](InputIndex input) {
            const bool flows =
                !own || (egress_[path.output]->flowing() & only_priority(path.priority)) != 0;
            const std::size_t places = !flows ? 0
                                       : own  ? egress_[path.output]->places(path.priority)
                                              : handoff_.places(path.output, path.priority);
            if (places == 0) return;
            std::array<Frame, max_transfer> room;
            const auto out = std::span(room).first(std::min(places, room.size()));
            const auto moved = out.first(move_from(input, path, out, quantum_));
            moved_any |= !moved.empty();
            if (own) return deliver(path.output, moved);
            for (const Frame& frame : moved) handoff_.put(frame, path.output);
        });
    }
    return moved_any && crossbar_.requesting(path) != 0;
}

}  // namespace sluice
