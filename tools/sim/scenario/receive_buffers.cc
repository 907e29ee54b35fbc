#include "tools/sim/scenario/receive_buffers.h"

#include <fmt/format.h>

#include <string>

#include "config/yaml/values.h"
#include "dataplane/buffer/headroom.h"

namespace sluice::sim {

namespace {

// Returns the octets that still arrive after an XOFF is due, if the switch has the longest response
// of hardware and frames pass the host's own stages.
Bytes round_trip(const Cable& cable, Nanos stages, Bytes longest) {
    return headroom_for({.speed = cable.speed,
                         .cable_millimetres = cable.millimetres,
                         .mtu = longest,
                         .port_mtu = longest,
                         .mac_phy = pause_frame_on_wire,
                         .response = hardware_response(cable.speed) + stages});
}

void fill_in(ReceiveSettings& receive, Bytes longest, Bytes on_the_way) {
    if (receive.low == not_written) receive.low = on_the_way;
    if (receive.high == not_written)
        receive.high = receive.low + longest * receive.frames_above_low;
    if (receive.size == not_written) receive.size = receive.high + on_the_way;
}

// Reports the first fault of the host. Returns whether it has one.
bool has_fault(const HostSpec& host, Bytes longest, Fields& file) {
    const ReceiveSettings& receive = host.receive;
    const auto fault = [&](const std::string& what, const std::string& remedy) {
        file.fault("peers", fmt::format("have receive of {} {}", host.name, what), remedy);
        return true;
    };
    if (host.cable.flow_control == FlowControl::credit) {
        return fault("whose cable has credit", "leave it out, or write flow_control: pfc");
    }
    if (!host.holds.empty()) {
        return fault("together with its own pauses", "write one of both for it");
    }
    if (receive.low > receive.high || receive.high > receive.size) {
        return fault("with low above high, or high above buffer",
                     "write low, high and buffer in rising order");
    }
    if (receive.size < longest) {
        return fault("with a buffer below the longest frame",
                     fmt::format("write {} or more", config::format_size(longest.count())));
    }
    return false;
}

}  // namespace

void use_receive_buffers(NetworkScenario& scenario, Fields& file) {
    for (HostSpec& host : scenario.hosts) {
        if (host.receive.rate.count() == 0) continue;
        const PortSettings& port = scenario.switches[host.at.node].settings.ports[host.at.port];
        const Bytes longest = port.max_frame + fcs;
        host.receive.pauses = port.pfc.lossless;
        fill_in(host.receive, longest, round_trip(host.cable, host.rx_latency, longest));
        if (has_fault(host, longest, file)) return;
    }
}

}  // namespace sluice::sim
