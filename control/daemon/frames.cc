// Requests about single frames: to capture them, to trace the next ones, or what one would meet;
// and the ports that are meant by a name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/yaml/fault.h"
#include "control/daemon/daemon.h"
#include "control/trace/report.h"
#include "control/trace/what_if_report.h"
#include "dataplane/trace/what_if.h"

namespace sluice::control {

namespace {

std::string no_such_port(const std::string& name, const config::Configuration& running) {
    std::vector<std::string_view> names;
    for (const config::PortConfig& port : running.ports) {
        if (!port.vacant) names.push_back(port.name);
    }
    return fmt::format("port: no port is called {}; there are {}", config::in_quotes(name),
                       fmt::join(names, ", "));
}

}  // namespace

// A port, or those of an aggregation.
tl::expected<PortSet, std::string> Daemon::ports_called(const std::string& name) const {
    const auto& ports = publisher_->running().ports;
    PortSet called = 0;
    for (PortIndex port = 0; port < ports.size(); ++port) {
        if (ports[port].vacant) continue;
        if (ports[port].name == name || ports[port].aggregation == name) called |= only(port);
    }
    if (called != 0 && !name.empty()) return called;
    return tl::unexpected(no_such_port(name, publisher_->running()));
}

tl::expected<PortIndex, std::string> Daemon::port_called(const std::string& name) const {
    const auto& ports = publisher_->running().ports;
    const auto found = std::ranges::find(ports, name, &config::PortConfig::name);
    if (found != ports.end() && !found->vacant) {
        return static_cast<PortIndex>(found - ports.begin());
    }
    return tl::unexpected(no_such_port(name, publisher_->running()));
}

void Daemon::answer(const CaptureRequest& request, const Reply& reply) {
    PortSet ports = 0;
    for (const std::string& name : request.ports) {
        const auto called = ports_called(name);
        if (!called) return reply(refusal(Status::wrong_input, {called.error()}));
        ports |= *called;
    }
    CaptureOptions options{.wanted = {.received = request.received ? ports : 0,
                                      .sent = request.sent ? ports : 0,
                                      .dropped = request.dropped ? ports : 0,
                                      .priorities = request.priorities,
                                      .longest = request.snaplen},
                           .filter = request.filter,
                           .count = request.count};
    const std::string of = fmt::format("{}", fmt::join(request.ports, ", "));
    auto feed = captures_->begin(std::move(options), [this, of](const CaptureCounts& counts) {
        events_.notice("capture_ended", {},
                       fmt::format("of {}: {} frames captured, {} filtered out, {} lost", of,
                                   counts.captured, counts.filtered_out, counts.lost));
    });
    if (!feed) return reply(refusal(Status::failed, {feed.error()}));
    events_.notice("capture_began", {}, fmt::format("of {}: a client looks at frames", of));
    Json about = {
        {"ports", Json::array()}, {"reasons", Json::array()}, {"snaplen", request.snaplen}};
    for (const PortView& port : runtime_->port_views(links_)) {
        about["ports"].push_back({{"name", port.name}, {"device", port.device}});
    }
    for (const DropName& row : drop_names) about["reasons"].push_back(row.name);
    reply(success(std::move(about)), std::move(*feed));
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
        discarding[output] = WhatIf::Discards::of(std::as_const(dataplane).egress(output));
    }
    const auto forwarding = dataplane.forwarding_observer(settings);
    WhatIf what_if(settings, *forwarding, dataplane.outputs(), discarding);
    auto octets = request.octets;
    const View seen = view();
    const WhatIf::Guard guard{.refusal = dataplane.refusal(*port),
                              .probes_of = dataplane.loop_probe_source()};
    reply(success(what_if_report(seen, what_if(*port, octets, seen.now, guard))));
}

}  // namespace sluice::control
