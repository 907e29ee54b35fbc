#include "tools/sim/network/source.h"

#include <cassert>
#include <utility>

#include "tools/sim/network/go_back_n.h"
#include "tools/sim/network/selective.h"

namespace sluice::sim {
namespace {

uint16_t fixed_length_of(const Flow& flow) {
    const bool differ = !flow.script.empty() || flow.stops_after_script || flow.messages ||
                        flow.mix.shortest != flow.mix.longest;
    return differ ? uint16_t{0} : static_cast<uint16_t>(flow.mix.longest);
}

std::unique_ptr<Recovery> recovery_of(const Flow& flow, uint64_t first) {
    if (!flow.again) return nullptr;
    if (flow.any_order) return std::make_unique<Selective>(*flow.again, first);
    return std::make_unique<GoBackN>(*flow.again, first);
}

}  // namespace

Source::Source(Flow flow, const std::vector<Target>& targets, MacAddress from,
               const Identity& identity, uint64_t seed, std::unique_ptr<RateControl> control)
    : header_(header_of({.format = flow.format,
                         .to = targets.front().to,
                         .from = from,
                         .pcp = flow.pcp.value_or(flow.priority),
                         .traffic_class = flow.traffic_class,
                         .tagged = flow.tagged,
                         .ip = flow.ip || flow.ecn,
                         .ecn = flow.ecn,
                         .dscp = flow.dscp,
                         .pair = identity.pair,
                         .answers_to = flow.answers_to,
                         .source_port = flow.source_port,
                         .csig = flow.csig})),
      row_(flow.row),
      fixed_length_(fixed_length_of(flow)),
      priority_(flow.priority),
      csig_octets_(flow.csig.length),
      is_paced_(flow.pace.has_value()),
      has_ip_(flow.ip || flow.ecn),
      draws_receiver_(flow.pace && chooses_at_random(flow.pace->pace)),
      begins_with_address_(flow.format.destination == Field{0, 48}),
      transmit_(flow.transmit),
      control_(std::move(control)),
      flow_(std::move(flow)),
      pair_(identity.pair),
      message_gap_(flow_.messages ? flow_.messages->rate : BitsPerSecond(0)) {
    ways_.reserve(targets.size());
    for (const Target& target : targets) {
        ways_.push_back({target.to, identity.serial, target.number});
    }
    recovery_ = recovery_of(flow_, identity.serial);
    if (flow_.pace) schedule_.emplace(*flow_.pace, seed);
    if (flow_.messages && flow_.messages->first) post(*flow_.messages->first);
}

bool Source::choose(Random& random) {
    if (repeats() || chosen_ != 0) return true;
    if (fixed_length_ != 0) {
        chosen_ = fixed_length_;
        return true;
    }
    if (scripted_ < flow_.script.size()) {
        chosen_ = flow_.script[scripted_++];
    } else if (flow_.stops_after_script) {
        return false;
    } else if (flow_.messages) {
        chosen_ = std::max(shortest_frame, part_of_message() + flow_.messages->around).count();
    } else {
        const int64_t choices = flow_.mix.longest - flow_.mix.shortest + 1;
        chosen_ = flow_.mix.shortest + (choices == 1 ? 0 : random.next() % choices);
    }
    return true;
}

void Source::take(Packet& packet, Picos now) {
    fill(packet, now);
    if (packet.asks != Asks::pull) return;
    packet.needs_pull = control_->needs_pull(Bytes(packet.length) + fcs, backlog(now));
}

void Source::fill(Packet& packet, Picos now) {
    const Bytes length = repeats() ? recovery_->repeated().length : Bytes(chosen_);
    std::ranges::copy(header_, packet.octets.begin());
    packet.length = static_cast<uint16_t>((length - fcs).count());
    packet.csig = csig_octets_;
    if (has_ip_) write_ip_length(packet);
    packet.priority = priority_;
    packet.row = row_;
    packet.begun = now;
    through_ += packet.on_wire();
    if (control_) {
        control_->sent(length, now);
        packet.asks = control_->asks();
        packet.through = through_;
    }
    if (!recovery_) return take_new(packet, now);
    packet.through = through_;
    packet.in_order = !flow_.any_order;
    packet.any_order = flow_.any_order;
    packet.first = recovery_->first();
    if (packet.asks == Asks::nothing) packet.asks = Asks::acknowledgement;
    if (!repeats()) {
        take_new(packet, now);
        return recovery_->send({length, packet.due}, now);
    }
    packet.again = true;
    packet.flow = ways_.front().number;
    packet.serial = recovery_->repeated_serial();
    packet.due = recovery_->repeated().due;
    recovery_->repeat(now);
}

void Source::take_new(Packet& packet, Picos now) {
    Way& way = next_way();
    if (begins_with_address_) {
        write_address(packet.octets.data(), way.to);
    } else if (ways_.size() > 1) {
        write_destination(packet.octets, flow_.format, way.to);
    }
    packet.flow = way.number;
    packet.serial = way.serial++;
    packet.due = now;
    if (is_paced_) {
        packet.due = ready_for_wire(schedule_->due());
        schedule_->advance(packet.on_wire());
    } else if (flow_.messages) {
        packet.due = ready_for_wire(messages_[next_message_].due);
        advance_message(packet.on_wire(), now);
    }
    chosen_ = 0;
}

void Source::advance_message(Bytes on_wire, Picos now) {
    const MessageSettings& settings = *flow_.messages;
    not_before_ = now + message_gap_(on_wire);
    assert(next_message_ < messages_.size());
    Message& message = messages_[next_message_];
    message.left -= part_of_message();
    assert(message.left >= Bytes(0));
    if (message.left > Bytes(0)) return;
    const Picos next = message.due + settings.period;
    if (++next_message_ == messages_.size()) {
        messages_.clear();
        next_message_ = 0;
    }
    if (settings.period > Picos(0) && next < settings.stop) {
        post({.due = next, .left = settings.first->left});
    }
}

Bytes Source::backlog(Picos now) const {
    if (due() > now && !(flow_.messages && messages_.size() > next_message_)) return {};
    if (schedule_) return schedule_->late(now);
    Bytes all;
    for (std::size_t n = next_message_; n < messages_.size(); ++n) {
        const Message& message = messages_[n];
        if (message.due > now) break;
        all += message.left;
        // Adds the later periodic messages that are due already: a message is posted only when the
        // one before it has been sent.
        const Picos period = flow_.messages->period;
        if (period == Picos(0)) continue;
        const Picos until = std::min(now, flow_.messages->stop - Picos(1));
        all += flow_.messages->first->left * ((until - message.due).count() / period.count());
    }
    return all;
}

Source::Way& Source::next_way() {
    if (ways_.size() == 1) return ways_.front();
    if (draws_receiver_) {
        return ways_[schedule_->random().next() % static_cast<uint32_t>(ways_.size())];
    }
    way_ = way_ + 1 == ways_.size() ? 0 : way_ + 1;
    return ways_[way_];
}

}  // namespace sluice::sim
