#include "dataplane/pfc/pause_sender.h"

#include <cassert>

namespace sluice {

PauseFrame PauseSender::frame() const {
    PauseFrame pause;
    const PrioritySet carried = next();
    pause.enabled = static_cast<PrioritySet>(carried | (announced() & ~pausing()));
    pause.relays = (carried & relayed_) != 0 ? relays_ : uint8_t{0};
    if (bits_.sent != PauseBits::own_numbers) return to_bits(pause, bits_, pausing(), pause_);
    for_each_priority(carried, [&](Priority priority) {
        pause.time[priority] = static_cast<uint16_t>(pause_.count());
    });
    return pause;
}

// Changes that were not sent to the peer yet come first.
PrioritySet PauseSender::next() const {
    const auto unannounced = static_cast<PrioritySet>(pausing() & ~announced());
    const auto due = static_cast<PrioritySet>(left_ == 0 ? pausing() : left_ | unannounced);
    const PrioritySet first = unannounced != 0 ? unannounced : due;
    return static_cast<PrioritySet>((first & ~relayed_) != 0 ? due & ~relayed_ : due & relayed_);
}

void PauseSender::sent(Nanos now) {
    const PrioritySet carried = next();
    for_each_priority(carried, [&](Priority priority) { xoffs_[priority].add(1); });
    for_each_priority(static_cast<PrioritySet>(announced() & ~pausing()),
                      [&](Priority priority) { xons_[priority].add(1); });
    announce(now, carried);
}

void PauseSender::stop_queues(Nanos now) {
    for_each_priority(static_cast<PrioritySet>(pausing() & ~announced()),
                      [&](Priority priority) { stops_[priority].add(1); });
    announce(now, pausing());
}

void PauseSender::announce(Nanos now, PrioritySet carried) {
    assert((carried & ~pausing()) == 0 && "an XOFF goes only while there is a reason");
    const auto begins = static_cast<PrioritySet>(carried & ~announced());
    const auto ends = static_cast<PrioritySet>(announced() & ~pausing());
    for_each_priority(begins, [&](Priority priority) { history_[priority].begin(now); });
    for_each_priority(ends, [&](Priority priority) { history_[priority].end(now); });
    if ((begins | ends) != 0) changed_at_ = now;
    if (left_ == 0) {
        sent_at_ = now;
        left_ = pausing();
    }
    left_ = static_cast<PrioritySet>(left_ & ~carried);
    announced_.store(static_cast<PrioritySet>((announced() & ~ends) | carried),
                     std::memory_order_relaxed);
    assert((announced() & ~pausing()) == 0);
}

}  // namespace sluice
