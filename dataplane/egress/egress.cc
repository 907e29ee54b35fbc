#include "dataplane/egress/egress.h"

#include <cassert>
#include <ranges>
#include <utility>

namespace sluice {

void Egress::configure(const PortSettings& settings, Bytes quantum, uint8_t workers) {
    quantum_ = quantum;
    // With several workers a transfer may be under way. Bypassing frames leave room for that
    // transfer, so that workers that wait for a grant still get one.
    constexpr std::size_t capacity = EgressQueue::capacity;
    const std::size_t frames = workers > 1 ? capacity - max_transfer : capacity;
    const Bytes octets = workers > 1 ? quantum - Bytes(1) : quantum + quantum;
    most_bypassing_ = {{{octets, frames}, {no_limit, frames}}};
    const bool keeps_frames = settings.rate.count() > 0 || settings.pfc.by == PfcBy::queues ||
                              settings.flow_control == FlowControl::credit;
    may_flow_ = keeps_frames ? PrioritySet{0} : PrioritySet{0xFF};
    limited_ = 0;
    flowing_ &= may_flow_;
    scheduler_.configure(settings.scheduler);
    own_voq_backlog_ = awaited_ = 0;
    shaper_.configure(settings.rate);
    remarker_ = Remarker(settings.remark, settings.format);
    pfc_ = settings.pfc;
    held_ = settings.dcbx_held;
    gate_.configure(pfc_, settings.speed);
    watchdog_.configure(pfc_.watchdog, pfc_.link_pause ? PrioritySet{0xFF} : gate_.may_be_held());
    stall_watch_.configure(pfc_.watchdog);
    if (pfc_.trigger == PauseTrigger::ingress) congested_.store(0, std::memory_order_relaxed);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        update(priority);
        set_fast_limit(priority);
    }
}

void Egress::limit_bypass(Priority priority, Bytes level, Bytes cell) {
    limited_ |= only_priority(priority);
    bypass_limits_[priority] = level;
    cell_ = cell;
    set_fast_limit(priority);
}

void Egress::hold(PrioritySet priorities) {
    may_flow_ = static_cast<PrioritySet>(may_flow_ & ~priorities);
    set_flowing(flowing_ & may_flow_);
}

void Egress::settle() {
    const bool may_begin = was_sent_ && !was_refused_ && !on_credit_;
    was_sent_ = was_refused_ = false;
    assert(backlog_is_right());
    set_flowing(static_cast<PrioritySet>((may_begin ? may_flow_ : flowing_) & ~backlog_));
}

bool Egress::backlog_is_right() const {
    PrioritySet backlog = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (!queues_[priority].empty()) backlog |= only_priority(priority);
    }
    return backlog == backlog_;
}

void Egress::set_flowing(PrioritySet flowing) {
    assert((flowing & ~may_flow_) == 0);
    const auto changed = static_cast<PrioritySet>(flowing_ ^ flowing);
    flowing_ = flowing;
    for_each_priority(changed, [&](Priority priority) {
        update(priority);
        set_fast_limit(priority);
    });
}

// Sets the least of three limits: room for handed-over frames, the level for bypassing frames, and
// the limit of `limit_bypass` less a transfer of frames.
void Egress::set_fast_limit(Priority priority) {
    const Bytes most = most_bypassing_[flowing_ >> priority & 1U].bytes;
    Bytes octets = std::min(quantum_of(priority), most);
    if ((limited_ & only_priority(priority)) != 0) {
        const auto frames = static_cast<int64_t>(max_transfer);
        octets = std::min(octets, bypass_limits_[priority] - (cell_ - Bytes(1)) * frames);
    }
    queues_[priority].set_fast_limit(octets);
}

void Egress::update(Priority priority) {
    const PrioritySet bit = only_priority(priority);
    const EgressQueue& queue = queues_[priority];
    const Bytes quantum_now = quantum_of(priority);
    backlog_ = static_cast<PrioritySet>(queue.empty() ? backlog_ & ~bit : backlog_ | bit);
    room_ = static_cast<PrioritySet>(queue.has_room(quantum_now) ? room_ | bit : room_ & ~bit);
    room_for_handoff_ = static_cast<PrioritySet>(queue.level().has_room_for_handoff(quantum_now)
                                                     ? room_for_handoff_ | bit
                                                     : room_for_handoff_ & ~bit);
}

// The room for handed-over frames is the first that a growing queue exhausts.
inline void Egress::has_grown(Priority priority, const EgressQueue::Level& level) {
    backlog_ |= only_priority(priority);
    if (!level.has_room_for_handoff(quantum_of(priority))) update(priority);
}

void Egress::push(std::span<const Frame> frames) {
    if (frames.empty()) return;
    const Priority priority = frames.front().priority;  // all frames of a transfer are from one VOQ
    assert(std::ranges::all_of(frames, [&](const Frame& f) { return f.priority == priority; }));
    queues_[priority].push(frames);
    update(priority);
}

bool Egress::is_within_limit(Priority priority, const EgressQueue::Level& filled) const {
    const Bytes added = (cell_ - Bytes(1)) * static_cast<int64_t>(filled.frames);
    return filled.bytes + added < bypass_limits_[priority];
}

bool Egress::push_bypassing(const Frame& frame) {
    const Priority priority = frame.priority;
    EgressQueue& queue = queues_[priority];
    const EgressQueue::Level filled = queue.level().with(frame);
    if (!queue.is_below_fast_limit(filled)) [[unlikely]]
        return push_checked(frame, filled);
    queue.push_bypassing(frame, filled);
    backlog_ |= only_priority(priority);
    return true;
}

[[gnu::noinline]] bool Egress::push_checked(const Frame& frame, const EgressQueue::Level& filled) {
    const Priority priority = frame.priority;
    const EgressQueue::Level& most = most_bypassing_[flowing_ >> priority & 1U];
    if (filled.bytes > most.bytes || filled.frames > most.frames) return false;
    if ((limited_ & only_priority(priority)) != 0 && !is_within_limit(priority, filled))
        return false;
    queues_[priority].push_bypassing(frame, filled);
    has_grown(priority, filled);
    return true;
}

void Egress::push_handed_over(const Frame& frame) {
    const Priority priority = frame.priority;
    EgressQueue& queue = queues_[priority];
    const EgressQueue::Level filled = queue.level().with(frame);
    queue.push_handed_over(frame, filled);
    has_grown(priority, filled);
}

std::size_t Egress::select(std::span<Frame> burst, Nanos now) {
    assert(burst.size() <= max_burst);
    if (backlog_ == 0) return 0;
    shaper_.advance(now);
    paused_ = blocked(now);
    if (scheduler_.takes_turns()) {
        before_ = scheduler_;
        awaited_before_ = awaited_;
    }
    const std::size_t count = choose(burst);
    if (remarker_.is_on()) [[unlikely]]
        remarker_.write(burst.first(count));
    return count;
}

PrioritySet Egress::blocked(Nanos now) {
    const PrioritySet by_link = blocked_by_link_ | blocked_below_;
    if constexpr (!with_pfc) return by_link;
    return by_link | blocked_by_queue_ | paused(now);
}

PrioritySet Egress::paused(Nanos now) {
    if constexpr (!with_pfc) return 0;
    const PrioritySet paused = gate_.paused(now);
    if (paused == 0 || on_credit_) return held_;
    return static_cast<PrioritySet>(
        held_ | (paused & ~watchdog_.pfc_storms_under(WatchdogAction::forward)));
}

std::size_t Egress::choose(std::span<Frame> burst) {
    if (on_credit_) [[unlikely]]
        return choose_on_credit(burst);
    return choose_by<false>(burst);
}

[[gnu::noinline]] std::size_t Egress::choose_on_credit(std::span<Frame> burst) {
    return choose_by<true>(burst);
}

// Chooses frames for a burst. With credit they are chosen one by one, as the credit that a frame
// consumes affects the next choice.
template <bool credit>
std::size_t Egress::choose_by(std::span<Frame> burst) {
    const PrioritySet choice = take_choice();
    std::size_t count = 0;
    while (count < burst.size() && shaper_.open()) {
        auto eligible = static_cast<PrioritySet>(backlog_ & ~paused_ & choice);
        if constexpr (credit) eligible = static_cast<PrioritySet>(eligible & ~lacking_credit());
        if (eligible == 0) break;
        const Priority priority =
            scheduler_.next(eligible, backlog_ | own_voq_backlog_,
                            [this](Priority of) { return queues_[of].front().size(); });
        assert((eligible & only_priority(priority)) != 0);
        EgressQueue& queue = queues_[priority];
        if (!credit && scheduler_.is_strict(priority) && !shaper_.limits()) {
            count += queue.pop(burst.subspan(count));
        } else {
            burst[count] = queue.pop();
            if constexpr (credit) credit_->consume(priority, burst[count].size());
            shaper_.charge(burst[count++].size());
        }
        update(priority);
        if (note_empty(priority)) break;
    }
    return count;
}

PrioritySet Egress::take_choice() {
    const bool waits = (std::exchange(awaited_, 0) & ~backlog_) != 0;
    return waits ? scheduler_.strict() : PrioritySet{0xFF};
}

bool Egress::note_empty(Priority priority) {
    awaited_ = static_cast<PrioritySet>(only_priority(priority) & own_voq_backlog_ & ~backlog_ &
                                        ~scheduler_.strict());
    return awaited_ != 0;
}

PrioritySet Egress::lacking_credit() const {
    PrioritySet lacking = 0;
    if (!on_credit_) return lacking;
    for_each_priority(backlog_, [&](Priority priority) {
        if (credit_->covers(priority, queues_[priority].front().size())) return;
        lacking |= only_priority(priority);
    });
    return lacking;
}

// A scheduler that takes turns is restored to its state before the choice, and chooses the sent
// frames once more. Without that, a device slower than the switch would distort the shares.
void Egress::put_back(std::span<const Frame> burst, std::size_t sent) {
    assert(sent <= burst.size() && burst.size() <= max_burst);
    was_sent_ |= sent > 0;
    if (sent == burst.size()) return;
    was_refused_ = true;
    set_flowing(0);
    const bool again = scheduler_.takes_turns();
    for (const Frame& frame : burst.subspan(again ? 0 : sent) | std::views::reverse) {
        queues_[frame.priority].unpop(frame);
        shaper_.refund(frame.size());
        if (on_credit_) [[unlikely]]
            credit_->refund(frame.priority, frame.size());
        update(frame.priority);
    }
    if (!again) return;
    scheduler_ = before_;
    awaited_ = awaited_before_;
    if (sent == 0) return;
    std::array<Frame, max_burst> chosen;
    [[maybe_unused]] const std::size_t count = choose(std::span(chosen).first(sent));
    assert(count == sent);
    assert(std::ranges::equal(burst.first(sent), std::span(chosen).first(sent), {}, &Frame::handle,
                              &Frame::handle));
}

std::size_t Egress::take_any(PrioritySet priorities, std::span<Frame> burst) {
    std::size_t count = 0;
    while (count < burst.size() && (backlog_ & priorities) != 0) {
        const Priority priority = highest(backlog_ & priorities);
        count += queues_[priority].pop(burst.subspan(count));
        update(priority);
    }
    return count;
}

std::size_t Egress::take_but_first(PrioritySet priorities, PrioritySet kept,
                                   std::span<Frame> burst) {
    std::size_t count = take_any(static_cast<PrioritySet>(priorities & ~kept), burst);
    for_each_priority(backlog_ & priorities & kept, [&](Priority priority) {
        EgressQueue& queue = queues_[priority];
        const Frame first = queue.pop();
        count += queue.pop(burst.subspan(count));
        queue.unpop(first);
        update(priority);
    });
    return count;
}

// If the device refuses frames of a queue, only sent frames show that the peer has resumed the
// queue. A relayed pause blocks no queue here, so only uninterrupted pauses are detected.
void Egress::watch(const Seen& seen, Nanos now) {
    if (now >= stall_watch_.next_check()) look_for_stall(seen, now);
    if (now < watchdog_.next_check()) return;
    const PrioritySet refused = queue_backpressure_.refused();
    PauseRelay& relay = gate_.relay();
    const PrioritySet relayed = relay.asked(now);
    const PrioritySet obeyed = on_credit_ ? PrioritySet{0} : gate_.paused(now);
    const PrioritySet paused = obeyed | refused | relayed;
    const auto resumed = static_cast<PrioritySet>((gate_.take_resumed(now) & ~refused & ~relayed) |
                                                  relay.take_breaks());
    const auto waits = static_cast<PrioritySet>(backlog_ | seen.voq_backlog | relayed | beside_);
    QueueStates states;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const PrioritySet bit = only_priority(priority);
        const bool is_relayed = (relayed & bit) != 0;
        states[priority] = {.backlogged = (waits & bit) != 0,
                            .paused = (paused & bit) != 0,
                            .sent = is_relayed ? 0 : queues_[priority].taken(),
                            .xoffs_received = gate_.xoffs_received(priority) +
                                              queue_backpressure_.refusals(priority) +
                                              relay.pauses(priority),
                            .resumed = (resumed & bit) != 0};
    }
    watchdog_.look(states, now);
}

// Frames that a shaper holds are not offered to the device. With transmit queues by priority a full
// queue counts as paused.
void Egress::look_for_stall(const Seen& seen, Nanos now) {
    OutputState state{.taken = seen.gone};
    shaper_.advance(now);
    if (seen.offers && shaper_.open()) {
        const PrioritySet held = blocked(now) | queue_backpressure_.refused() | lacking_credit();
        state.offered = static_cast<PrioritySet>(backlog_ & ~held);
    }
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        state.xoffs[priority] = gate_.xoffs_received(priority);
    }
    stall_watch_.look(state, now);
}

void Egress::detect_congestion(const std::array<Bytes, max_priorities>& depths, Bytes xoff,
                               Bytes xon) {
    PrioritySet congested = congested_.load(std::memory_order_relaxed);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const PrioritySet bit = only_priority(priority);
        if (depths[priority] >= xoff && depths[priority].count() > 0) congested |= bit;
        if (depths[priority] <= xon) congested = static_cast<PrioritySet>(congested & ~bit);
    }
    congested_.store(congested & pfc_.lossless, std::memory_order_relaxed);
}

uint64_t Egress::waiting() const {
    uint64_t frames = 0;
    for (const EgressQueue& queue : queues_) frames += queue.waiting();
    return frames;
}

}  // namespace sluice
