// ControlReceiver: frames that end at the port that received them: MAC control (802.3 31, pauses),
// LLDP (802.1AB), LACP (802.1AX) and BPDUs (802.1Q) where the port has them, probes of the loop
// guard that came back, and questions for neighbours that control answers (neighbour_packet.h). A
// pause takes effect at once, the rest is left for control. What a further lane receives it hands
// to the port's worker, which has the gate.
// Bound: a pause frame is read once, by a further lane twice, any other copied once; all are
// limited in number by gate and mails, and what is beyond is dropped under a name of its own.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/ingress/control_mail.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/pfc/pause_gate.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class ControlReceiver {
  public:
    // Of a port, by its own worker. `gate_seen`: when that last looked at what the gate holds.
    ControlReceiver(const PortSettings& settings, PauseGate& gate, ControlMail& mail,
                    Nanos gate_seen, Nanos now)
        : settings_(&settings), gate_(&gate), mail_(&mail), gate_seen_(gate_seen), now_(now) {}
    // Of a further lane.
    ControlReceiver(const PortSettings& settings, LaneMail& to_port, Nanos now)
        : settings_(&settings), to_port_(&to_port), now_(now) {}

    // Each says under which name the frame ends here: Drop::mac_control, lldp, lacp or bpdu where
    // it was taken; none: it is to go on.
    Drop mac_control(std::span<const uint8_t> octets);
    Drop take(ControlProtocol protocol, std::span<const uint8_t> octets);
    // Of a frame to one of the addresses that no bridge forwards (802.1Q 8.6.3). Drop::none: a BPDU
    // that is to go on nevertheless. It gets a copy of the headers: were it given their
    // address, those of every frame would be kept in memory.
    Drop reserved(std::span<const uint8_t> octets, Headers headers);

  private:
    // False: there are too many already.
    bool hand_over_pause(std::span<const uint8_t> octets);

    const PortSettings* settings_;
    PauseGate* gate_ = nullptr;
    ControlMail* mail_ = nullptr;
    LaneMail* to_port_ = nullptr;
    Nanos gate_seen_;
    Nanos now_;
};

}  // namespace sluice
