// What a burst asks of neighbours, where such questions are suppressed.
#include <utility>

#include "dataplane/ingress/neighbour_packet.h"
#include "dataplane/ingress/tagging.h"
#include "dataplane/ingress_pipeline.h"

namespace sluice {

// Takes out ARP requests and neighbour solicitations that control answers, and gives control copies
// of what shows it a station that it does not know. A frame that may not enter is neither; one that
// control has no room for goes on. What follows one that was taken out is asked of its source
// itself: its verdict is nobody's any more.
[[gnu::noinline]] void IngressPipeline::suppress(std::span<const Frame> burst, Verdicts& verdicts) {
    const NeighbourFilter& neighbours = forwarding_.neighbours();
    bool before_was_taken = false;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Frame& frame = burst[n];
        if (verdicts.drop[n] != Drop::none) continue;
        if (std::exchange(before_was_taken, false)) verdicts.probes[n].same_source = false;
        if (!forwarding_.suppresses_in(frame.vlan)) continue;
        const std::span<const uint8_t> octets(frame.data, frame.length);
        const TagForm came = form_of_tag(frame, ingress_.settings().tagging);
        const auto packet = read_neighbour_packet(octets, came.tagged);
        if (!packet) continue;
        const bool is_answered =
            packet->target && neighbours.has(neighbours.answered(frame.vlan, *packet->target));
        if (is_known(*packet, frame.vlan) && !is_answered) continue;
        const Drop of_source =
            forwarding_.accept(frame, verdicts.probes[n].source, Fdb::epoch_of(now_));
        if (of_source != Drop::none) continue;
        const Drop taken = control_.take(ControlProtocol::neighbour, octets);
        if (!is_answered) continue;
        verdicts.drop[n] = taken;
        before_was_taken = taken != Drop::none;
    }
}

// Who does not say whether it is a router is known as either.
bool IngressPipeline::is_known(const NeighbourPacket& packet, VlanId vlan) const {
    if (!packet.sender) return true;
    const NeighbourFilter& neighbours = forwarding_.neighbours();
    const auto is_known_as = [&](bool router) {
        return neighbours.has(neighbours.known(vlan, *packet.sender, packet.mac, router));
    };
    if (packet.router) return is_known_as(*packet.router);
    return is_known_as(false) || is_known_as(true);
}

}  // namespace sluice
