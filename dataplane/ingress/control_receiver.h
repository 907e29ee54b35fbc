// ControlReceiver: consumes control frames at the port that received them: MAC control (802.3 31,
// pauses), LLDP (802.1AB), LACP (802.1AX) and BPDUs (802.1Q) if the port uses them, the switch's
// own loop probes, and neighbour requests that control answers (neighbour_packet.h). A pause takes
// effect at once; other frames are posted to control. A further lane posts its frames to the port's
// worker, which has the pause gate.
// Bound: a pause frame is read once (twice if a further lane received it), any other frame is
// copied once. The gate and the mailboxes limit the number of frames; frames beyond the limit are
// dropped under a Drop reason of their own.
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
    // Serves a port, in the port's worker. `gate_seen`: time of the port's previous poll.
    ControlReceiver(const PortSettings& settings, PauseGate& gate, ControlMail& mail,
                    Nanos gate_seen, Nanos now)
        : settings_(&settings), gate_(&gate), mail_(&mail), gate_seen_(gate_seen), now_(now) {}
    // Serves a further lane of a port.
    ControlReceiver(const PortSettings& settings, LaneMail& to_port, Nanos now)
        : settings_(&settings), to_port_(&to_port), now_(now) {}

    // Each returns the Drop reason under which the frame is consumed (Drop::mac_control, lldp, lacp
    // or bpdu) or refused; none: the frame is forwarded.
    Drop mac_control(std::span<const uint8_t> octets);
    Drop take(ControlProtocol protocol, std::span<const uint8_t> octets);
    // Decides about a frame whose destination is an address that no bridge forwards (802.1Q 8.6.3).
    // Returns Drop::none if a port that forwards BPDUs received the frame and the destination is
    // the bridge group address. The headers are copied: passing their address would keep the
    // headers of every frame in memory.
    Drop reserved(std::span<const uint8_t> octets, Headers headers);

  private:
    // Posts a pause to the port's worker. Returns false if the mailbox is full.
    bool hand_over_pause(std::span<const uint8_t> octets);

    const PortSettings* settings_;
    PauseGate* gate_ = nullptr;
    ControlMail* mail_ = nullptr;
    LaneMail* to_port_ = nullptr;
    Nanos gate_seen_;
    Nanos now_;
};

}  // namespace sluice
