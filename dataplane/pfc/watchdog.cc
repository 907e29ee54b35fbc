#include "dataplane/pfc/watchdog.h"

#include <algorithm>
#include <cassert>

namespace sluice {
namespace {

// A storm that begins within this many restoration times after the last one counts as a return.
constexpr int64_t soon = 10;

}  // namespace

void Watchdog::configure(const WatchdogSettings& settings, PrioritySet watched) {
    const bool is_on = settings.action != WatchdogAction::off && watched != 0;
    const PrioritySet kept = is_on ? watched : PrioritySet{0};
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool left_alone = (pfc_storms() & ~kept & only_priority(priority)) != 0;
        if (left_alone) restore(priority, looked_at_);
    }
    settings_ = settings;
    for (Queue& queue : queues_) {
        set_restoration(queue, queue.returns.load(std::memory_order_relaxed));
    }
    action_.store(settings.action, std::memory_order_relaxed);
    watched_.store(kept, std::memory_order_relaxed);
    next_check_ = is_on ? Nanos(0) : never;
}

void Watchdog::look(const QueueStates& states, Nanos now) {
    assert(now >= looked_at_);
    looked_at_ = now;
    next_check_ = now + settings_.poll;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const PrioritySet bit = only_priority(priority);
        if ((watched() & bit) == 0) continue;
        if ((pfc_storms() & bit) != 0) {
            look_for_restore(priority, states[priority], now);
        } else {
            look_for_storm(priority, states[priority], now);
        }
        queues_[priority].seen = states[priority];
    }
}

void Watchdog::look_for_storm(Priority priority, const QueueState& state, Nanos now) {
    Queue& queue = queues_[priority];
    assert((pfc_storms() & only_priority(priority)) == 0);
    const bool held =
        state.backlogged && state.paused && !state.resumed && state.sent == queue.seen.sent;
    if (!held || !queue.seen.backlogged || !queue.seen.paused) queue.held_since = now;
    if (!held || now - queue.held_since < settings_.detection) return;

    const Nanos between = queue.held_since - queue.restored_at;
    const bool returned =
        queue.restored.value() > 0 && between <= settings_.restoration * soon + settings_.poll;
    const uint32_t before = queue.returns.load(std::memory_order_relaxed);
    set_restoration(queue, returned ? before + 1 : 0);
    queue.clear_since = now;
    queue.detected.add(1);
    queue.history.begin(now);
    pfc_storms_.store(pfc_storms() | only_priority(priority), std::memory_order_relaxed);
}

void Watchdog::look_for_restore(Priority priority, const QueueState& state, Nanos now) {
    Queue& queue = queues_[priority];
    const bool pauses =
        state.paused || queue.seen.paused || state.xoffs_received != queue.seen.xoffs_received;
    if (pauses) queue.clear_since = now;
    if (now - queue.clear_since >= restores_after(priority)) restore(priority, now);
}

void Watchdog::set_restoration(Queue& queue, uint32_t returns) const {
    Nanos after = settings_.restoration;
    for (uint32_t step = 0; step < returns && after < settings_.longest_restoration; ++step) {
        after = std::min(after * 2, settings_.longest_restoration);
    }
    queue.returns.store(returns, std::memory_order_relaxed);
    queue.restores_after.store(after.count(), std::memory_order_relaxed);
}

void Watchdog::restore(Priority priority, Nanos now) {
    assert((pfc_storms() & only_priority(priority)) != 0);
    Queue& queue = queues_[priority];
    queue.restored.add(1);
    queue.restored_at = queue.held_since = now;
    queue.history.end(now);
    const auto left = static_cast<PrioritySet>(pfc_storms() & ~only_priority(priority));
    pfc_storms_.store(left, std::memory_order_relaxed);
}

}  // namespace sluice
