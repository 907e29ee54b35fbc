#include "dataplane/ingress/control_receiver.h"

#include <algorithm>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_trial.h"

namespace sluice {

[[gnu::noinline]] Drop ControlReceiver::mac_control(std::span<const uint8_t> octets) {
    if constexpr (!with_pfc) return Drop::pause_opcode;
    // Control takes trials of any sender, even if the port does not obey pauses.
    if (mail_ != nullptr && mail_->trials_wanted() && is_pause_trial(octets)) {
        mail_->receive(ControlProtocol::lldp, octets, now_);
        return Drop::mac_control;
    }
    // A lane posts each trial, since the port's worker decides whether control wants it.
    if (to_port_ != nullptr && is_pause_trial(octets) && hand_over_pause(octets)) {
        return Drop::mac_control;
    }
    if (settings_->flow_control == FlowControl::none) return Drop::pause_opcode;
    PauseFrame pause;
    const PfcSettings& pfc = settings_->pfc;
    const Drop why = read_pause_frame(octets, {&pfc.peers, pfc.link_pause}, pause);
    if (why != Drop::none) return why;
    const bool taken =
        to_port_ == nullptr ? gate_->receive(pause, now_, gate_seen_) : hand_over_pause(octets);
    return taken ? Drop::mac_control : Drop::pause_limit;
}

bool ControlReceiver::hand_over_pause(std::span<const uint8_t> octets) {
    return to_port_->pauses.post(octets.first(std::min(octets.size(), pause_frame_octets)));
}

[[gnu::noinline]] Drop ControlReceiver::take(ControlProtocol protocol,
                                             std::span<const uint8_t> octets) {
    if (to_port_ == nullptr) return mail_->receive(protocol, octets, now_);
    const ControlDrops drops = drops_of(protocol);
    const bool handed_over = to_port_->control[static_cast<std::size_t>(protocol)].post(octets);
    return handed_over ? drops.taken : drops.refused;
}

namespace {

constexpr uint16_t first_ether_type = 1536;  // smaller values are lengths (802.3 3.2.6)

// Whether LLDP frames to `destination` are consumed (802.1AB table 7-1). The bridge group address
// is also that of BPDUs: a port that forwards BPDUs forwards LLDP frames to it as well.
bool takes_lldp(MacAddress destination, bool forwards_bpdus) {
    constexpr MacAddress nearest_non_tpmr_bridge{0x0180C2000003};
    return destination == lldp_address || destination == nearest_non_tpmr_bridge ||
           (destination == bridge_group_address && !forwards_bpdus);
}

}  // namespace

// LLDP belongs to the port, not to a VLAN: a tag of VLAN 0 counts as no tag (802.1Q 6.9.1). LACP
// has no tag at all (802.1AX 6.2.9).
[[gnu::noinline]] Drop ControlReceiver::reserved(std::span<const uint8_t> octets, Headers headers) {
    const bool is_lldp = headers.ether_type == lldp_ether_type && headers.vlan == 0 &&
                         takes_lldp(headers.destination, settings_->forwards_bpdus);
    if (is_lldp) return take(ControlProtocol::lldp, octets);
    const bool is_lacp = settings_->lacp && headers.destination == slow_protocols_address &&
                         headers.ether_type == slow_protocols_ether_type && !headers.tagged;
    if (is_lacp) return take(ControlProtocol::lacp, octets);
    // A BPDU has a length in place of an EtherType (802.2), and no tag (802.1Q 8.13.9).
    const bool is_bpdu = settings_->spanning_tree && !headers.tagged &&
                         headers.destination == bridge_group_address &&
                         headers.ether_type < first_ether_type;
    if (is_bpdu) return take(ControlProtocol::bpdu, octets);
    const bool goes_on = settings_->forwards_bpdus && headers.destination == bridge_group_address;
    return goes_on ? Drop::none : Drop::reserved_address;
}

}  // namespace sluice
