#include "dataplane/ingress/ingress.h"

#include <algorithm>
#include <bit>

namespace sluice {

Ingress::Ingress(PortIndex self, std::size_t ports, const Surroundings& around)
    : self_(self), around_(around), voqs_(ports * max_priorities) {}

void Ingress::configure(const Settings& settings) {
    settings_ = settings.ports[self_];
    buffer_ = settings.buffer;
    quantum_ = settings.fabric.quantum;
    classifier_ = Classifier(settings_.classify);
    xoff_.configure(settings_.pfc.pause, settings_.speed);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (!lossless(priority)) xoff_.resume(priority);
    }
}

Drop Ingress::admit_lossy(const Voq& voq, Bytes charge, Account& account) const {
    const Bytes wanted = voq.bytes() + charge;
    if (wanted <= buffer_.reserved) {
        account = Account::reserved;
        return Drop::none;
    }
    account = Account::shared;
    const Bytes free = around_.pool.free(around_.worker);
    const bool fits =
        charge <= free && wanted <= buffer_.reserved + dynamic_threshold(buffer_.alpha_128, free);
    return fits ? Drop::none : Drop::over_threshold;
}

Drop Ingress::admit_lossless(Priority priority, Bytes charge, Account& account) const {
    const IngressGroup& group = groups_[priority];
    account = Account::shared;
    if (group.below_xoff(charge, settings_.pfc) && charge <= around_.pool.free(around_.worker)) {
        return Drop::none;
    }
    account = Account::headroom;
    return group.fits_headroom(charge, settings_.pfc) ? Drop::none : Drop::headroom_overrun;
}

Drop Ingress::admit(const Frame& frame, PortIndex output) {
    const Priority priority = frame.priority;
    Voq& queue = voq(output, priority);
    const Bytes charge = around_.pool.charge(frame.size());
    Account account = Account::shared;
    Drop why = lossless(priority) ? admit_lossless(priority, charge, account)
                                  : admit_lossy(queue, charge, account);
    if (why == Drop::none && !queue.push(frame, account, charge, around_.frames)) [[unlikely]] {
        why = account == Account::headroom ? Drop::headroom_overrun : Drop::over_threshold;
    }
    if (why == Drop::none) {
        if (account == Account::shared) around_.pool.take(around_.worker, charge);
        groups_[priority].charge(account, charge);
        around_.crossbar.request(around_.worker, self_, output, priority);
    } else {
        queue.count_dropped();
    }
    // A group that holds nothing has nothing to release, and would never be found at XON.
    if (account == Account::headroom && groups_[priority].occupancy().count() > 0) {
        xoff_.pause(priority);
    }
    return why;
}

Bytes Ingress::release(std::span<const Frame> frames) {
    const Priority priority = frames.front().priority;
    std::array<Bytes, 3> by_account;
    for (const Frame& frame : frames) {
        by_account[static_cast<std::size_t>(frame.account)] += around_.pool.charge(frame.size());
    }
    Bytes sum;
    for (const Account account : {Account::reserved, Account::shared, Account::headroom}) {
        const Bytes amount = by_account[static_cast<std::size_t>(account)];
        if (amount.count() == 0) continue;
        groups_[priority].release(account, amount);
        if (account == Account::shared) around_.pool.give(around_.worker, amount);
        sum += amount;
    }
    if ((xoff_.pausing() & only_priority(priority)) != 0 &&
        groups_[priority].at_xon(settings_.pfc)) {
        xoff_.resume(priority);
    }
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

std::size_t Ingress::flush(PortSet outputs, std::span<Frame> out) {
    std::size_t flushed = 0;
    for (; outputs != 0; outputs &= outputs - 1) {
        const auto output = static_cast<PortIndex>(std::countr_zero(outputs));
        for (Priority priority = 0; priority < max_priorities; ++priority) {
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
