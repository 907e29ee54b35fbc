#include "control/lacp/port.h"

#include <utility>

namespace sluice::lacp {

namespace {

// State bits that follow from the configuration; the state machines set the others.
constexpr State chosen = state_bits::activity | state_bits::timeout | state_bits::aggregation;

}  // namespace

Port::Port(const PortInfo& actor, MacAddress source) : source_(source) {
    variables_.actor = actor;
    variables_.actor.set(state_bits::defaulted, true);
    variables_.partner = default_partner();
}

void Port::configure(const PortInfo& actor) {
    PortInfo next = actor;
    next.state = static_cast<State>((actor.state & chosen) | (variables_.actor.state & ~chosen));
    if (next == variables_.actor) return;
    if (!same_port(next, variables_.actor)) variables_.selected = false;
    variables_.actor = next;
    variables_.need_to_transmit = true;
}

void Port::set_link(bool up, Nanos now) { receive_.set_link(variables_, up, now); }

void Port::receive(std::span<const uint8_t> frame, Nanos now) {
    if (frame.size() < header_octets) return;
    const auto pdu = frame.subspan(header_octets);
    switch (kind_of(pdu)) {
        case PduKind::lacp:
            if (const auto lacpdu = read_lacpdu(pdu)) {
                ++statistics_.lacpdus_in;
                receive_.receive(variables_, *lacpdu, now);
            } else {
                ++statistics_.illegal_in;
            }
            return;
        case PduKind::marker:
            if (auto marker = read_marker(pdu); marker && !marker->is_response) {
                ++statistics_.markers_in;
                marker->is_response = true;
                marker_response_ = frame_of(*marker, source_);
            } else if (!marker) {
                ++statistics_.illegal_in;
            }
            return;
        default:
            ++statistics_.unknown_in;
    }
}

std::optional<Octets> Port::next_frame(Nanos now) {
    if (marker_response_) return std::exchange(marker_response_, std::nullopt);
    if (!timer_.take(variables_, now)) return std::nullopt;
    return frame_of(information(), source_);
}

void Port::sent(const Octets& frame, bool went) {
    const bool is_lacpdu = kind_of(std::span(frame).subspan(header_octets)) == PduKind::lacp;
    if (went) ++(is_lacpdu ? statistics_.lacpdus_out : statistics_.marker_responses_out);
    if (!went && is_lacpdu) variables_.need_to_transmit = true;
}

Octets Port::farewell() const {
    Lacpdu last = information();
    last.actor.set(state_bits::synchronization | state_bits::collecting | state_bits::distributing,
                   false);
    return frame_of(last, source_);
}

}  // namespace sluice::lacp
