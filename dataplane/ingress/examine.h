// Examine: parses a frame's headers. Returns a drop for a frame that is malformed, too long, a
// control frame, or refused for its tag; for other frames it fills in the headers.
//
// `is_standard` is decided by the port's format, once a burst; both parsers read standard Ethernet
// alike (parse.h). Control frames are recognised in any format; for other frames the format defines
// the first twelve octets.
// Bound: each read is inside the frame, and a frame is parsed once.
// Not here: storing headers in the frame, and forwarding (ingress_pipeline/, trace/what_if.h).
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress/format.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/ingress/tagging.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

inline Drop examine_reserved(std::span<const uint8_t> octets, const Headers& headers,
                             ControlReceiver& control) {
    return headers.destination.is_reserved() ? control.reserved(octets, headers) : Drop::none;
}

template <bool is_standard>
Drop examine(Frame& frame, Headers& headers, const PortSettings& port, const Format& format,
             ControlReceiver& control) {
    const std::span<const uint8_t> octets(frame.data, frame.length);
    if constexpr (is_standard) {
        if (const Drop why = parse(octets, headers); why != Drop::none) return why;
        if (frame.size() > port.max_frame) return Drop::oversize;
        if (headers.ether_type == mac_control_ether_type) return control.mac_control(octets);
        if (const Drop why = examine_reserved(octets, headers, control); why != Drop::none)
            [[unlikely]]
            return why;
    } else {
        if (frame.size() > port.max_frame) return Drop::oversize;
        const Control kind = control_of(octets);
        if (kind == Control::mac_control) return control.mac_control(octets);
        if (kind == Control::lldp) return control.take(ControlProtocol::lldp, octets);
        if (const Drop why = parse(format, octets, headers); why != Drop::none) return why;
        if (!format.ids) {
            const Drop why = examine_reserved(octets, headers, control);
            if (why != Drop::none) return why;
        }
    }
    const bool aware = port.tagging.aware && (is_standard || format.layout.ether_type);
    if (aware) [[unlikely]] {
        VlanId vlan = headers.vlan;  // a copy, so that the headers can stay in registers
        const Drop why = accept_tag(frame, port.tagging, vlan);
        headers.vlan = vlan;
        return why;
    }
    return Drop::none;
}

}  // namespace sluice
