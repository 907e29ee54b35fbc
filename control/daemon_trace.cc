// What a daemon is asked of single frames: to trace the next ones, or what one would meet.
#include <fmt/format.h>

#include <algorithm>

#include "config/fault.h"
#include "control/daemon.h"
#include "control/trace/report.h"
#include "control/trace/what_if_report.h"
#include "dataplane/trace/what_if.h"

namespace sluice::control {

tl::expected<PortIndex, std::string> Daemon::port_called(const std::string& name) const {
    const auto& ports = publisher_->running().ports;
    const auto found = std::ranges::find(ports, name, &config::PortConfig::name);
    if (found != ports.end() && !found->vacant)
        return static_cast<PortIndex>(found - ports.begin());
    return tl::unexpected(fmt::format("port: no port is called {}; `sluice show ports` has them",
                                      config::in_quotes(name)));
}

void Daemon::answer(const TraceRequest& request, const Reply& reply) {
    TraceFilter filter = request.filter;
    if (request.port) {
        const auto port = port_called(*request.port);
        if (!port) return reply(refusal(Status::wrong_input, {port.error()}));
        filter.ports = only(*port);
    }
    using End = TraceSession::End;
    traces_->begin(filter, request.within, [this, reply](End end, const auto& frames) {
        if (end == End::unanswered) {
            return reply(refusal(Status::failed, {"trace: a worker does not poll; `sluice show "
                                                  "workers` and the log of sluiced say more"}));
        }
        reply(success(trace_report(view(), end, frames)));
    });
}

void Daemon::answer(const WhatIfRequest& request, const Reply& reply) {
    const auto port = port_called(request.port);
    if (!port) return reply(refusal(Status::wrong_input, {port.error()}));
    const Settings& settings = publisher_->effective();
    Switch& dataplane = runtime_->dataplane();
    WhatIf::Discarding discarding{};
    for (PortIndex output = 0; output < dataplane.port_count(); ++output) {
        discarding[output] = std::as_const(dataplane).egress(output).discarding();
    }
    const auto forwarding = dataplane.forwarding_observer(settings);
    WhatIf what_if(settings, *forwarding, dataplane.outputs(), discarding);
    auto octets = request.octets;
    const View seen = view();
    reply(
        success(what_if_report(seen, what_if(*port, octets, seen.now, dataplane.refusal(*port)))));
}

}  // namespace sluice::control
