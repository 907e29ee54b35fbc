// Requests about single frames: to capture frames, to trace the next frames, to predict the path of
// a frame, or to test a cable.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/daemon/requests.h"
#include "control/port_names.h"
#include "control/trace/report.h"
#include "control/trace/what_if_report.h"
#include "dataplane/trace/what_if.h"

namespace sluice::control {

void Requests::answer(const CaptureRequest& request, const Reply& reply) {
    PortSet ports = 0;
    for (const std::string& name : request.ports) {
        const auto called = ports_called(name, parts_.services.running());
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
    auto feed =
        parts_.services.captures.begin(std::move(options), [this, of](const CaptureCounts& counts) {
            parts_.events.notice(
                "capture_ended", {},
                fmt::format("of {}: {} frames captured, {} filtered out, {} lost", of,
                            counts.captured, counts.filtered_out, counts.lost));
        });
    if (!feed) return reply(refusal(Status::failed, {feed.error()}));
    parts_.events.notice("capture_began", {}, fmt::format("of {}: a client looks at frames", of));
    Json about = {
        {"ports", Json::array()}, {"reasons", Json::array()}, {"snaplen", request.snaplen}};
    for (const PortView& port : parts_.runtime.port_views(parts_.services.hotplug.links())) {
        about["ports"].push_back({{"name", port.name}, {"device", port.device}});
    }
    for (const DropName& row : drop_names) about["reasons"].push_back(row.name);
    reply(success(std::move(about)), std::move(*feed));
}

void Requests::answer(const TraceRequest& request, const Reply& reply) {
    TraceFilter filter = request.filter;
    if (request.port) {
        const auto port = port_called(*request.port, parts_.services.running());
        if (!port) return reply(refusal(Status::wrong_input, {port.error()}));
        filter.ports = only(*port);
    }
    using End = TraceSession::End;
    parts_.traces.begin(filter, request.within, [this, reply](End end, const auto& frames) {
        if (end == End::unanswered) {
            return reply(refusal(Status::failed, {"trace: a worker does not poll; see `sluice show "
                                                  "workers` and the log of sluiced"}));
        }
        reply(success(trace_report(parts_.view(), end, frames)));
    });
}

void Requests::answer(const WhatIfRequest& request, const Reply& reply) {
    const auto port = port_called(request.port, parts_.services.running());
    if (!port) return reply(refusal(Status::wrong_input, {port.error()}));
    const Settings& settings = parts_.services.publisher.effective();
    Switch& dataplane = parts_.runtime.dataplane();
    WhatIf::Discarding discarding{};
    for (PortIndex output = 0; output < dataplane.port_count(); ++output) {
        discarding[output] = WhatIf::Discards::of(std::as_const(dataplane).egress(output));
    }
    const auto forwarding = dataplane.forwarding_observer(settings);
    WhatIf what_if(settings, *forwarding, dataplane.outputs(), discarding);
    auto octets = request.octets;
    const View seen = parts_.view();
    const WhatIf::Guard guard{.refusal = dataplane.refusal(*port),
                              .probes_of = dataplane.loop_probe_source()};
    reply(success(what_if_report(seen, what_if(*port, octets, seen.now, guard))));
}

void Requests::answer(const TryCableRequest& request, const Reply& reply) {
    parts_.services.trials.begin(request, reply);
}

}  // namespace sluice::control
