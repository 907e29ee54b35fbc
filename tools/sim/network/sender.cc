#include "tools/sim/network/sender.h"

#include <algorithm>
#include <utility>

namespace sluice::sim {

std::size_t Sender::add(const Flow& flow, const std::vector<Target>& targets, uint64_t seed,
                        std::unique_ptr<RateControl> control) {
    const std::size_t number = sources_.size();
    sources_.emplace_back(flow, targets, address_,
                          Source::Identity{.pair = static_cast<uint32_t>(number)}, seed,
                          std::move(control));
    return number;
}

std::size_t Sender::open(const Flow& flow, std::unique_ptr<RateControl> control,
                         const std::function<uint32_t(std::size_t)>& numbered) {
    if (closed_.empty()) {
        const std::size_t number = sources_.size();
        return add(flow, {{flow.to, numbered(number)}}, 1, std::move(control));
    }
    const std::size_t number = closed_.back();
    closed_.pop_back();
    Source& before = sources_[number];
    // The new source continues the serials of the previous one, even if its receiver is another.
    const Source::Identity identity{.pair = before.pair() + (uint32_t{1} << pair_bits),
                                    .serial = before.serial()};
    before = Source(flow, {{flow.to, numbered(number)}}, address_, identity, 1, std::move(control));
    return number;
}

Picos Sender::receive(const PauseFrame& pause, Picos now) {
    ++pauses_received_;
    const Picos at =
        std::max(now + response_, received_pauses_.empty() ? Picos(0) : received_pauses_.back().at);
    if (obeys_) {
        received_pauses_.push_back({at, pause});
        has_received_pauses_ = true;
    }
    return at;
}

uint16_t Sender::receive_notice(uint32_t pair, Picos now, bool passes) {
    Source* const source = named(pair);
    if (source == nullptr) return no_row;
    if (passes) source->congested(now);
    return source->row();
}

std::span<const Picos> Sender::obey(Picos now) {
    ends_.clear();
    for (; !received_pauses_.empty() && received_pauses_.front().at <= now;
         received_pauses_.pop_front()) {
        const auto& [at, pause] = received_pauses_.front();
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if ((pause.enabled & only_priority(priority)) == 0) continue;
            const Quanta quanta(pause.time[priority]);
            held_until_[priority] = at + octet_time_ * (quanta.count() * 64);
            ends_.push_back(held_until_[priority]);
        }
    }
    has_received_pauses_ = !received_pauses_.empty();
    any_held_until_ = std::ranges::max(held_until_);
    std::ranges::sort(ends_);
    ends_.erase(std::ranges::unique(ends_).begin(), ends_.end());
    return ends_;
}

bool Sender::next(Packet& packet, Picos now) {
    if (rate_.count() == 0 || now < not_before_) return false;
    for (std::size_t tried = 0; tried < sources_.size(); ++tried) {
        Source& source = sources_[turn_];
        turn_ = turn_ + 1 == sources_.size() ? 0 : turn_ + 1;
        source.expire(now);
        if (holds(source.priority(), now) || source.due() > now) continue;
        if (!source.is_let(random_, now)) continue;
        if (credit_ != nullptr && !has_credit(source)) continue;
        if (!source.choose(random_)) continue;
        source.take(packet, now);
        if (credit_ != nullptr) credit_->spend(packet, source.priority());
        ++sent_[source.priority()];
        not_before_ = now + octet_time_ * packet.on_wire().count();
        if (rate_ != speed_) {
            const int64_t full = (not_before_ - now).count();
            not_before_ = now + Picos(full * (speed_.count() / 1000) / (rate_.count() / 1000));
        }
        return true;
    }
    return false;
}

Picos Sender::next_due(Picos now) const {
    Picos first = Schedule::never;
    for (const Source& source : sources_) {
        const Picos at = source.ready_at(now);
        if (at > now) first = std::min(first, at);
    }
    return first;
}

Picos Sender::ready_from(Picos time) const {
    if (sources_.size() == 1) return std::max({sources_.front().ready_at(time), time, not_before_});
    Picos first = Schedule::never;
    for (std::size_t n = 0; n < sources_.size() && first > time; ++n) {
        const std::size_t number =
            turn_ + n < sources_.size() ? turn_ + n : turn_ + n - sources_.size();
        first = std::min(first, sources_[number].ready_at(time));
    }
    return std::max({first, time, not_before_});
}

bool Sender::has_credit(const Source& source) const {
    const Bytes longest = source.longest();
    return longest == Bytes(0) || credit_->covers(source.priority(), longest - fcs);
}

}  // namespace sluice::sim
