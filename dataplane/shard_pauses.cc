// Pauses that a shard sends to the peers of its ports, for the ports' own groups or at the request
// of the other ends of relays.
#include <array>
#include <utility>

#include "dataplane/shard.h"

namespace sluice {

bool Shard::pause_frame(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now) {
    check_owner_();
    if constexpr (!with_pfc) return false;
    decide_pauses(port);
    const bool relays = (relays_ & only(port)) != 0;
    if (relays) [[unlikely]]
        pause_for_relay(port, now);
    Ingress& ingress = *ingress_[port];
    ingress.reconsider();
    const PauseSender& xoff = std::as_const(ingress).pause_sender();
    if (!xoff.due(now)) return relays && probe_relay(port, octets, now);
    if (holds_by_rings(port)) [[unlikely]] {
        ingress.pause_sender().stop_queues(now);
        return false;
    }
    write_pause_frame(octets, ingress.settings().address, xoff.frame());
    return true;
}

void Shard::pause_frame_sent(PortIndex port, Nanos now) {
    check_owner_();
    if ((probing_ & only(port)) != 0) [[unlikely]] {
        egress_[port]->gate().relay().probe()->sent(now);
    } else {
        ingress_[port]->pause_frame_sent(now);
    }
    counters_[port]->generated.add(1);
    counters_[port]->tx_frames.add(1);
    counters_[port]->tx_bytes.add(pause_frame_octets);
}

void Shard::judge_peer(InputIndex input, bool emptied, Nanos now) {
    check_owner_();
    ingress_[input.number]->judge_peer(emptied, now);
}

[[gnu::noinline]] void Shard::pause_for_relay(PortIndex port, Nanos now) {
    const PortIndex to = relay_to_[port];
    Egress& other = *egress_[to];
    PauseRelay& source = other.gate().relay();
    egress_[port]->gate().relay().set_link(has_link(port));
    egress_[port]->use_relay(has_link(to) && !source.measured().has_ceased(now), now);
    const PrioritySet held = other.relayed(now);
    ingress_[port]->pause_sender().pause_for_relay(held, source.depth_of(held));
    probing_ &= ~only(port);
}

[[gnu::noinline]] bool Shard::probe_relay(PortIndex port,
                                          std::span<uint8_t, pause_frame_octets> octets,
                                          Nanos now) {
    const RelayProbe* const probe = egress_[port]->gate().relay().probe();
    if (probe == nullptr || !probe->is_due(now)) return false;
    write_pause_frame(octets, ingress_[port]->settings().address,
                      {.enabled = 0, .time = probe->words(now), .whole_link = false});
    probing_ |= only(port);
    return true;
}

void Shard::decide_pauses(PortIndex port) {
    if (triggers_ == 0) return;
    if ((triggers_ & only(port)) != 0) {
        std::array<Bytes, max_priorities> depths;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            depths[priority] = shared_.depth({port, priority});
        }
        const PfcSettings& pfc = ingress_[port]->settings().pfc;
        const Bytes free = pool_.free();
        egress_[port]->detect_congestion(depths, xoff_level(pfc, free), xon_level(pfc, free));
    }
    pause_feeders(port);
}

void Shard::pause_feeders(InputIndex input) {
    ingress_[input.number]->pause_for(
        triggers_, [&](PortIndex output) { return shared_.egress[output]->congested(); });
}

PrioritySet Shard::paused(PortIndex output, Nanos now) {
    check_owner_();
    PrioritySet paused = egress_[output]->paused(now);
    if ((tunnels_ & only(output)) != 0) paused |= block_with_underlay(output, now);
    return paused;
}

}  // namespace sluice
