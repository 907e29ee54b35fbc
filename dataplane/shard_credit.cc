// A shard's work for ports whose links have flow control other than PFC: sessions and updates of
// ports with credit, and the credit that control's frames consume; and priorities that a link
// blocks.
#include <algorithm>
#include <optional>

#include "dataplane/ingress/loop_probe.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/shard.h"
#include "dataplane/types/random.h"

namespace sluice {

// Adopts a port's settings of credit. A port that leaves credit, or replaces a port with credit,
// has to announce that to the peer first.
void Shard::configure_credit(PortIndex port, const Settings& settings) {
    const PortSettings& of = settings.ports[port];
    CreditEnd& end = credit_[port]->end;
    if (of.flow_control == FlowControl::credit) {
        with_credit_ |= only(port);
        by_credit_ |= only(port);
        end.configure(
            {.lossless = of.pfc.lossless, .buffer = of.credit.buffer, .cell = settings.buffer.cell},
            {.quantum = of.credit.quantum, .refresh = of.credit.refresh}, last_housekeeping_);
        if (!end.has_link() && has_link(port)) start_credit(port, last_housekeeping_);
    } else if ((by_credit_ & only(port)) != 0) {
        by_credit_ &= ~only(port);
        end.retire(last_housekeeping_);
        if (end.is_done(last_housekeeping_)) turn_off_credit(port);
    }
    if ((with_credit_ & only(port)) != 0) follow_credit(port, last_housekeeping_);
}

// Begins a session. Its number is derived from the time and the port's address, as both ends may
// begin at the same time. While the link is up the port keeps that source address, by which the
// peer identifies the port.
void Shard::start_credit(PortIndex port, Nanos now) {
    const MacAddress source = ingress_[port]->settings().address;
    const uint64_t seed = Random(source.bits + port).next() + static_cast<uint64_t>(now.count());
    credit_[port]->source = source;
    credit_[port]->end.start(std::max(Random(seed).next(), 1U), now);
}

// Ends the use of credit at a port: unblocks its frames, and keeps no room for the peer's.
void Shard::turn_off_credit(PortIndex port) {
    with_credit_ &= ~only(port);
    credit_[port]->end.stop();
    credit_[port]->watch.turn_off();
    follow_credit(port, last_housekeeping_);
    egress_[port]->block(0);
    ingress_[port]->keep_room(Bytes(0));
}

// Begins or ends sessions when links change. Frames under way were lost with the link, and a port
// that leaves credit has no peer to notify then. If LACP or the loop guard shuts a port whose link
// stays up, its session continues: the peer's frames are dropped, and their credit is returned.
void Shard::note_credit_links(Nanos now) {
    for_each_port(with_credit_, [&](PortIndex port) {
        CreditEnd& end = credit_[port]->end;
        if (has_link(port) == end.has_link()) return;
        if ((by_credit_ & only(port)) == 0) return turn_off_credit(port);
        if (has_link(port)) {
            start_credit(port, now);
        } else {
            end.stop();
        }
        follow_credit(port, now);
        credit_[port]->watch.look(end, 0, 0, now);
    });
}

// Sets the flow control of both directions as the ends have agreed. If the change requires a pause
// of the peer, the pause is sent before the update that announces the change.
void Shard::follow_credit(PortIndex port, Nanos now) {
    CreditEnd& end = credit_[port]->end;
    egress_[port]->set_credit(end.sends_on_credit() ? &end.sender() : nullptr);
    egress_[port]->block(end.holds(now) ? end.held_without_credit() : PrioritySet{0});
    Ingress& ingress = *ingress_[port];
    if (end.counts() == ingress.goes_by_credit()) return;
    ingress.go_by_credit(end.counts());
    if (end.counts()) ingress.keep_room(end.receiver().terms().buffer);
}

std::size_t Shard::credit_update(PortIndex port, std::span<uint8_t, longest_credit_update> octets,
                                 Nanos now) {
    check_owner_();
    CreditEnd& end = credit_[port]->end;
    end.expire(now);
    const bool by_credit = (by_credit_ & only(port)) != 0;
    if (!by_credit && end.is_done(now)) {
        turn_off_credit(port);
        return 0;
    }
    Egress& egress = *egress_[port];
    if (by_credit) {
        end.set_peer(shared_.credit_peers[port].load(std::memory_order_relaxed),
                     shared_.credit_offers[port].load(std::memory_order_relaxed), now);
        end.end_if_starved(egress.lacking_credit(), now);
    }
    Ingress& ingress = *ingress_[port];
    // The peer sends no frame on credit after its answer, so no room is kept for such frames.
    if (!by_credit && !end.is_leaving()) ingress.keep_room(Bytes(0));
    const bool counted = ingress.goes_by_credit();
    follow_credit(port, now);
    if (counted && !end.counts()) return 0;  // a pause is sent first
    CreditReceiver& receiver = end.receiver();
    for_each_priority(receiver.terms().lossless, [&](Priority priority) {
        const IngressPriorityGroup& group = ingress.group(priority);
        receiver.set_occupied(priority, group.used_by_all_lanes() + group.headroom_of_all_lanes());
    });
    credit_[port]->watch.look(end, egress.lacking_credit(), egress.backlog(), now);
    if (!end.is_due(now)) return 0;
    return write_credit_update(octets, credit_[port]->source, end.update());
}

void Shard::credit_update_sent(PortIndex port, std::size_t octets, Nanos now) {
    check_owner_();
    credit_[port]->end.sent(now);
    follow_credit(port, now);
    credit_[port]->watch.sent();
    counters_[port]->generated.add(1);
    counters_[port]->tx_frames.add(1);
    counters_[port]->tx_bytes.add(octets);
}

// Blocks `priorities`, as the link requires (retry, or a device), and the priorities that wait for
// a credit session.
void Shard::block(PortIndex output, PrioritySet priorities) {
    check_owner_();
    const CreditEnd& credit = credit_[output]->end;
    const bool holds = has_credit(output) && credit.holds(last_housekeeping_);
    const PrioritySet held = holds ? credit.held_without_credit() : PrioritySet{0};
    egress_[output]->block(priorities | held);
}

// Returns the priority in which the peer counts a frame; none if it does not count the frame.
std::optional<Priority> Shard::priority_at_peer(PortIndex port,
                                                std::span<const uint8_t> octets) const {
    Headers headers;
    const bool is_data = parse(octets, headers) == Drop::none &&
                         !headers.destination.is_reserved() &&
                         headers.ether_type != mac_control_ether_type && !read_loop_probe(octets);
    if (!is_data) return {};
    return ingress(port).classify(headers, octets);
}

// Drops control's frames that lack credit: LLDP and LACP would wait behind these frames. The
// dropped frames are answers to requests, which the stations repeat.
[[gnu::noinline]] void Shard::drop_control_without_credit(PortIndex port) {
    const CreditEnd& end = credit_[port]->end;
    Mailbox& due = mail_[port]->due;
    for (auto octets = due.front(); !octets.empty(); octets = due.front()) {
        const auto priority = priority_at_peer(port, octets);
        if (!priority) return;
        const bool needs_credit = (end.held_without_credit() & only_priority(*priority)) != 0;
        const bool may_go = end.sends_on_credit()
                                ? end.sender().covers(*priority, Bytes(std::ssize(octets)))
                                : !needs_credit || !end.holds(last_housekeeping_);
        if (may_go) return;
        counters_[port]->generated.add(1);
        counters_[port]->egress_drops.count(Drop::no_credit);
        due.pop();
    }
}

[[gnu::noinline]] void Shard::consume_for_control(PortIndex port, std::span<const uint8_t> octets) {
    CreditEnd& end = credit_[port]->end;
    if (!end.sends_on_credit()) return;
    const auto priority = priority_at_peer(port, octets);
    if (priority) end.sender().consume(*priority, Bytes(std::ssize(octets)));
}

}  // namespace sluice
