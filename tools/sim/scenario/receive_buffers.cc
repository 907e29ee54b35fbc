#include "tools/sim/scenario/receive_buffers.h"

#include <fmt/format.h>

#include "dataplane/buffer/headroom.h"

namespace sluice::sim {

namespace {

constexpr int64_t frames_above_low = 32;

// What still comes after an XOFF is due, of a switch that answers as late as hardware may.
Bytes round_trip(const Cable& cable, Bytes longest) {
    return headroom_for({.speed = cable.speed,
                         .cable_millimetres = cable.millimetres,
                         .mtu = longest,
                         .port_mtu = longest,
                         .mac_phy = pause_frame_on_wire,
                         .response = hardware_response(cable.speed)});
}

}  // namespace

void use_receive_buffers(NetworkScenario& scenario, Fields& file) {
    for (HostSpec& host : scenario.hosts) {
        ReceiveSettings& receive = host.receive;
        if (receive.rate.count() == 0) continue;
        const SwitchSpec& node = scenario.switches[host.at.node];
        const PortSettings& port = node.settings.ports[host.at.port];
        const Bytes longest = port.max_frame + fcs;
        const Bytes more = round_trip(host.cable, longest);
        receive.pauses = port.pfc.lossless;
        if (receive.low.count() == 0) receive.low = more;
        if (receive.high.count() == 0) receive.high = receive.low + longest * frames_above_low;
        if (receive.size.count() == 0) receive.size = receive.high + more;
        if (host.cable.flow_control == FlowControl::credit) {
            return file.fault("peers",
                              fmt::format("have receive of {}, whose cable has credit", host.name),
                              "leave it out, or write flow_control: pfc");
        }
        if (receive.low > receive.high || receive.high > receive.size) {
            return file.fault(
                "peers",
                fmt::format("have receive.low above high, or high above buffer, of {}", host.name),
                "write low, high and buffer in rising order");
        }
    }
}

}  // namespace sluice::sim
