#include "dataplane/ingress/ingress.h"

#include <algorithm>
#include <bit>

namespace sluice {

Ingress::Ingress(PortIndex self, std::size_t ports, const Surroundings& around)
    : self_(self), around_(around), voqs_(ports * max_priorities), paths_(ports * max_priorities) {}

void Ingress::configure(const Settings& settings) {
    settings_ = settings.ports[self_];
    buffer_ = settings.buffer;
    quantum_ = settings.fabric.quantum;
    classifier_ = Classifier(settings_.classify);
    xoff_.configure(settings_.pfc.pause, settings_.speed, settings_.pfc.tx_limit);
    pressed_ = 0;  // outputs that still decide will say so again
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        PortSet outputs = 0;
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            const PrioritySet both = settings_.pfc.lossless & settings.ports[port].pfc.lossless;
            if ((both & only_priority(priority)) != 0) outputs |= only(port);
        }
        lossless_outputs_[priority] = outputs;
        if (outputs == 0) xoff_.resume(priority);
        consider_xon(priority);  // levels may be others
    }
}

Drop Ingress::admit_lossy(const Voq& voq, Bytes charge, Account& account) const {
    const Bytes wanted = voq.bytes() + charge;
    if (wanted <= buffer_.reserved) {
        account = Account::voq_reserved;
        return Drop::none;
    }
    account = Account::voq_shared;
    const bool fits = charge <= free() &&
                      wanted <= buffer_.reserved + dynamic_threshold(buffer_.alpha_128, free());
    return fits ? Drop::none : Drop::over_threshold;
}

Drop Ingress::admit_lossless(Priority priority, Bytes charge, Account& account) const {
    const IngressGroup& group = groups_[priority];
    const PfcSettings& pfc = settings_.pfc;
    account = group.fits_reserve(charge, pfc) ? Account::group_reserved : Account::group_shared;
    if (!xoff_.pausing(priority) || group.fits_below_xoff(charge, pfc, free())) return Drop::none;
    account = Account::headroom;
    return group.fits_headroom(charge, pfc) ? Drop::none : Drop::headroom_overrun;
}

Drop Ingress::admit(const Frame& frame, PortIndex output) {
    const Priority priority = frame.priority;
    Voq& queue = voq(output, priority);
    const Bytes charge = around_.pool.charge(frame.size());
    const bool is_lossless = lossless(priority, output);
    Account account = Account::voq_shared;
    Drop why = is_lossless ? admit_lossless(priority, charge, account)
                           : admit_lossy(queue, charge, account);
    if (why == Drop::none && !queue.push(frame, account, charge, around_.frames)) [[unlikely]] {
        why = is_lossless ? Drop::headroom_overrun : Drop::over_threshold;
    }
    if (why != Drop::none) {
        queue.count_dropped();
        return why;
    }
    if (is_shared(account)) around_.pool.take(around_.worker, charge);
    groups_[priority].charge(account, charge);
    around_.crossbar.request(around_.worker, self_, output, priority);
    if (is_lossless && groups_[priority].at_xoff(settings_.pfc, free())) start_pause(priority);
    return Drop::none;
}

// The output that most of the group waits for is to blame.
void Ingress::start_pause(Priority priority) {
    if (xoff_.pausing(priority)) return;
    xoff_.pause(priority);
    Grant worst{0, priority};
    const auto ports = static_cast<PortIndex>(voqs_.size() / max_priorities);
    for (PortIndex output = 1; output < ports; ++output) {
        const bool deeper = voq(output, priority).bytes() > voq(worst.output, priority).bytes();
        if (deeper && lossless(priority, output)) worst.output = output;
    }
    about(worst).blamed.add(1);
}

void Ingress::consider_xon(Priority priority) {
    if (!xoff_.pausing(priority) || (pressed_ & only_priority(priority)) != 0) return;
    if (groups_[priority].at_xon(settings_.pfc, free())) xoff_.resume(priority);
}

Bytes Ingress::release(std::span<const Frame> frames) {
    const Priority priority = frames.front().priority;
    std::array<Bytes, accounts> by_account;
    for (const Frame& frame : frames) {
        by_account[static_cast<std::size_t>(frame.account)] += around_.pool.charge(frame.size());
    }
    Bytes sum;
    for (std::size_t at = 0; at < accounts; ++at) {
        const auto account = static_cast<Account>(at);
        const Bytes amount = by_account[at];
        if (amount.count() == 0) continue;
        groups_[priority].release(account, amount);
        if (is_shared(account)) around_.pool.give(around_.worker, amount);
        sum += amount;
    }
    if constexpr (with_pfc) consider_xon(priority);
    return sum;
}

std::size_t Ingress::move(Grant grant, std::span<Frame, max_transfer> out) {
    Voq& queue = voq(grant.output, grant.priority);
    std::size_t moved = 0;
    Bytes octets;
    while (moved < out.size() && octets < quantum_ && !queue.empty()) {
        const std::span<const Frame> front = queue.front(around_.frames);
        const std::size_t from = moved;
        for (const Frame& frame : front) {
            if (moved == out.size() || octets >= quantum_) break;
            octets += frame.size();
            out[moved++] = frame;
        }
        const auto taken = out.subspan(from, moved - from);
        queue.pop(taken.size(), release(taken), around_.frames);
    }
    if (moved > 0 && queue.empty()) {
        around_.crossbar.withdraw(around_.worker, self_, grant.output, grant.priority);
    }
    return moved;
}

std::size_t Ingress::flush(PortSet outputs, PrioritySet priorities, std::span<Frame> out) {
    std::size_t flushed = 0;
    for (; outputs != 0; outputs &= outputs - 1) {
        const auto output = static_cast<PortIndex>(std::countr_zero(outputs));
        for (PrioritySet left = priorities; left != 0; left &= left - 1) {
            const auto priority = static_cast<Priority>(std::countr_zero(left));
            Voq& queue = voq(output, priority);
            while (!queue.empty()) {
                if (flushed == out.size()) return flushed;
                const std::span<const Frame> front = queue.front(around_.frames);
                const std::size_t count = std::min(front.size(), out.size() - flushed);
                const auto taken = out.subspan(flushed, count);
                std::ranges::copy(front.first(count), taken.begin());
                queue.flush(count, release(taken), around_.frames);
                flushed += count;
                if (queue.empty()) {
                    around_.crossbar.withdraw(around_.worker, self_, output, priority);
                }
            }
        }
    }
    return flushed;
}

}  // namespace sluice
