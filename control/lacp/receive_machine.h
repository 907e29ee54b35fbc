// ReceiveMachine: finds the partner of one port, and detects its loss (802.1AX-2014 6.4.12).
//
// A LACPDU is valid for three of the intervals that the actor requested: 3 s (short) or 90 s
// (long). After that the partner counts as out of sync, and the port sends a LACPDU every second,
// so that the partner answers; 3 s later there is no partner.
// Bound: O(1).
// Not done here: the states of a port without LACP, which has no such machine; and port_moved,
// because a partner is not expected to move between ports of one switch.
#pragma once

#include <cstdint>

#include "control/lacp/lacpdu.h"
#include "control/lacp/variables.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

class ReceiveMachine {
  public:
    enum class State : uint8_t { port_disabled, expired, defaulted, current, last = current };

    void set_link(Variables& port, bool up, Nanos now);
    void receive(Variables& port, const Lacpdu& lacpdu, Nanos now);
    // Applies timeouts.
    void advance(Variables& port, Nanos now);

    [[nodiscard]] State state() const { return state_; }
    // Whether the partner has sent LACPDUs and has not timed out.
    [[nodiscard]] bool knows_partner() const {
        return state_ == State::current || (state_ == State::expired && received_);
    }

  private:
    void record_default(Variables& port);
    void record(Variables& port, const Lacpdu& lacpdu);
    void expire(Variables& port, Nanos now);

    State state_ = State::port_disabled;
    bool received_ = false;  // a LACPDU was received since the link came up
    Nanos deadline_;         // current_while_timer
};

}  // namespace sluice::lacp
