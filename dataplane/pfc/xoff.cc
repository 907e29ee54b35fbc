#include "dataplane/pfc/xoff.h"

namespace sluice {

PauseFrame Xoff::frame() const {
    PauseFrame pause;
    pause.enabled = announced() | pausing();
    pause.relays = relayed_ != 0 ? relays_ : uint8_t{0};
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool paused = (pausing() & only_priority(priority)) != 0;
        pause.time[priority] = paused ? static_cast<uint16_t>(pause_.count()) : uint16_t{0};
    }
    return pause;
}

void Xoff::sent(Nanos now) {
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const PrioritySet bit = only_priority(priority);
        if ((pausing() & bit) != 0) {
            xoffs_[priority].add(1);
        } else if ((announced() & bit) != 0) {
            xons_[priority].add(1);
        }
    }
    announce(now);
}

void Xoff::stop_queues(Nanos now) {
    for_each_priority(static_cast<PrioritySet>(pausing() & ~announced()),
                      [&](Priority priority) { stops_[priority].add(1); });
    announce(now);
}

void Xoff::announce(Nanos now) {
    for_each_priority(static_cast<PrioritySet>(pausing() & ~announced()),
                      [&](Priority priority) { history_[priority].begin(now); });
    for_each_priority(static_cast<PrioritySet>(announced() & ~pausing()),
                      [&](Priority priority) { history_[priority].end(now); });
    if (is_pending()) changed_at_ = now;
    announced_.store(pausing(), std::memory_order_relaxed);
    sent_at_ = now;
}

}  // namespace sluice
