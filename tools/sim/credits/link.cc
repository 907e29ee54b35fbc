#include "tools/sim/credits/link.h"

#include <algorithm>
#include <cassert>

namespace sluice::sim {

namespace {

bool within(const std::vector<SlotWindow>& windows, uint64_t slot) {
    return std::ranges::any_of(windows, [slot](const SlotWindow& window) {
        return slot >= window.from && slot < window.until;
    });
}

}  // namespace

Link::Link(const LinkSettings& settings)
    : settings_(settings),
      forth_(settings.delay),
      back_(settings.delay + (settings.control == LinkControl::xon_xoff ? settings.reaction : 0)),
      credits_(settings.credits) {}

LinkSlot Link::step() {
    LinkSlot now{.slot = slot_};
    take_signal();
    receive(now);
    send(now);
    take(now);
    send_signal();
    now.credits = credits_;
    now.buffered = static_cast<unsigned>(buffer_.size());
    ++slot_;
    return now;
}

void Link::take_signal() {
    uint32_t& signal = back_[slot_ % back_.size()];
    if (settings_.control == LinkControl::credit) {
        credits_ += signal;
    } else if (signal != 0) {
        stopped_ = signal == xoff_signal;
    }
    signal = 0;
}

// Called before the sender writes into the same slot of the cable.
void Link::receive(LinkSlot& now) {
    now.arrived = forth_[slot_ % forth_.size()];
    if (now.arrived == 0) return;
    assert(buffer_.size() <= settings_.room);
    now.lost = buffer_.size() >= settings_.room;
    if (!now.lost) buffer_.push_back(now.arrived);
}

void Link::send(LinkSlot& now) {
    uint64_t& place = forth_[slot_ % forth_.size()];
    place = 0;
    if (!settings_.sending.empty() && !within(settings_.sending, slot_)) return;
    const bool by_credit = settings_.control == LinkControl::credit;
    now.held = by_credit ? credits_ == 0 : stopped_;
    if (now.held) return;
    assert(!by_credit || credits_ > 0);
    if (by_credit) --credits_;
    place = now.sent = ++sent_;
}

void Link::take(LinkSlot& now) {
    if (within(settings_.stalls, slot_) || slot_ < next_take_) return;
    now.starved = buffer_.empty();
    if (now.starved) return;
    now.taken = buffer_.front();
    buffer_.erase(buffer_.begin());
    next_take_ = slot_ + settings_.take_every;
    if (settings_.control == LinkControl::credit) ++back_[slot_ % back_.size()];
}

void Link::send_signal() {
    uint32_t& signal = back_[slot_ % back_.size()];
    if (settings_.control == LinkControl::credit) {
        if (slot_ == 0) signal += settings_.returning;
    } else if (!sent_xoff_ && buffer_.size() >= settings_.xoff) {
        signal = xoff_signal;
        sent_xoff_ = true;
    } else if (sent_xoff_ && buffer_.size() <= settings_.xon) {
        signal = xon_signal;
        sent_xoff_ = false;
    }
}

std::vector<uint64_t> Link::cells_under_way() const {
    std::vector<uint64_t> cells;
    for (std::size_t age = 1; age <= forth_.size(); ++age) {
        cells.push_back(age > slot_ ? 0 : forth_[(slot_ - age) % forth_.size()]);
    }
    return cells;
}

std::vector<uint32_t> Link::signals_under_way() const {
    std::vector<uint32_t> signal;
    for (std::size_t age = back_.size(); age >= 1; --age) {
        signal.push_back(age > slot_ ? 0 : back_[(slot_ - age) % back_.size()]);
    }
    return signal;
}

void LinkOutcome::count(const LinkSlot& slot) {
    sent += slot.sent != 0 ? 1 : 0;
    lost += slot.lost ? 1 : 0;
    taken += slot.taken != 0 ? 1 : 0;
    held += slot.held ? 1 : 0;
    starved += slot.starved ? 1 : 0;
    most_buffered = std::max(most_buffered, slot.buffered + (slot.taken != 0 ? 1 : 0));
}

LinkOutcome simulate(const LinkSettings& settings, uint64_t slots, uint64_t from) {
    Link link(settings);
    LinkOutcome outcome;
    for (uint64_t slot = 0; slot < slots; ++slot) {
        const LinkSlot now = link.step();
        if (slot >= from) outcome.count(now);
    }
    return outcome;
}

}  // namespace sluice::sim
