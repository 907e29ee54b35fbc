#include "dataplane/ingress/ingress.h"

#include <cassert>
#include <utility>

namespace sluice {

Ingress::Ingress(InputIndex self, std::size_t outputs, const Shared& shared)
    : self_(self),
      port_(self.number),
      shared_(shared),
      voqs_(outputs * max_priorities),
      paths_(outputs * max_priorities),
      bypassed_(outputs * max_priorities) {
    for (auto& cause : last_causes_) cause.store(max_ports, std::memory_order_relaxed);
}

void Ingress::become_lane(PortIndex port, std::vector<const Ingress*> others) {
    assert(others_.empty() && !others.empty());
    port_ = port;
    others_ = std::move(others);
    others_backlogs_.resize(voqs_.size());
    for (const Ingress* other : others_) storm_control_.add_lane(other->storm_control_);
}

void Ingress::configure(const Settings& settings) {
    settings_ = settings.ports[port_];
    storm_control_.configure(settings_.storm_control);
    buffer_ = settings.buffer;
    classifier_ = Classifier(settings_.classify, settings_.format);
    format_ = Format(settings_.format);
    if (settings_.pfc.by != PfcBy::frames) {
        pause_sender_.configure_without_frames();
    } else {
        pause_sender_.configure(settings_.pfc.pause, settings_.speed, settings_.pfc.tx_limit,
                                settings_.pfc.bits);
    }
    const bool judges = settings_.pfc.by == PfcBy::frames && !has_others();
    obedience_.configure(judges ? settings_.pfc.obeyed_within : Nanos(0),
                         settings_.pfc.obedience_patience);
    paused_for_ = 0;  // the next `pause_for` adds the priorities of congested outputs again
    lossless_ = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        PortSet outputs = 0;
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            const PrioritySet both = settings_.pfc.lossless & settings.ports[port].pfc.lossless;
            if ((both & only_priority(priority)) != 0) outputs |= only(port);
        }
        outputs &= ~mirrored_to(settings.mirrors);
        lossless_outputs_[priority] = outputs;
        if (outputs != 0) lossless_ |= only_priority(priority);
    }
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        trimmed_[port] = settings.ports[port].trim.priorities;
    }
    request_pauses(requested_pauses() & lossless_);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        consider_xon(priority);  // levels may have changed
    }
}

Drop Ingress::admit_lossy(const Voq& voq, Bytes charge, Account& account) {
    Bytes wanted = voq.bytes() + charge;
    if (wanted <= buffer_.reserved) {
        account = Account::voq_reserved;
        return Drop::none;
    }
    account = Account::voq_shared;
    if (has_others()) [[unlikely]]
        wanted += in_others(voq);
    const Bytes unused = free();
    const bool fits = charge <= unused &&
                      wanted <= buffer_.reserved + dynamic_threshold(buffer_.alpha_128, unused);
    return fits ? Drop::none : Drop::over_threshold;
}

Drop Ingress::admit_lossless(Priority priority, Bytes charge,
                             IngressPriorityGroup::Part& part) const {
    using Part = IngressPriorityGroup::Part;
    const IngressPriorityGroup& group = groups_[priority];
    const PfcSettings& pfc = settings_.pfc;
    part = group.fits_reserve(charge, pfc) ? Part::reserve : Part::pool;
    if (by_credit_) [[unlikely]]
        return part == Part::reserve ? Drop::none : admit_on_credit(priority, charge, part);
    if (!pause_sender_.pauses_itself(priority) || group.fits_below_xoff(charge, pfc, free()))
        return Drop::none;
    part = Part::headroom;
    if (group.fits_headroom(charge, pfc)) return Drop::none;
    part = Part::pool;
    return fits_advertised(priority, charge) ? Drop::none : Drop::headroom_overrun;
}

[[gnu::noinline]] bool Ingress::fits_advertised(Priority priority, Bytes charge) const {
    const IngressPriorityGroup& group = groups_[priority];
    const Bytes held = group.used_by_all_lanes() + group.headroom_of_all_lanes();
    return held + charge <= advertised_ && charge <= free();
}

// With credit the headroom is part of the peer's buffer. When credit ends, a group that uses its
// headroom is paused until the headroom is empty, since pauses need an empty headroom.
void Ingress::go_by_credit(bool by_credit) {
    by_credit_ = by_credit;
    if (by_credit) return request_pauses(0);
    for_each_priority(lossless_, [&](Priority priority) {
        if (groups_[priority].headroom_of_all_lanes().count() > 0)
            start_pause(priority, deepest(priority));
    });
}

[[gnu::noinline]] Drop Ingress::admit_on_credit(Priority priority, Bytes charge,
                                                IngressPriorityGroup::Part& part) const {
    if (groups_[priority].fits_headroom(charge, settings_.pfc)) {
        part = IngressPriorityGroup::Part::headroom;
        return Drop::none;
    }
    const Bytes unused = free();
    const Bytes most = settings_.pfc.reserved + dynamic_threshold(buffer_.alpha_128, unused);
    const bool fits = charge <= unused && groups_[priority].used_by_all_lanes() + charge <= most;
    return fits || fits_advertised(priority, charge) ? Drop::none : Drop::no_credit;
}

[[gnu::noinline]] PrioritySet Ingress::would_admit(Bytes octets) const {
    const Bytes left = free() - octets;
    const bool fits_lossy = octets <= buffer_.reserved + dynamic_threshold(buffer_.alpha_128, left);
    if (left.count() < 0 || !fits_lossy) return 0;
    auto admitted = static_cast<PrioritySet>(~lossless_);
    for_each_priority(lossless_, [&](Priority priority) {
        if (pause_sender_.pauses_itself(priority)) return;
        if (groups_[priority].at_xoff(settings_.pfc, left, octets)) return;
        admitted |= only_priority(priority);
    });
    return admitted;
}

Admission Ingress::admission(QueueKey path) {
    const Voq& queue = voq(path.output, path.priority);
    const IngressPriorityGroup& group = groups_[path.priority];
    const Bytes in_all_lanes = queue.bytes() + (has_others() ? in_others(queue) : Bytes(0));
    return {.lossless = lossless(path.priority, path.output),
            .frames = queue.waiting(),
            .queue = in_all_lanes,
            .threshold = buffer_.reserved + dynamic_threshold(buffer_.alpha_128, free()),
            .free = free(),
            .group = group.used_by_all_lanes(),
            .xoff = xoff_level(settings_.pfc, free()),
            .headroom = group.headroom_of_all_lanes(),
            .headroom_size = settings_.pfc.headroom,
            .pausing = pause_sender_.pauses_itself(path.priority),
            .by_credit = by_credit_};
}

// `admit` is not inlined, so that the loop over frames that bypass keeps its values in registers.
[[gnu::noinline, gnu::flatten]] Drop Ingress::admit(const Frame& frame, PortIndex output) {
    const Priority priority = frame.priority;
    Voq& queue = voq(output, priority);
    const Bytes charge = shared_.pool.charge(frame.size());
    const bool is_lossless = lossless(priority, output);
    Account account = Account::group;
    IngressPriorityGroup::Part part = IngressPriorityGroup::Part::pool;
    Drop why =
        is_lossless ? admit_lossless(priority, charge, part) : admit_lossy(queue, charge, account);
    if (why == Drop::none && !queue.push(frame, account, charge, shared_.frames)) [[unlikely]] {
        why = Drop::no_queue_entry;
    }
    if (why != Drop::none) {
        if (why != Drop::over_threshold || !trims({output, priority})) [[likely]]
            count_dropped({output, priority});
        if (why == Drop::headroom_overrun) obedience_.arrived(priority);
        return why;
    }
    IngressPriorityGroup& group = groups_[priority];
    const bool shared =
        is_lossless ? part == IngressPriorityGroup::Part::pool : account == Account::voq_shared;
    if (shared) shared_.pool.take(charge);
    if (is_lossless) {
        group.charge(part, charge);
        if (pause_sender_.pauses_itself(priority)) {
            obedience_.arrived(priority);
        } else if (group.at_xoff(settings_.pfc, free())) [[unlikely]] {
            if (!by_credit_) start_pause(priority, deepest(priority));
        }
    } else {
        group.charge_lossy(charge);
    }
    shared_.crossbar.request(self_, output, priority);
    return Drop::none;
}

void Ingress::pause_frame_sent(Nanos now) {
    const PrioritySet before = pause_sender_.announced();
    pause_sender_.sent(now);
    const PrioritySet after = pause_sender_.announced();
    obedience_.resumed(static_cast<PrioritySet>(before & ~after));
    obedience_.paused(static_cast<PrioritySet>(after & ~before), now);
}

[[gnu::noinline]] void Ingress::judge_peer(bool emptied, Nanos now) {
    if (obedience_.judge(emptied, now) != 0) pause_sender_.repeat();
}

// Returns the output with the longest VOQ of the group.
[[gnu::noinline]] PortIndex Ingress::deepest(Priority priority) const {
    PortIndex worst = 0;
    Bytes depth{-1};
    for_each_port(lossless_outputs_[priority], [&](PortIndex output) {
        if (voq(output, priority).bytes() <= depth) return;
        worst = output;
        depth = voq(output, priority).bytes();
    });
    return worst;
}

[[gnu::noinline]] void Ingress::start_pause(Priority priority, PortIndex because_of) {
    assert(!by_credit_ && lossless(priority, because_of));
    if (!pause_sender_.pauses_itself(priority)) {
        about({because_of, priority}).pauses_caused.add(1);
        last_causes_[priority].store(because_of, std::memory_order_relaxed);
    }
    request_pauses(requested_pauses() | only_priority(priority));
}

void Ingress::consider_xon(Priority priority) {
    const PrioritySet bit = only_priority(priority);
    if ((requested_pauses() & ~paused_for_ & bit) == 0) return;
    if (has_others()) [[unlikely]]
        look_at_others(priority);
    const bool is_over = groups_[priority].at_xon(settings_.pfc, free());
    if (is_over) request_pauses(static_cast<PrioritySet>(requested_pauses() & ~bit));
}

PrioritySet Ingress::stopped_queues(std::size_t burst) const {
    const PrioritySet stopped = pause_sender_.pausing();
    const Bytes longest = shared_.pool.charge(settings_.max_frame + Bytes(tag_octets));
    const Bytes most = longest * static_cast<int64_t>(burst);
    bool overflows = false;
    for_each_priority(stopped, [&](Priority priority) {
        overflows |= settings_.pfc.headroom - groups_[priority].headroom_of_all_lanes() < most;
    });
    const bool all = overflows || (settings_.pfc.by == PfcBy::ring && stopped != 0);
    return all ? PrioritySet{0xFF} : stopped;
}

// --- with other lanes ---

void Ingress::request_pauses(PrioritySet priorities) {
    assert((priorities & ~lossless_) == 0);
    requested_pauses_.store(priorities, std::memory_order_relaxed);
    pause_sender_.pause_only(requested_by_all_lanes());
}

PrioritySet Ingress::requested_by_all_lanes() const {
    PrioritySet all = requested_pauses();
    for (const Ingress* other : others_) all |= other->requested_pauses();
    return all;
}

[[gnu::noinline]] void Ingress::look_at_others() {
    ++look_;
    for_each_priority(lossless_, [&](Priority priority) { look_at_others(priority); });
    pause_sender_.pause_only(requested_by_all_lanes());
}

void Ingress::look_at_others(Priority priority) {
    groups_[priority].forget_others();
    for (const Ingress* other : others_) groups_[priority].see(other->groups_[priority]);
}

[[gnu::noinline]] Bytes Ingress::in_others(const Voq& voq) {
    const auto at = static_cast<std::size_t>(&voq - voqs_.data());
    assert(at < others_backlogs_.size());
    OthersBacklog& known = others_backlogs_[at];
    if (known.look != look_) {
        known = {.look = look_, .bytes = Bytes(0)};
        for (const Ingress* other : others_) known.bytes += other->voqs_[at].bytes();
    }
    return known.bytes;
}

// --- frames that leave ---

Bytes Ingress::release(std::span<const Frame> frames) {
    assert(!frames.empty());
    const Priority priority = frames.front().priority;
    Bytes all;
    Bytes lossless;
    Bytes to_pool;
    for (const Frame& frame : frames) {
        assert(frame.priority == priority && frame.account <= Account::group);
        const Bytes charge = shared_.pool.charge(frame.size());
        all += charge;
        lossless += frame.account == Account::group ? charge : Bytes(0);
        to_pool += frame.account == Account::voq_shared ? charge : Bytes(0);
    }
    IngressPriorityGroup& group = groups_[priority];
    const Bytes lossy = all - lossless;
    if (lossy.count() > 0) group.release_lossy(lossy);
    if (lossless.count() > 0) to_pool += group.release(lossless);
    if (to_pool.count() > 0) shared_.pool.give(to_pool);
    if constexpr (with_pfc) consider_xon(priority);
    return all;
}

std::size_t Ingress::take(QueueKey path, std::span<Frame> out, Bytes quantum) {
    Voq& queue = voq(path.output, path.priority);
    return account_for(path, out.first(queue.take(out, quantum, shared_.frames)));
}

std::size_t Ingress::account_for(QueueKey path, std::span<Frame> taken) {
    if (taken.empty()) return 0;
    Voq& queue = voq(path.output, path.priority);
    assert(taken.front().priority == path.priority);
    queue.discharge(release(taken));
    assert((!queue.empty() || queue.bytes().count() == 0) && "an empty queue is charged nothing");
    if (queue.empty()) shared_.crossbar.withdraw(self_, path.output, path.priority);
    return taken.size();
}

std::size_t Ingress::move(QueueKey path, std::span<Frame> out, Bytes quantum) {
    return take(path, out, quantum);
}

std::size_t Ingress::flush(PortSet outputs, PrioritySet priorities, std::span<Frame> out) {
    std::size_t flushed = 0;
    for_each_port(outputs, [&](PortIndex output) {
        for_each_priority(priorities, [&](Priority priority) {
            const std::size_t count = take({output, priority}, out.subspan(flushed), no_limit);
            if (count > 0) about({output, priority}).flushed.add(count);
            flushed += count;
        });
    });
    return flushed;
}

std::size_t Ingress::flush_copies(PortIndex output, std::span<Frame> out) {
    std::size_t flushed = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const std::span<Frame> room = out.subspan(flushed);
        Voq& queue = voq(output, priority);
        const std::size_t count =
            account_for({output, priority}, room.first(queue.take_copies(room, shared_.frames)));
        if (count > 0) about({output, priority}).flushed.add(count);
        flushed += count;
    }
    return flushed;
}

}  // namespace sluice
