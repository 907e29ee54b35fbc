#include "dataplane/ingress_pipeline/neighbour_suppression.h"

#include "dataplane/ingress/neighbour_packet.h"
#include "dataplane/ingress/tagging.h"

namespace sluice {
namespace {

// Whether control knows the packet's sender. If the packet does not show whether the sender is a
// router, an entry of either kind matches.
bool is_known(const NeighbourFilter& neighbours, const NeighbourPacket& packet, VlanId vlan) {
    if (!packet.sender) return true;
    const auto is_known_as = [&](bool router) {
        return neighbours.has(neighbours.known(vlan, *packet.sender, packet.mac, router));
    };
    if (packet.router) return is_known_as(*packet.router);
    return is_known_as(false) || is_known_as(true);
}

}  // namespace

[[gnu::noinline]] void suppress_questions(const PortSettings& port, ControlReceiver& control,
                                          Forwarding::Shard& forwarding,
                                          std::span<const Frame> burst, Verdicts& verdicts,
                                          Nanos now) {
    const NeighbourFilter& neighbours = forwarding.neighbours();
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Frame& frame = burst[n];
        if (verdicts.drop[n] != Drop::none) continue;
        if (!forwarding.suppresses_in(frame.vlan)) continue;
        const std::span<const uint8_t> octets(frame.data, frame.length);
        const TagForm came = form_of_tag(frame, port.tagging);
        const auto packet = read_neighbour_packet(octets, came.tagged);
        if (!packet) continue;
        const bool is_answered =
            packet->target && neighbours.has(neighbours.answered(frame.vlan, *packet->target));
        if (is_known(neighbours, *packet, frame.vlan) && !is_answered) continue;
        const Drop of_source =
            forwarding.accept(frame, verdicts.probes[n].source, Fdb::epoch_of(now));
        if (of_source != Drop::none) continue;
        const Drop taken = control.take(ControlProtocol::neighbour, octets);
        if (is_answered && taken != Drop::none) verdicts.take_out(n, burst.size(), taken);
    }
}

}  // namespace sluice
