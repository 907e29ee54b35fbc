#include "control/runtime/requests.h"

#include <fmt/format.h>

#include <utility>

#include "config/places.h"
#include "config/port/host_keys.h"
#include "config/yaml/fault.h"
#include "dataplane/retry/resequence_buffer.h"
#include "pmd_glue/device.h"
#include "pmd_glue/xdp/layout.h"

namespace sluice::control {
namespace {

static_assert(config::keys::most_host_rules <= xdp_most_rules);

pmd::xdp::HostShare host_share(const config::HostConfig& host) {
    pmd::xdp::HostShare share{.addresses = host.addresses, .rules = {}};
    for (const config::HostRuleConfig& rule : host.rules) {
        share.rules.push_back({.mac = rule.mac, .vlan = rule.vlan, .ethertype = rule.ethertype});
    }
    return share;
}

}  // namespace

std::string line_for(const config::Configuration& configuration, const std::string& key,
                     const pmd::Error& error) {
    return config::to_string({.file = configuration.source.file,
                              .at = configuration.source.position_of(key),
                              .path = key,
                              .what = fmt::format("{}: {}", error.key, error.what),
                              .remedy = error.remedy});
}

std::string device_key(std::size_t port) { return fmt::format("ports[{}].device", port); }

PortSet ports_of(const config::Configuration& configuration) {
    return first_ports(configuration.ports.size()) & ~config::vacant_places(configuration);
}

tl::expected<std::vector<pmd::PortRequest>, StartFailure> port_requests(
    const config::Configuration& configuration, PortSet ports) {
    std::vector<pmd::PortRequest> requests;
    StartFailure failure{Status::wrong_input, {}};
    for_each_port(ports, [&](PortIndex port) {
        const config::PortConfig& about = configuration.ports[port];
        auto device = pmd::parse_device(about.device);
        if (!device) {
            failure.lines.push_back(
                line_for(configuration, device_key(about.listed), device.error()));
            return;
        }
        pmd::PortRequest request;
        request.name = about.name;
        request.device = std::move(*device);
        request.has_checked_capture = true;  // check_captures has checked the capture
        request.mtu = static_cast<uint16_t>((about.mtu + about.in_front).count());
        request.promiscuous = about.promiscuous;
        request.address = about.address;
        if (about.rx_descriptors != 0) request.rx_descriptors = about.rx_descriptors;
        if (about.tx_descriptors != 0) request.tx_descriptors = about.tx_descriptors;
        request.kept = frames_behind_gaps(configuration.settings.ports[port].retry);
        for (const LaneSettings& lane : configuration.settings.lanes) {
            if (lane.port == port) ++request.lanes;
        }
        request.asked = {
            .obeys_pauses = receives_pauses(configuration.settings.ports[port], about.dcbx),
            .receives_lldp = receives_lldp(configuration, port)};
        const PfcSettings& pfc = configuration.settings.ports[port].pfc;
        request.queues = {.by_nic = pfc.by == PfcBy::queues, .lossless = pfc.lossless};
        request.host = host_share(about.host);
        if (about.underlay) request.underlay = about.underlay->addresses();
        if (about.tunnel) {
            const PortIndex below = configuration.settings.ports[port].underlay;
            constexpr uint32_t most_stations = 65536;
            request.tunnel = {
                .underlay = below,
                .encapsulation = about.tunnel->encapsulation,
                .marks = configuration.ports[below].underlay->marks,
                .networks = about.tunnel->networks,
                .stations = std::min(configuration.settings.fdb.capacity, most_stations),
                .learns = !configuration.settings.ports[port].evpn,
                .seed = configuration.settings.fdb.hash_seed,
                .remotes = about.tunnel->remotes};
        }
        if (const auto error = pmd::check_queues(request)) {
            failure.lines.push_back(
                line_for(configuration, fmt::format("ports[{}].pfc.by", about.listed), *error));
            return;
        }
        if (const auto error = pmd::check_lanes(request)) {
            failure.lines.push_back(line_for(configuration, device_key(about.listed), *error));
            return;
        }
        requests.push_back(std::move(request));
    });
    if (!failure.lines.empty()) return tl::unexpected(std::move(failure));
    return requests;
}

}  // namespace sluice::control
