// Port: LACP of one port: its machines, its LACPDUs and its counters.
//
// Frames and time are arguments and return values. The aggregation of the port (aggregator.h)
// selects the port and drives it: the aggregation passes received frames to `receive`, calls
// `advance`, then sends the frames of `next_frame` until there is none.
// One marker PDU for each call is answered (802.1AX-2014 6.5.4); the port sends no marker PDUs
// itself. Bound: O(1) a frame; three LACPDUs in any second.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "control/lacp/lacpdu.h"
#include "control/lacp/mux_machine.h"
#include "control/lacp/receive_machine.h"
#include "control/lacp/transmit_timer.h"
#include "control/lacp/variables.h"
#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

// Counters by the standard's names (7.3.3.1): aAggPortStatsLACPDUsRx and so on.
struct Statistics {
    uint64_t lacpdus_in = 0;
    uint64_t lacpdus_out = 0;
    uint64_t markers_in = 0;
    uint64_t marker_responses_out = 0;
    uint64_t unknown_in = 0;  // frames of the slow protocols that are neither LACPDUs nor markers
    uint64_t illegal_in = 0;  // malformed frames
};

class Port {
  public:
    // `actor`: this end; its state has the bits for active mode, and for LACPDUs at the short
    // interval.
    Port(const PortInfo& actor, MacAddress source);

    // Sets the identity of this end. If it changes, a LACPDU is due, and the partner's next LACPDU
    // should name the new identity.
    void configure(const PortInfo& actor);
    void set_link(bool up, Nanos now);
    // Takes one frame with its Ethernet header.
    void receive(std::span<const uint8_t> frame, Nanos now);
    // Applies timeouts. A timeout may set the port UNSELECTED, as a received LACPDU may.
    void expire(Nanos now) { receive_.advance(variables_, now); }
    void select(bool selected) { variables_.selected = selected; }
    void advance(bool ready, Nanos now) { mux_.advance(variables_, ready, now); }
    // Returns a whole frame that is due now; report afterwards with `sent` whether it was sent. A
    // frame that was not sent is due again, except a marker response, which would be too late.
    std::optional<Octets> next_frame(Nanos now);
    void sent(const Octets& frame, bool went);
    // Returns the last LACPDU before the port stops LACP; it reports that the port is in no
    // aggregation.
    [[nodiscard]] Octets farewell() const;

    [[nodiscard]] bool enabled() const { return variables_.enabled; }
    [[nodiscard]] bool selected() const { return variables_.selected; }
    [[nodiscard]] const PortInfo& actor() const { return variables_.actor; }
    [[nodiscard]] const PortInfo& partner() const { return variables_.partner; }
    // Whether the partner has sent LACPDUs and has not timed out.
    [[nodiscard]] bool knows_partner() const { return receive_.knows_partner(); }
    [[nodiscard]] const ReceiveMachine& receive_machine() const { return receive_; }
    [[nodiscard]] const MuxMachine& mux() const { return mux_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  private:
    [[nodiscard]] Lacpdu information() const {
        return {.actor = variables_.actor, .partner = variables_.partner};
    }

    Variables variables_;
    MacAddress source_;
    ReceiveMachine receive_;
    MuxMachine mux_;
    TransmitTimer timer_;
    std::optional<Octets> marker_response_;
    Statistics statistics_;
};

}  // namespace sluice::lacp
