// Requests that clear: learned addresses, counters, watermarks.
#include <fmt/format.h>

#include "control/daemon/requests.h"
#include "control/port_names.h"

namespace sluice::control {

void Requests::answer(const FlushFdbRequest& request, const Reply& reply) {
    Switch& dataplane = parts_.runtime.dataplane();
    std::string which = "every learned address";
    if (request.port) {
        const auto ports = ports_called(*request.port, parts_.services.running());
        if (!ports) return reply(refusal(Status::wrong_input, {ports.error()}));
        dataplane.flush_fdb_port(first_of(*ports));
        which = "every address learned there";
    } else if (request.vlan) {
        dataplane.flush_fdb_vlan(*request.vlan);
        which = fmt::format("every address learned in VLAN {}", *request.vlan);
    } else {
        dataplane.flush_fdb();
    }
    parts_.services.managers.querier.ask_again(parts_.runtime.clock().now());
    parts_.services.state.keep_soon(parts_.runtime.clock().now());
    parts_.events.notice("fdb_flushed", request.port.value_or(""), which + " forgotten");
    reply(success({{"flushed", true}}));
}

void Requests::answer(const ClearCountersRequest&, const Reply& reply) {
    parts_.services.counters.clear();
    parts_.services.state.keep_soon(parts_.runtime.clock().now());
    parts_.events.notice("cleared", {}, "counters cleared");
    reply(success({{"cleared", true}}));
}

void Requests::answer(const ClearWatermarksRequest&, const Reply& reply) {
    parts_.runtime.dataplane().clear_watermarks();
    parts_.events.notice("cleared", {}, "watermarks reset");
    reply(success({{"cleared", true}}));
}

}  // namespace sluice::control
