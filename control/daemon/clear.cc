// Requests that clear: learned addresses, counters, watermarks.
#include <fmt/format.h>

#include "control/daemon/requests.h"
#include "control/port_names.h"

namespace sluice::control {

namespace {

// Forgets the stations that point-to-multipoint tunnels have learned; `vlan`: only those of
// networks that carry this VLAN. A network that carries all VLANs does not tell them apart, and
// forgets all its stations.
void forget_stations(const Runtime& runtime, const Settings& settings, PortSet ports,
                     std::optional<VlanId> vlan) {
    for_each_port(ports, [&](PortIndex port) {
        Bundle* const bundle = port < settings.ports.size() ? runtime.bundle(port) : nullptr;
        if (bundle == nullptr) return;
        const bool is_member = !vlan || (settings.vlan.members[*vlan] & only(port)) != 0;
        for (std::size_t place = 0; place < bundle->count() && is_member; ++place) {
            Vteps& network = (*bundle)[place];
            const VlanId own = network.network().vlan;
            if (!vlan || own == 0 || own == *vlan) network.forget_stations();
        }
    });
}

}  // namespace

void Requests::answer(const FlushFdbRequest& request, const Reply& reply) {
    Switch& dataplane = parts_.runtime.dataplane();
    const Settings& settings = parts_.services.running().settings;
    PortSet ports_flushed = ~PortSet{0};
    std::string which = "every learned address";
    if (request.port) {
        const auto ports = ports_called(*request.port, parts_.services.running());
        if (!ports) return reply(refusal(Status::wrong_input, {ports.error()}));
        dataplane.flush_fdb_port(first_of(*ports));
        ports_flushed = *ports;
        which = "every address learned there";
    } else if (request.vlan) {
        dataplane.flush_fdb_vlan(*request.vlan);
        which = fmt::format("every address learned in VLAN {}", *request.vlan);
    } else {
        dataplane.flush_fdb();
    }
    forget_stations(parts_.runtime, settings, ports_flushed, request.vlan);
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
