#include "tools/sim/network/switch_node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace sluice::sim {

SwitchNode::SwitchNode(Network& network, const Settings& with, const SwitchTiming& timing)
    : settings(with), dataplane(with), network_(network), timing_(timing) {
    for (PortIndex port = 0; port < with.ports.size(); ++port) {
        dataplane.set_link(port, true);
        ends_.push_back(std::make_unique<End>(*this, port));
    }
    adopt(with);
    look();
}

Picos SwitchNode::End::takes_at(const Packet& packet, Picos first, Picos last) const {
    const SwitchTiming& timing = node_.timing_;
    if (read_16(&packet.octets[12]) == mac_control_ether_type) return last;
    if (timing.forwarding == Forwarding::cut_through && node_.fastest_ <= cable().speed) {
        last = std::min(last, first + cable().time_of(decides_by));
    }
    return last + picos(timing.latency);
}

void SwitchNode::receive(PortIndex input, Packet& packet) {
    look_when_pauses_end(input, packet);
    packet.came_by = input;
    Frame frame{};
    frame.handle = &packet;
    frame.data = packet.octets.data();
    frame.length = packet.length;
    Released released;
    dataplane.receive(input, std::span(&frame, 1), now(), released);
    give_back(released);
    may_owe_ |= only(input);
    note_bypassed();
    ++arrivals_;
    for (const Released::Share& share : std::span(released.shared).first(released.shared_count)) {
        arrivals_ += share.extra;
    }
    work_soon();
}

// What took no VOQ is where it leaves from.
void SwitchNode::note_bypassed() {
    for_each_port(dataplane.active(0) & ~loaded_, [&](PortIndex port) {
        if (!dataplane.egress(port).empty()) loaded_ |= only(port);
    });
}

void SwitchNode::look_when_pauses_end(PortIndex input, const Packet& packet) {
    if (read_16(&packet.octets[12]) != mac_control_ether_type) return;
    PauseFrame pause;
    if (read_pause_frame(packet.octets, {}, pause) != Drop::none) return;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((pause.enabled & only_priority(priority)) == 0) continue;
        const BitsPerSecond speed = settings.ports[input].speed;
        const Nanos ends = now() + pause_time(Quanta(pause.time[priority]), speed);
        network_.look_at(picos(ends - since_), *ends_[input]);
    }
}

void SwitchNode::work_soon() {
    if (will_work_) return;
    will_work_ = true;
    network_.settle_now(*this);
}

void SwitchNode::settle() {
    will_work_ = false;
    for (bool moves = true; moves;) {
        cross();
        moves = false;
        for (PortSet left = candidates(); left != 0; left &= left - 1) {
            End& end = *ends_[static_cast<std::size_t>(std::countr_zero(left))];
            if (end.is_idle()) {
                moves |= end.send_what_is_due();
            } else {
                end.wait_until_idle();
            }
        }
    }
}

void SwitchNode::cross() {
    if (!has_room_ && arrivals_ == 0) return;
    // Where no output has got room, nothing but what arrived can cross: each by a pair of its own.
    std::size_t last = has_room_ ? 0 : arrivals_;
    has_room_ = false;
    arrivals_ = 0;
    for (std::size_t pairs = dataplane.match(); pairs > 0; pairs = dataplane.match()) {
        const bool all_crossed = pairs == std::exchange(last, 0);
        const Crossbar& crossbar = dataplane.crossbar();
        const PortSet inputs = crossbar.granted(0, first_ports(ends_.size()));
        may_owe_ |= inputs;
        for (PortSet left = inputs; left != 0; left &= left - 1) {
            const auto input = static_cast<PortIndex>(std::countr_zero(left));
            loaded_ |= only(crossbar.grant_of(input).output);
        }
        dataplane.transfer(0);
        if (all_crossed) return;
    }
}

PortSet SwitchNode::candidates() const {
    return (outputs_decide_ ? first_ports(ends_.size()) : loaded_ | may_owe_) & ~awaited_;
}

bool SwitchNode::End::send_what_is_due() {
    Packet* packet = pause_due();
    if (packet == nullptr) packet = frame_due();
    if (packet == nullptr) return false;
    begin_unwatched(*packet);
    if (node_.dataplane.egress(index_).empty()) node_.loaded_ &= ~only(index_);
    return true;
}

void SwitchNode::End::wait_until_idle() {
    const Xoff& xoff = node_.dataplane.ingress(index_).xoff();
    if (xoff.pausing() == 0 && !xoff.owes()) node_.may_owe_ &= ~only(index_);
    if (!node_.outputs_decide_ && ((node_.loaded_ | node_.may_owe_) & only(index_)) == 0) return;
    node_.awaited_ |= only(index_);
    network_.look_at(free_at(), *this);
}

Packet* SwitchNode::End::pause_due() {
    if (credit.gives != nullptr) {
        node_.may_owe_ &= ~only(index_);
        return nullptr;
    }
    const Nanos now = node_.now();
    std::array<uint8_t, pause_frame_octets> pause;
    if (!node_.dataplane.pause_frame(index_, pause, now)) {
        // While it pauses, what ends that may happen anywhere: the pool may have room again.
        const Xoff& xoff = node_.dataplane.ingress(index_).xoff();
        if (xoff.pausing() == 0 && !xoff.owes()) node_.may_owe_ &= ~only(index_);
        return nullptr;
    }
    node_.dataplane.pause_frame_sent(index_, now);
    Packet& packet = network_.packets().take();
    std::ranges::copy(pause, packet.octets.begin());
    packet.length = pause_frame_octets;
    pause_begun = network_.now();
    // What it asks for again and again.
    const PfcSettings& pfc = node_.settings.ports[index_].pfc;
    const Nanos half = pause_time(pfc.pause, node_.settings.ports[index_].speed) / 2;
    network_.look_at(picos(now + half - since_), *this);
    return &packet;
}

Packet* SwitchNode::End::frame_due() {
    if (node_.dataplane.egress(index_).empty()) {
        node_.loaded_ &= ~only(index_);
        return nullptr;
    }
    std::array<Frame, 1> burst;
    const PrioritySet room = node_.dataplane.egress(index_).room();
    if (credit.spends != nullptr) hold_what_lacks_credit();
    if (node_.dataplane.transmit(index_, burst, node_.now()) > 0) {
        node_.dataplane.confirm(index_, burst, 1);
        node_.has_room_ |= node_.dataplane.egress(index_).room() != room;
        return paid(burst[0]);
    }
    const Picos now = network_.now();
    if (node_.settings.ports[index_].rate.count() > 0 && asked_again_at_ <= now) {
        asked_again_at_ = now + picos(shaping);
        network_.look_at(asked_again_at_, *this);
    }
    return nullptr;
}

void SwitchNode::End::hold_what_lacks_credit() {
    const Egress& egress = node_.dataplane.egress(index_);
    PrioritySet lacking = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const EgressQueue& queue = egress.queue(priority);
        if (queue.empty() || credit.spends->covers(priority, queue.front().size())) continue;
        lacking |= only_priority(priority);
    }
    node_.dataplane.hold(index_, lacking);
}

// The credit on which it came goes back with its last bit, and it takes that of this port.
Packet* SwitchNode::End::paid(Frame& frame) {
    auto* packet = static_cast<Packet*>(frame.handle);
    const End& from = *node_.ends_[frame.input];
    const Bytes on_wire = frame.size() + wire_overhead;
    const Picos leaves = network_.now() + cable().time_of(on_wire - gap);
    if (from.credit.gives != nullptr) from.credit.gives->give_back(*packet, leaves);
    if (edit_of(frame) != TagEdit::none) packet = retagged(frame);
    if (credit.spends != nullptr) credit.spends->spend(*packet, frame.priority);
    return packet;
}

// In a packet that nobody else holds. Its octets begin where the array does, so they move instead
// of the beginning.
Packet* SwitchNode::End::retagged(Frame& frame) {
    auto* packet = static_cast<Packet*>(frame.handle);
    if (packet->holders > 1) {
        Packet& copy = network_.packets().take();
        copy = *packet;
        copy.holders = 1;
        network_.packets().give(*packet);
        packet = &copy;
    }
    uint8_t* const octets = packet->octets.data();
    constexpr std::size_t kept = std::tuple_size_v<decltype(Packet::octets)> - tag_octets;
    const int added = octets_added(edit_of(frame));
    if (added > 0) std::memmove(octets + tag_octets, octets, kept);
    frame.data = added < 0 ? octets + tag_octets : octets;
    const auto came = static_cast<uint16_t>(frame.length - added);  // padding is not carried
    rewrite_tag(frame, came, node_.dataplane.pcp_of_own_tags(index_)[frame.priority]);
    if (added < 0) std::memmove(octets, octets + tag_octets, kept);
    packet->length = frame.length;
    return packet;
}

void SwitchNode::look() {
    // As often as there is more to let go of than one call can tell.
    for (std::size_t freed = 1; freed > 0;) {
        Released released;
        dataplane.tend(0, now(), released);
        freed = give_back(released);
    }
    may_owe_ = first_ports(ends_.size());
    has_room_ = true;
    work_soon();
    network_.look_at(network_.now() + picos(tending), *this);
}

std::size_t SwitchNode::give_back(const Released& released) {
    for (std::size_t n = 0; n < released.shared_count; ++n) {
        PacketPool::share(*static_cast<Packet*>(released.shared[n].handle),
                          released.shared[n].extra);
    }
    for (std::size_t n = 0; n < released.freed_count; ++n) {
        Packet& packet = *static_cast<Packet*>(released.freed[n]);
        if (on_drop) on_drop(packet);
        CreditLine* const gives = ends_[packet.came_by]->credit.gives;
        if (gives != nullptr) gives->give_back(packet, network_.now());
        network_.packets().give(packet);
    }
    return released.freed_count;
}

uint64_t SwitchNode::drops(Drop reason) const {
    uint64_t sum = 0;
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        const PortCounters& counters = dataplane.counters(port);
        sum += counters.drops.of(reason) + counters.egress_drops.of(reason);
    }
    return sum;
}

uint64_t SwitchNode::dropped_in_all() const {
    uint64_t sum = 0;
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        const PortCounters& counters = dataplane.counters(port);
        sum += counters.drops.total() + counters.egress_drops.total();
    }
    return sum - drops(Drop::mac_control);
}

void SwitchNode::adopt(const Settings& next) {
    settings = next;
    dataplane.adopt(0, next);
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        const auto& trusted = next.ports[port].classify.order;
        const bool roce = std::ranges::find(trusted, PrioritySource::roce) != trusted.end();
        ends_[port]->decides_by = roce ? header_to_ports : header;
    }
    has_room_ = true;
    may_owe_ = first_ports(ends_.size());
    outputs_decide_ = std::ranges::any_of(next.ports, [](const PortSettings& port) {
        return port.pfc.trigger == PauseTrigger::egress && port.pfc.lossless != 0;
    });
}

}  // namespace sluice::sim
