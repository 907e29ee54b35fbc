#include "tools/sim/credits/link.h"

#include <algorithm>

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
    hear();
    receive(now);
    send(now);
    take(now);
    tell();
    now.credits = credits_;
    now.buffered = static_cast<unsigned>(buffer_.size());
    ++slot_;
    return now;
}

void Link::hear() {
    uint32_t& heard = back_[slot_ % back_.size()];
    if (settings_.control == LinkControl::credit) {
        credits_ += heard;
    } else if (heard != 0) {
        stopped_ = heard == xoff_signal;
    }
    heard = 0;
}

// Before the sender uses the place of what arrives for what it sends.
void Link::receive(LinkSlot& now) {
    now.arrived = forth_[slot_ % forth_.size()];
    if (now.arrived == 0) return;
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

void Link::tell() {
    uint32_t& told = back_[slot_ % back_.size()];
    if (settings_.control == LinkControl::credit) {
        if (slot_ == 0) told += settings_.returning;
    } else if (!told_to_stop_ && buffer_.size() >= settings_.xoff) {
        told = xoff_signal;
        told_to_stop_ = true;
    } else if (told_to_stop_ && buffer_.size() <= settings_.xon) {
        told = xon_signal;
        told_to_stop_ = false;
    }
}

std::vector<uint64_t> Link::cells_under_way() const {
    std::vector<uint64_t> cells;
    for (std::size_t age = 1; age <= forth_.size(); ++age) {
        cells.push_back(age > slot_ ? 0 : forth_[(slot_ - age) % forth_.size()]);
    }
    return cells;
}

std::vector<uint32_t> Link::told_under_way() const {
    std::vector<uint32_t> told;
    for (std::size_t age = back_.size(); age >= 1; --age) {
        told.push_back(age > slot_ ? 0 : back_[(slot_ - age) % back_.size()]);
    }
    return told;
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
