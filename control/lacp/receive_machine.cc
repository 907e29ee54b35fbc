#include "control/lacp/receive_machine.h"

#include <cassert>

namespace sluice::lacp {

namespace {

// Whether the partner will continue to send LACPDUs: the partner is active, or the actor is active
// and the partner knows that.
bool is_maintained(const PortInfo& actor, const Lacpdu& lacpdu) {
    return lacpdu.actor.has(state_bits::activity) ||
           (actor.has(state_bits::activity) && lacpdu.partner.has(state_bits::activity));
}

bool knows_us(const PortInfo& actor, const Lacpdu& lacpdu) {
    return same_port(lacpdu.partner, actor) &&
           lacpdu.partner.has(state_bits::aggregation) == actor.has(state_bits::aggregation);
}

}  // namespace

void ReceiveMachine::set_link(Variables& port, bool up, Nanos now) {
    if (up == port.enabled) return;
    port.enabled = up;
    received_ = false;
    record_default(port);
    port.selected = false;
    port.actor.set(state_bits::expired, false);
    assert(up == (state_ == State::port_disabled));
    if (up) return expire(port, now);
    port.partner.set(state_bits::synchronization, false);
    state_ = State::port_disabled;
}

void ReceiveMachine::receive(Variables& port, const Lacpdu& lacpdu, Nanos now) {
    if (state_ == State::port_disabled) return;
    // The next steps are update_Selected, update_NTT and recordPDU of the standard.
    const PortInfo& says = lacpdu.actor;
    const bool other =
        !same_port(says, port.partner) ||
        says.has(state_bits::aggregation) != port.partner.has(state_bits::aggregation);
    if (other) port.selected = false;
    constexpr lacp::State compared = state_bits::activity | state_bits::timeout |
                                     state_bits::synchronization | state_bits::aggregation;
    const bool partner_is_current =
        same_port(lacpdu.partner, port.actor) &&
        (lacpdu.partner.state & compared) == (port.actor.state & compared);
    if (!partner_is_current) port.need_to_transmit = true;
    record(port, lacpdu);
    state_ = State::current;
    received_ = true;
    port.actor.set(state_bits::expired, false);
    deadline_ = now + (port.actor.has(state_bits::timeout) ? short_timeout : long_timeout);
}

void ReceiveMachine::advance(Variables& port, Nanos now) {
    if (state_ == State::current && now >= deadline_) return expire(port, now);
    if (state_ != State::expired || now < deadline_) return;
    port.selected = false;
    record_default(port);
    port.actor.set(state_bits::expired, false);
    received_ = false;
    state_ = State::defaulted;
}

void ReceiveMachine::record_default(Variables& port) {
    port.partner = default_partner();
    port.actor.set(state_bits::defaulted, true);
}

void ReceiveMachine::record(Variables& port, const Lacpdu& lacpdu) {
    const bool is_individual = !lacpdu.actor.has(state_bits::aggregation);
    const bool agrees = knows_us(port.actor, lacpdu) || is_individual;
    port.partner = lacpdu.actor;
    port.partner.set(state_bits::synchronization,
                     agrees && lacpdu.actor.has(state_bits::synchronization) &&
                         is_maintained(port.actor, lacpdu));
    port.actor.set(state_bits::defaulted, false);
}

void ReceiveMachine::expire(Variables& port, Nanos now) {
    assert(port.enabled && (state_ == State::current || state_ == State::port_disabled));
    port.partner.set(state_bits::synchronization, false);
    port.partner.set(state_bits::timeout, true);
    port.actor.set(state_bits::expired, true);
    deadline_ = now + short_timeout;
    state_ = State::expired;
}

}  // namespace sluice::lacp
