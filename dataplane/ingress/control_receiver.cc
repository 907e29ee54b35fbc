#include "dataplane/ingress/control_receiver.h"

#include <algorithm>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_trial.h"

namespace sluice {

[[gnu::noinline]] Drop ControlReceiver::mac_control(std::span<const uint8_t> octets) {
    if constexpr (!with_pfc) return Drop::pause_opcode;
    // Whoever sent it, and whether or not the port obeys pauses.
    if (mail_ != nullptr && mail_->trials_wanted() && is_pause_trial(octets)) {
        mail_->hear(octets, now_);
        return Drop::mac_control;
    }
    if (settings_->flow_control == FlowControl::none) return Drop::pause_opcode;
    PauseFrame pause;
    const PfcSettings& pfc = settings_->pfc;
    const Drop why = read_pause_frame(octets, {&pfc.peers, pfc.link_pause}, pause);
    if (why != Drop::none) return why;
    const bool taken =
        to_port_ == nullptr
            ? gate_->hear(pause, now_, gate_seen_)
            : to_port_->pauses.post(octets.first(std::min(octets.size(), pause_frame_octets)));
    return taken ? Drop::mac_control : Drop::pause_limit;
}

[[gnu::noinline]] Drop ControlReceiver::lldp(std::span<const uint8_t> octets) {
    if (to_port_ == nullptr) return mail_->hear(octets, now_);
    return to_port_->lldp.post(octets) ? Drop::lldp : Drop::lldp_limit;
}

// LLDP is of the port, not of a VLAN: a tag of VLAN 0 is none (802.1Q 6.9.1).
[[gnu::noinline]] Drop ControlReceiver::reserved(std::span<const uint8_t> octets,
                                                 const Headers& headers) {
    const bool is_lldp = headers.destination == lldp_address &&
                         headers.ether_type == lldp_ether_type && headers.vlan == 0;
    return is_lldp ? lldp(octets) : Drop::reserved_address;
}

}  // namespace sluice
