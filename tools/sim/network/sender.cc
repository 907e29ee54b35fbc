#include "tools/sim/network/sender.h"

#include <algorithm>

namespace sluice::sim {

namespace {

constexpr uint16_t local_experiment = 0x88B5;  // an EtherType behind which nobody looks
constexpr uint16_t ipv4 = 0x0800;
constexpr std::size_t tag_at = 12;
constexpr std::size_t type_at = 16;
constexpr std::size_t ip_at = 18;

}  // namespace

void Sender::add(const Flow& flow, const std::vector<Target>& targets, uint64_t seed) {
    State state{flow, {}, 0, {}};
    for (const Target& target : targets) {
        state.ways.push_back({header_of(flow, target.to), target.number});
    }
    if (flow.pace) state.schedule.emplace(*flow.pace, seed);
    flows_.push_back(std::move(state));
}

Sender::Header Sender::header_of(const Flow& flow, MacAddress to) const {
    Header header{};
    write_address(header.data(), to);
    write_address(&header[6], address_);
    write_16(&header[tag_at], 0x8100);
    write_16(&header[tag_at + 2], static_cast<uint16_t>(flow.priority << 13));
    write_16(&header[type_at], flow.ecn ? ipv4 : local_experiment);
    if (flow.ecn) {
        header[ip_at] = 0x45;      // version 4, no options
        header[ip_at + 1] = 0x02;  // ECT(0), RFC 3168
    }
    return header;
}

Picos Sender::hear(const PauseFrame& pause, Picos now) {
    ++heard_;
    const Picos at =
        std::max(now + response_, heard_pauses_.empty() ? Picos(0) : heard_pauses_.back().at);
    if (obeys_) heard_pauses_.push_back({at, pause});
    return at;
}

std::optional<Picos> Sender::obey(Picos now) {
    std::optional<Picos> ends;
    for (; !heard_pauses_.empty() && heard_pauses_.front().at <= now; heard_pauses_.pop_front()) {
        const auto& [at, pause] = heard_pauses_.front();
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if ((pause.enabled & only_priority(priority)) == 0) continue;
            const Quanta quanta(pause.time[priority]);
            held_until_[priority] = at + octet_time(speed_) * (quanta.count() * 64);
            ends = std::max(ends.value_or(Picos(0)), held_until_[priority]);
        }
    }
    return ends;
}

bool Sender::next(Packet& packet, Picos now) {
    if (rate_.count() == 0 || now < not_before_) return false;
    for (std::size_t tried = 0; tried < flows_.size(); ++tried) {
        State& flow = flows_[turn_];
        turn_ = turn_ + 1 == flows_.size() ? 0 : turn_ + 1;
        if (now < held_until_[flow.priority]) continue;
        if (flow.schedule && now < flow.schedule->due()) continue;
        if (credit_ != nullptr && !has_credit(flow)) continue;
        const int64_t length = draw_length(flow);
        if (length == 0) continue;
        Way& way = next_way(flow);
        std::ranges::copy(way.header, packet.octets.begin());
        packet.length = static_cast<uint16_t>(length - fcs.count());
        packet.priority = flow.priority;
        packet.flow = way.number;
        packet.serial = way.serial++;
        packet.row = flow.row;
        packet.begun = now;
        packet.due = now;
        if (flow.schedule) {
            packet.due = flow.schedule->due();
            flow.schedule->advance(packet.on_wire());
        }
        if (credit_ != nullptr) credit_->spend(packet, flow.priority);
        ++sent_[flow.priority];
        const Picos full = octet_time(speed_) * packet.on_wire().count();
        not_before_ = now + Picos(full.count() * (speed_.count() / 1000) / (rate_.count() / 1000));
        return true;
    }
    return false;
}

Picos Sender::next_due(Picos now) const {
    Picos first = Schedule::never;
    for (const State& flow : flows_) {
        if (!flow.schedule || flow.schedule->due() <= now) continue;
        first = std::min(first, flow.schedule->due());
    }
    return first;
}

bool Sender::has_credit(const State& flow) const {
    if (flow.script.empty() && flow.stops_after_script) return true;
    const int64_t longest = flow.script.empty() ? flow.mix.longest : flow.script.front();
    return credit_->covers(flow.priority, Bytes(longest) - fcs);
}

Sender::Way& Sender::next_way(State& flow) {
    if (flow.ways.size() == 1) return flow.ways.front();
    if (flow.pace && (flow.pace->pace == Pace::poisson || flow.pace->pace == Pace::bursts)) {
        return flow.ways[flow.schedule->draws().next() % flow.ways.size()];
    }
    flow.way = flow.way + 1 == flow.ways.size() ? 0 : flow.way + 1;
    return flow.ways[flow.way];
}

int64_t Sender::draw_length(State& flow) {
    if (!flow.script.empty()) {
        const int64_t length = flow.script.front();
        flow.script.pop_front();
        return length;
    }
    if (flow.stops_after_script) return 0;
    const int64_t choices = flow.mix.longest - flow.mix.shortest + 1;
    return flow.mix.shortest + (choices == 1 ? 0 : draws_.next() % choices);
}

}  // namespace sluice::sim
