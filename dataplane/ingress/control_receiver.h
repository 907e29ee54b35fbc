// ControlReceiver: frames that end at the port that received them: MAC control (802.3 31, pauses),
// LLDP (802.1AB), LACP (802.1AX) and BPDUs (802.1Q) where the port uses them, probes of the loop
// guard that came back, and neighbour requests that control answers (neighbour_packet.h). A pause
// takes effect at once; other frames go to control. A further lane hands its frames to the port's
// worker, which has the pause gate.
// Bound: a pause frame is read once (twice if a further lane received it), any other frame is
// copied once. Gate and mailboxes limit the number of frames; frames beyond that are dropped under
// a Drop reason of their own.
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
    // For a port, by its own worker. `gate_seen`: when the worker last looked at the frames that
    // the gate holds.
    ControlReceiver(const PortSettings& settings, PauseGate& gate, ControlMail& mail,
                    Nanos gate_seen, Nanos now)
        : settings_(&settings), gate_(&gate), mail_(&mail), gate_seen_(gate_seen), now_(now) {}
    // For a further lane.
    ControlReceiver(const PortSettings& settings, LaneMail& to_port, Nanos now)
        : settings_(&settings), to_port_(&to_port), now_(now) {}

    // Each returns the Drop reason under which the frame ends here: Drop::mac_control, lldp, lacp
    // or bpdu if it was taken; none: the frame goes on.
    Drop mac_control(std::span<const uint8_t> octets);
    Drop take(ControlProtocol protocol, std::span<const uint8_t> octets);
    // For a frame to one of the addresses that no bridge forwards (802.1Q 8.6.3). Drop::none: a
    // BPDU that is to be forwarded nevertheless. The headers are copied: passing their address
    // would keep the headers of every frame in memory.
    Drop reserved(std::span<const uint8_t> octets, Headers headers);

  private:
    // Returns false if the mailbox is full.
    bool hand_over_pause(std::span<const uint8_t> octets);

    const PortSettings* settings_;
    PauseGate* gate_ = nullptr;
    ControlMail* mail_ = nullptr;
    LaneMail* to_port_ = nullptr;
    Nanos gate_seen_;
    Nanos now_;
};

}  // namespace sluice
