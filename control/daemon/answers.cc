// Answers to requests that read the state of the switch or change its configuration.

#include <utility>
#include <variant>

#include "config/yaml/fault.h"
#include "control/daemon/requests.h"
#include "control/port_names.h"
#include "control/show/events.h"
#include "control/show/fdb.h"

namespace sluice::control {

void Requests::answer(std::string_view line, const Reply& reply) {
    const auto request = parse_request(line);
    if (!request) return reply(refusal(Status::wrong_input, {request.error()}));
    std::visit([&](const auto& known) { answer(known, reply); }, *request);
}

tl::expected<Json, std::string> Requests::selected(const ShowRequest& request) const {
    ShowFilter filter = request.filter;
    filter.ports.clear();
    for (const std::string& name : request.filter.ports) {
        const auto called = ports_called(name, parts_.services.running());
        if (!called) return tl::unexpected(called.error());
        filter.ports.push_back(name);
        // Rows may name a port or its aggregation, so both are added.
        for_each_port(*called, [&](PortIndex port) {
            const auto& about = parts_.services.running().ports[port];
            for (const std::string& other : {about.name, about.aggregation}) {
                if (!other.empty() && !filter.names(other)) filter.ports.push_back(other);
            }
        });
    }
    if (request.since)
        return filtered("events", events_since(parts_.events.log(), *request.since), filter);
    // The rows of `fdb` are filtered before they are made, because there may be a million.
    if (request.noun == "fdb") return fdb_snapshot(parts_.view(), filter, request.page);
    return filtered(request.noun, parts_.services.counters.show(request.noun, request.all), filter);
}

void Requests::answer(const ShowRequest& request, const Reply& reply) {
    auto rows = selected(request);
    reply(rows ? success(std::move(*rows)) : refusal(Status::wrong_input, {rows.error()}));
}

void Requests::answer(const ApplyRequest& request, const Reply& reply) {
    parts_.configurations.apply(
        request, [reply, within = request.confirm_within](const Configurations::Adopted& adopted) {
            if (!adopted) return reply(refusal(adopted.error().status, adopted.error().lines));
            Json result = {{"adopted", true}};
            const auto name = [&](const char* key, const std::vector<std::string>& ports) {
                if (!ports.empty()) result[key] = ports;
            };
            name("added", adopted->added);
            name("removed", adopted->removed);
            name("renamed", adopted->renamed);
            if (within) result["confirm_within_s"] = within->count();
            reply(success(std::move(result)));
        });
}

void Requests::answer(const ConfirmRequest&, const Reply& reply) {
    if (!parts_.configurations.confirm()) {
        return reply(refusal(Status::failed, {"confirm: no configuration waits to be confirmed; it "
                                              "follows `sluice apply --confirm TIME`"}));
    }
    reply(success({{"confirmed", true}}));
}

void Requests::answer(const SourceRequest&, const Reply& reply) {
    reply(success(parts_.configurations.source()));
}

void Requests::answer(const SavedRequest& request, const Reply& reply) {
    parts_.configurations.saved(request.text);
    reply(success({{"saved", true}}));
}

}  // namespace sluice::control
