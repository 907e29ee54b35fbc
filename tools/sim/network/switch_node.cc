#include "tools/sim/network/switch_node.h"

#include <cstring>
#include <utility>

#include "tools/sim/network/unused_pages.h"

namespace sluice::sim {

SwitchNode::SwitchNode(Network& network, const Settings& with, const SwitchTiming& timing,
                       Built built)
    : settings(with), network_(network), timing_(timing), wires_(*this), made_at_(network.now()) {
    for (PortIndex port = 0; port < with.ports.size(); ++port) {
        ends_.push_back(std::make_unique<End>(*this, port));
        ends_.back()->decides_by = header_for(with.ports[port], with.csig);
    }
    UnusedPages()(std::as_writable_bytes(std::span(&settings, 1)));
    if (built == Built::at_once) build();
    look();
}

[[gnu::noinline]] void SwitchNode::make() {
    assert(!inside_);
    inside_.emplace(*this);
    for (PortIndex port = 0; port < ends_.size(); ++port) inside_->dataplane.set_link(port, true);
    inside_->shard.adopt(settings);
    inside_->shard.for_each_block(UnusedPages());
}

// Builds the switch, and brings it into the state of a switch that existed from the start: makes
// the housekeeping polls that were due until now, except a poll at the end of this moment.
[[gnu::noinline]] void SwitchNode::build() {
    make();
    const Picos last = is_due_ ? looked_at_ - picos(housekeeping) : looked_at_;
    for (Picos then = made_at_; then <= last; then += picos(housekeeping)) {
        housekeep(since_ + nanos(then));
    }
}

// Polls twice, as `end_of_moment` does when no frame has arrived: the first poll does the work that
// is due, the second finds no more work.
void SwitchNode::housekeep(Nanos then) {
    inside_->poll(then, max_ports);
    inside_->poll(then, max_ports);
}

// --- a poll ---

void SwitchNode::come_in(PortIndex port, Packet& packet) {
    if (!inside_) [[unlikely]]
        build();
    look_when_pauses_end(port, packet);
    packet.came_by = port;
    if ((arrived_ & only(port)) == 0) [[likely]] {
        ends_[port]->arrived = &packet;
        arrived_ |= only(port);
    } else {
        take_behind_another(port, packet);
    }
    poll_soon();
}

[[gnu::noinline]] void SwitchNode::take_behind_another(PortIndex port, Packet& packet) {
    ends_[port]->arrived_since.push_back(&packet);
    several_ |= only(port);
}

[[gnu::noinline]] void SwitchNode::come_up_next(PortIndex port) {
    End& end = *ends_[port];
    assert((several_ & only(port)) != 0 && !end.arrived_since.empty());
    end.arrived = end.arrived_since.front();
    end.arrived_since.erase(end.arrived_since.begin());
    if (end.arrived_since.empty()) several_ &= ~only(port);
}

void SwitchNode::look_when_pauses_end(PortIndex port, const Packet& packet) {
    if (read_16(&packet.octets[12]) != mac_control_ether_type) return;
    PauseFrame pause;
    if (read_pause_frame(packet.octets, {}, pause) != Drop::none) return;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((pause.enabled & only_priority(priority)) == 0) continue;
        const BitsPerSecond speed = settings.ports[port].speed;
        const Nanos ends = now() + pause_time(Quanta(pause.time[priority]), speed);
        network_.look_at(picos(ends - since_), *ends_[port]);
    }
}

void SwitchNode::poll_soon() {
    if (will_poll_) return;
    will_poll_ = true;
    network_.call_at_end_of_moment(*this);
}

void SwitchNode::end_of_moment() {
    will_poll_ = false;
    // Matches until no more matches are found, like hardware that matches all the time.
    // `fabric.slots` limits the matches of a worker of sluiced, which also has other work.
    bool again = std::exchange(is_due_, false);
    if (!inside_) [[unlikely]]
        return;
    for (;;) {
        takes_in_ = several_ != 0;
        const auto done = inside_->poll(now(), max_ports);
        if (arrived_ == 0 && !again && done.flushed == 0) break;
        again = false;
    }
    for_each_port(inside_->shard.active() & ~awaited_,
                  [&](PortIndex port) { ends_[port]->wait(); });
}

void SwitchNode::look() {
    looked_at_ = network_.now();
    is_due_ = true;
    poll_soon();
    network_.look_at(network_.now() + picos(housekeeping), *this);
}

// --- ports of a poll: the ends of the cables ---

std::size_t SwitchNode::Ends::receive(const ReceiveQueue& from, std::span<Frame> burst) {
    if ((node_.arrived_ & only(from.input)) == 0) return 0;
    Packet& packet = *node_.ends_[from.port]->arrived;
    if ((node_.several_ & only(from.input)) == 0) [[likely]] {
        node_.arrived_ &= ~only(from.input);
    } else {
        node_.come_up_next(from.port);
    }
    assert(packet.holders > 0);
    burst[0] = {};
    burst[0].handle = &packet;
    burst[0].data = packet.octets.data();
    burst[0].length = packet.length;
    return 1;
}

std::size_t SwitchNode::Ends::transmit(PortIndex port, std::span<const Frame> burst) {
    assert(burst.size() == 1);
    node_.ends_[port]->begin_frame(burst.front());
    return 1;
}

std::size_t SwitchNode::Ends::edit_tags(PortIndex port, std::span<Frame> frames,
                                        const std::array<uint8_t, max_priorities>& pcps) {
    for (Frame& frame : frames) node_.ends_[port]->retag(frame, pcps);
    return frames.size();
}

// A port with credit sends no pauses.
bool SwitchNode::Ends::send(PortIndex port, std::span<const uint8_t> octets) {
    if (node_.ends_[port]->credit.gives != nullptr) return false;
    node_.ends_[port]->begin_pause(octets);
    return true;
}

PrioritySet SwitchNode::Ends::blocked(PortIndex port) const {
    return node_.ends_[port]->lacking_credit();
}

void SwitchNode::Ends::release(Released& released) {
    for (std::size_t n = 0; n < released.shared_count; ++n) {
        PacketPool::share(*static_cast<Packet*>(released.shared[n].handle),
                          released.shared[n].extra);
    }
    for (std::size_t n = 0; n < released.freed_count; ++n) {
        node_.drop(*static_cast<Packet*>(released.freed[n]));
    }
    for (std::size_t n = 0; n < released.cut_count; ++n) {
        auto& packet = *static_cast<Packet*>(released.shortened[n].handle);
        assert(released.shortened[n].length <= packet.length);
        packet.length = released.shortened[n].length;
        packet.trimmed = true;
    }
    released.clear();
}

void SwitchNode::Ends::free(const Frame& frame) { node_.drop(*static_cast<Packet*>(frame.handle)); }

void SwitchNode::drop(Packet& packet) {
    if (on_drop) on_drop(packet);
    CreditLine* const gives = ends_[packet.came_by]->credit.gives;
    if (gives != nullptr) gives->give_back(packet, network_.now());
    network_.packets().give(packet);
}

// --- one end ---

Picos SwitchNode::End::takes_at(const Packet& packet, Picos first, Picos last) const {
    const SwitchTiming& timing = node_.timing_;
    if (read_16(&packet.octets[12]) == mac_control_ether_type) return last;
    if (timing.forwarding == Forwarding::cut_through && node_.fastest_ <= cable().speed) {
        last = std::min(last, first + time_of(decides_by));
    }
    return last + picos(timing.latency);
}

void SwitchNode::End::begin_pause(std::span<const uint8_t> octets) {
    Packet& packet = network_.packets().take();
    assert(octets.size() <= packet.octets.size());
    std::ranges::copy(octets, packet.octets.begin());
    packet.length = static_cast<uint16_t>(octets.size());
    pause_begun = network_.now();
    // Looks again at half the pause time, when the switch repeats its pauses.
    const PfcSettings& pfc = node_.settings.ports[index_].pfc;
    const Nanos half = pause_time(pfc.pause, node_.settings.ports[index_].speed) / 2;
    network_.look_at(picos(node_.now() + half - since_), *this);
    begin_unwatched(packet);
    node_.occupy(index_, free_at());
}

// Sends the frame, and uses credit of this port for it. The credit that the frame used at its input
// returns when the frame's last bit has left.
void SwitchNode::End::begin_frame(const Frame& frame) {
    auto& packet = *static_cast<Packet*>(frame.handle);
    packet.priority = frame.priority;  // the receiver sees only this priority
    give_credit_back(frame);
    if (credit.spends != nullptr) credit.spends->spend(packet, frame.priority);
    if (packet.asks == Asks::telemetry && packet.report != nullptr) {
        const Bytes queued = node_.inside_->dataplane.depth({index_, frame.priority}) +
                             node_.inside_->dataplane.egress(index_).queue(frame.priority).bytes();
        const Bytes on_wire(
            static_cast<int64_t>(Wide{queued.count()} * packet.on_wire().count() / packet.length));
        packet.report->add({cable().speed, network_.now(), begun(), on_wire});
    }
    begin_unwatched(packet, picos(node_.timing_.crossbar));
    node_.occupy(index_, free_at());
}

void SwitchNode::End::give_credit_back(const Frame& frame) {
    const End& from = *node_.ends_[frame.input];
    if (from.credit.gives == nullptr) return;
    const Picos leaves = network_.now() + picos(node_.timing_.crossbar) +
                         time_of(frame.size() + wire_overhead - gap);
    from.credit.gives->give_back(*static_cast<Packet*>(frame.handle), leaves);
}

// Edits the tag of a frame; if the packet has several holders, edits a copy. A frame's octets begin
// at the start of the packet's array, so the octets are moved, not the start of the frame.
void SwitchNode::End::retag(Frame& frame, const std::array<uint8_t, max_priorities>& pcps) {
    if (edit_of(frame) == TagEdit::none) return;
    auto* packet = static_cast<Packet*>(frame.handle);
    give_credit_back(frame);  // for the length at the input, before the tag changes
    if (packet->holders > 1) {
        Packet& copy = network_.packets().take();
        copy = *packet;
        copy.holders = 1;
        copy.report = nullptr;  // flooded frames are not acknowledged
        network_.packets().give(*packet);
        packet = &copy;
        frame.handle = packet;
    }
    uint8_t* const octets = packet->octets.data();
    constexpr std::size_t kept = std::tuple_size_v<decltype(Packet::octets)> - tag_octets;
    const int added = octets_added(edit_of(frame));
    if (added > 0) std::memmove(octets + tag_octets, octets, kept);
    frame.data = added < 0 ? octets + tag_octets : octets;
    // The length before the edit, as if the edit added no padding: a packet holds only 64 octets,
    // so `rewrite_tag` must not write any.
    const auto came = static_cast<uint16_t>(frame.length - added);
    rewrite_tag(frame, came, pcps[frame.priority]);
    if (added < 0) std::memmove(octets, octets + tag_octets, kept);
    packet->length = frame.length;
}

PrioritySet SwitchNode::End::lacking_credit() const {
    if (credit.spends == nullptr) return 0;
    const Egress& egress = node_.inside_->dataplane.egress(index_);
    PrioritySet lacking = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const EgressQueue& queue = egress.queue(priority);
        if (queue.empty() || credit.spends->covers(priority, queue.front().size())) continue;
        lacking |= only_priority(priority);
    }
    return lacking;
}

void SwitchNode::End::wait() {
    if (!is_idle()) {
        node_.awaited_ |= only(index_);
        network_.look_at(free_at(), *this);
    } else if (node_.settings.ports[index_].rate.count() > 0 && asked_again_at_ <= network_.now() &&
               !node_.inside_->dataplane.egress(index_).empty()) {
        asked_again_at_ = network_.now() + picos(shaping);
        network_.look_at(asked_again_at_, *this);
    }
}

// --- counters and settings ---

uint64_t SwitchNode::drops(Drop reason) const {
    if (!inside_) return 0;
    uint64_t sum = 0;
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        const PortCounters& counters = dataplane().counters(port);
        sum += counters.drops.of(reason) + counters.egress_drops.of(reason);
    }
    return sum;
}

uint64_t SwitchNode::dropped_in_all() const {
    if (!inside_) return 0;
    uint64_t sum = 0;
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        const PortCounters& counters = dataplane().counters(port);
        sum += counters.drops.total() + counters.egress_drops.total();
    }
    return sum - drops(Drop::mac_control);
}

void SwitchNode::adopt(const Settings& next) {
    if (!inside_) build();  // the polls until now need the old settings
    settings = next;
    inside_->shard.adopt(next);
    for (PortIndex port = 0; port < ends_.size(); ++port) {
        ends_[port]->decides_by = header_for(next.ports[port], next.csig);
    }
}

Bytes SwitchNode::header_for(const PortSettings& port, const CsigSettings& csig) {
    const FrameFormat& format = port.format;
    if (!format.ip) return preamble + format.header + Bytes(format.ether_type ? tag_octets : 0);
    const auto& order = port.classify.order;
    const bool roce = std::ranges::find(order, PrioritySource::roce) != order.end();
    const CsigForm form = csig.wide.tpid != 0      ? CsigForm::wide
                          : csig.compact.tpid != 0 ? CsigForm::compact
                                                   : CsigForm::none;
    return (roce ? header_to_ports : header) + Bytes(static_cast<int64_t>(octets_of(form)));
}

}  // namespace sluice::sim
