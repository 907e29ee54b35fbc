// What a daemon is to forget: learned addresses, counters, the most that was held.
#include <fmt/format.h>

#include "control/daemon/daemon.h"
#include "control/port_names.h"

namespace sluice::control {

void Daemon::answer(const FlushFdbRequest& request, const Reply& reply) {
    Switch& dataplane = runtime_->dataplane();
    std::string which = "every learned address";
    if (request.port) {
        const auto ports = ports_called(*request.port, publisher_->running());
        if (!ports) return reply(refusal(Status::wrong_input, {ports.error()}));
        dataplane.flush_fdb_port(first_of(*ports));
        which = "every address learned there";
    } else if (request.vlan) {
        dataplane.flush_fdb_vlan(*request.vlan);
        which = fmt::format("every address learned in VLAN {}", *request.vlan);
    } else {
        dataplane.flush_fdb();
    }
    managers_->querier.ask_again(runtime_->clock().now());
    state_->keep_soon(runtime_->clock().now());
    events_.notice("fdb_flushed", request.port.value_or(""), which + " forgotten");
    reply(success({{"flushed", true}}));
}

void Daemon::answer(const ClearCountersRequest&, const Reply& reply) {
    counters_.clear();
    state_->keep_soon(runtime_->clock().now());
    events_.notice("cleared", {}, "counters are shown from here on");
    reply(success({{"cleared", true}}));
}

void Daemon::answer(const ClearWatermarksRequest&, const Reply& reply) {
    runtime_->dataplane().clear_watermarks();
    events_.notice("cleared", {}, "the most that was held is of here on");
    reply(success({{"cleared", true}}));
}

}  // namespace sluice::control
