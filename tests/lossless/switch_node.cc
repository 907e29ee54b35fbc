#include "tests/lossless/switch_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>

#include "tests/support/pauses.h"

namespace sluice::test {

SwitchNode::SwitchNode(Network& network, const Settings& with)
    : settings(with), dataplane(with), network_(network) {
    for (PortIndex port = 0; port < with.ports.size(); ++port) {
        dataplane.set_link(port, true);
        ends_.push_back(std::make_unique<End>(*this, port));
    }
    look();
}

void SwitchNode::receive(PortIndex input, Packet& packet) {
    look_when_pauses_end(input, packet);
    Frame frame{};
    frame.handle = &packet;
    frame.data = packet.octets.data();
    frame.length = packet.length;
    Released released;
    dataplane.receive(input, std::span(&frame, 1), now(), released);
    give_back(released);
    work();
}

void SwitchNode::look_when_pauses_end(PortIndex input, const Packet& packet) {
    if (read_16(&packet.octets[12]) != mac_control_ether_type) return;
    const auto pause = pause_in(packet.octets);
    for (Priority priority = 0; pause && priority < max_priorities; ++priority) {
        if ((pause->enabled & only_priority(priority)) == 0) continue;
        const BitsPerSecond speed = settings.ports[input].speed;
        const Nanos ends = now() + pause_time(Quanta(pause->time[priority]), speed);
        network_.look_at(picos(ends - since_), *ends_[input]);
    }
}

void SwitchNode::work() {
    for (bool moves = true; moves;) {
        while (dataplane.match() > 0) dataplane.transfer(0);
        moves = false;
        for (const auto& end : ends_) moves |= end->is_idle() && end->send_what_is_due();
    }
}

bool SwitchNode::End::send_what_is_due() {
    Switch& dataplane = node_.dataplane;
    const Nanos now = node_.now();
    Packet* packet = nullptr;
    std::array<uint8_t, pause_frame_octets> pause;
    if (dataplane.pause_frame(index_, pause, now)) {
        dataplane.pause_frame_sent(index_, now);
        packet = &network_.packets().take();
        std::ranges::copy(pause, packet->octets.begin());
        packet->length = pause_frame_octets;
        pause_begun = network_.now();
        // What it asks for again and again.
        const PfcSettings& pfc = node_.settings.ports[index_].pfc;
        const Nanos half = pause_time(pfc.pause, node_.settings.ports[index_].speed) / 2;
        network_.look_at(picos(now + half - since_), *this);
    } else {
        std::array<Frame, 1> burst;
        if (dataplane.egress(index_).empty()) return false;
        if (dataplane.transmit(index_, burst, now) == 0) return false;
        dataplane.confirm(index_, burst, 1);
        packet = static_cast<Packet*>(burst[0].handle);
    }
    begin(*packet);
    return true;
}

void SwitchNode::look() {
    // As often as there is more to let go of than one call can tell.
    for (std::size_t freed = 1; freed > 0;) {
        Released released;
        dataplane.tend(0, now(), released);
        freed = give_back(released);
    }
    work();
    network_.look_at(network_.now() + picos(tending), *this);
}

std::size_t SwitchNode::give_back(const Released& released) {
    EXPECT_EQ(released.shared_count, 0U) << "every address is known, so nothing is flooded";
    for (std::size_t n = 0; n < released.freed_count; ++n) {
        network_.packets().give(*static_cast<Packet*>(released.freed[n]));
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
}

}  // namespace sluice::test
