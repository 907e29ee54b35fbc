#include "dataplane/egress/egress.h"

#include <bit>
#include <ranges>

namespace sluice {

void Egress::configure(const PortSettings& settings, Bytes quantum) {
    quantum_ = quantum;
    scheduler_.configure(settings.scheduler);
    shaper_.configure(settings.rate);
    gate_.configure(settings.pfc.lossless, settings.speed);
    for (Priority priority = 0; priority < max_priorities; ++priority) update(priority);
}

void Egress::update(Priority priority) {
    const PrioritySet bit = only_priority(priority);
    const EgressQueue& queue = queues_[priority];
    backlog_ = static_cast<PrioritySet>(queue.empty() ? backlog_ & ~bit : backlog_ | bit);
    room_ = static_cast<PrioritySet>(queue.has_room(quantum_) ? room_ | bit : room_ & ~bit);
}

void Egress::push(std::span<const Frame> frames) {
    if (frames.empty()) return;
    const Priority priority = frames.front().priority;  // a transfer is of one VOQ
    queues_[priority].push(frames);
    update(priority);
}

std::size_t Egress::select(std::span<Frame> burst, Nanos now) {
    if (backlog_ == 0) return 0;
    shaper_.advance(now);
    paused_ = gate_.paused(now);
    if (scheduler_.takes_turns()) before_ = scheduler_;
    return choose(burst);
}

std::size_t Egress::choose(std::span<Frame> burst) {
    std::size_t count = 0;
    while (count < burst.size() && shaper_.open()) {
        const auto eligible = static_cast<PrioritySet>(backlog_ & ~paused_);
        if (eligible == 0) break;
        const Priority priority = scheduler_.next(
            eligible, backlog_, [this](Priority of) { return queues_[of].front().size(); });
        EgressQueue& queue = queues_[priority];
        if (scheduler_.is_strict(priority) && !shaper_.limits()) {
            count += queue.pop(burst.subspan(count));
        } else {
            burst[count] = queue.pop();
            shaper_.charge(burst[count++].size());
        }
        update(priority);
    }
    return count;
}

// A scheduler that takes turns is set back to where it was, and chooses what was sent once more:
// had it only been given back the frames, a device slower than the switch would bend the shares.
void Egress::put_back(std::span<const Frame> burst, std::size_t sent) {
    if (sent == burst.size()) return;
    const bool again = scheduler_.takes_turns();
    for (const Frame& frame : burst.subspan(again ? 0 : sent) | std::views::reverse) {
        queues_[frame.priority].unpop(frame);
        shaper_.refund(frame.size());
        update(frame.priority);
    }
    if (!again) return;
    scheduler_ = before_;
    std::array<Frame, max_burst> chosen;
    choose(std::span(chosen).first(sent));
}

std::size_t Egress::take_any(std::span<Frame> burst) {
    std::size_t count = 0;
    while (count < burst.size() && backlog_ != 0) {
        const Priority priority = highest(backlog_);
        count += queues_[priority].pop(burst.subspan(count));
        update(priority);
    }
    return count;
}

uint64_t Egress::waiting() const {
    uint64_t frames = 0;
    for (const EgressQueue& queue : queues_) frames += queue.waiting();
    return frames;
}

}  // namespace sluice
