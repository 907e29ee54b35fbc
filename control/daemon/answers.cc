// What it answers of requests that look at the switch and change its configuration.
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "config/yaml/fault.h"
#include "control/daemon/daemon.h"
#include "control/port_names.h"
#include "control/show/events.h"
#include "control/show/fdb.h"

namespace sluice::control {

void Daemon::answer(std::string_view line, const Reply& reply) {
    const auto request = parse_request(line);
    if (!request) return reply(refusal(Status::wrong_input, {request.error()}));
    std::visit([&](const auto& known) { answer(known, reply); }, *request);
}

tl::expected<Json, std::string> Daemon::selected(const ShowRequest& request) const {
    ShowFilter filter = request.filter;
    filter.ports.clear();
    for (const std::string& name : request.filter.ports) {
        const auto called = ports_called(name, publisher_->running());
        if (!called) return tl::unexpected(called.error());
        filter.ports.push_back(name);
        // Addresses and members are known by the aggregation.
        for_each_port(*called, [&](PortIndex port) {
            const auto& about = publisher_->running().ports[port];
            for (const std::string& other : {about.name, about.aggregation}) {
                if (!other.empty() && !filter.names(other)) filter.ports.push_back(other);
            }
        });
    }
    if (request.since)
        return filtered("events", events_since(events_.log(), *request.since), filter);
    // Rows of addresses are left out before they are made: there may be a million.
    if (request.noun == "fdb") return fdb_snapshot(view(), filter, request.page);
    return filtered(request.noun, show(request.noun, request.all), filter);
}

void Daemon::answer(const ShowRequest& request, const Reply& reply) {
    auto rows = selected(request);
    reply(rows ? success(std::move(*rows)) : refusal(Status::wrong_input, {rows.error()}));
}

void Daemon::answer(const ApplyRequest& request, const Reply& reply) {
    apply(request, [reply, within = request.confirm_within](const Adopted& adopted) {
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

void Daemon::answer(const ConfirmRequest&, const Reply& reply) {
    if (!confirmation_.confirm()) {
        return reply(refusal(Status::failed, {"confirm: nothing waits for it; it is for what "
                                              "`sluice apply --confirm TIME` applied"}));
    }
    startup_file_.stays();
    events_.notice("confirmed", {}, "what was applied stays");
    reply(success({{"confirmed", true}}));
}

void Daemon::answer(const SourceRequest&, const Reply& reply) {
    reply(success({{"file", startup_file_.path()},
                   {"known", startup_file_.known()},
                   {"text", publisher_->running().source.text},
                   {"number", number_},
                   {"to_be_confirmed", confirmation_.waits() || is_going_back_}}));
}

void Daemon::answer(const SavedRequest& request, const Reply& reply) {
    startup_file_.holds(request.text);
    events_.notice(
        "saved", {},
        fmt::format("the running configuration is in {}", config::escaped(startup_file_.path())));
    reply(success({{"saved", true}}));
}

}  // namespace sluice::control
