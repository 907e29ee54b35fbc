#include "control/lldp/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/protocols/lldp_keys.h"
#include "config/yaml/values.h"
#include "control/bridge_address.h"
#include "control/lldp/text.h"

namespace sluice::control {

namespace {

static_assert(std::ranges::equal(config::keys::lldp_destinations, lldp::destinations, {}, {},
                                 &lldp::DestinationRow::name),
              "bits of the configuration are those of the agent");

lldp::Mode mode_of(const config::Configuration& configuration, std::size_t port) {
    const bool down = !configuration.settings.ports[port].enabled;
    if (!configuration.lldp.enabled || down) return lldp::Mode::disabled;
    switch (configuration.ports[port].lldp.mode) {
        case config::LldpMode::tx:
            return lldp::Mode::tx;
        case config::LldpMode::rx:
            return lldp::Mode::rx;
        case config::LldpMode::both:
            return lldp::Mode::both;
        default:
            return lldp::Mode::disabled;
    }
}

lldp::Octets id_of(uint8_t subtype, std::string_view text) {
    lldp::Octets id(1 + text.size(), subtype);
    std::ranges::copy(text, id.begin() + 1);
    return id;
}

lldp::Octets id_of(uint8_t subtype, MacAddress address) {
    lldp::Octets id(7, subtype);
    write_address(&id[1], address);
    return id;
}

lldp::Octets chassis_id_of(const config::LldpConfig& about, MacAddress bridge) {
    const auto mac_address = static_cast<uint8_t>(lldp::ChassisIdSubtype::mac_address);
    const std::string& chosen = about.chassis_id;
    if (const auto address = config::parse_address(chosen)) {
        return id_of(mac_address, MacAddress{static_cast<uint64_t>(*address)});
    }
    if (!chosen.empty()) return id_of(static_cast<uint8_t>(lldp::ChassisIdSubtype::local), chosen);
    return id_of(mac_address, bridge);
}

lldp::Octets port_id_of(const config::PortConfig& port) {
    if (!port.lldp.port_id.empty()) {
        return id_of(static_cast<uint8_t>(lldp::PortIdSubtype::local), port.lldp.port_id);
    }
    return id_of(static_cast<uint8_t>(lldp::PortIdSubtype::interface_name), port.name);
}

lldp::AgentSettings settings_of(const config::Configuration& configuration, std::size_t port,
                                MacAddress bridge, const std::string& host_name) {
    const config::LldpConfig& about = configuration.lldp;
    lldp::AgentSettings settings;
    settings.mode = mode_of(configuration, port);
    settings.times.interval = about.interval;
    settings.hold = about.hold;
    settings.destinations = configuration.ports[port].lldp.destinations;
    settings.address = configuration.settings.ports[port].address;
    settings.longest = std::min(lldp::longest_lldpdu,
                                static_cast<std::size_t>(configuration.ports[port].mtu.count()));
    lldp::Lldpdu& local = settings.local;
    local.chassis_id = chassis_id_of(about, bridge);
    local.port_id = port_id_of(configuration.ports[port]);
    local.port_description = configuration.ports[port].lldp.description;
    local.system_name = about.system_name.empty() ? host_name : about.system_name;
    local.system_description = about.system_description;
    local.capabilities = {lldp::bridge_capability, lldp::bridge_capability};
    if (!about.management_address.empty()) {
        const bool ipv4 = about.management_address.size() == 4;
        local.management_addresses = {{.family = ipv4 ? lldp::ipv4_family : lldp::ipv6_family,
                                       .address = about.management_address}};
    }
    return settings;
}

// Passes the current neighbours to the provider, if there is one.
void inform(lldp::TlvProvider* provider, lldp::Agent& agent, Nanos now) {
    if (provider == nullptr) return;
    agent.set_organisational(provider->neighbours(agent.organisational(), now), now);
}

std::string_view verb_of(lldp::NeighbourEvent event) {
    switch (event) {
        case lldp::NeighbourEvent::added:
            return "added";
        case lldp::NeighbourEvent::changed:
            return "changed";
        default:
            return "removed";
    }
}

}  // namespace

LldpManager::LldpManager(Switch& dataplane, const config::Configuration& configuration,
                         std::string host_name, EventSink& events)
    : dataplane_(dataplane),
      events_(events),
      bridge_address_(bridge_address(configuration)),
      host_name_(std::move(host_name)) {
    for (std::size_t port = 0; port < configuration.ports.size(); ++port) {
        agents_.emplace_back(settings_of(configuration, port, bridge_address_, host_name_));
    }
    providers_.resize(agents_.size());
}

void LldpManager::set_provider(PortIndex port, std::unique_ptr<lldp::TlvProvider> provider,
                               Nanos now) {
    providers_[port] = std::move(provider);
    inform(providers_[port].get(), agents_[port], now);
}

template <class Visit>
void LldpManager::on_each_port(Nanos now, Visit visit) {
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        apply(port, visit(port), now);
        send(port, now);
    }
}

void LldpManager::configure(const config::Configuration& configuration, Nanos now) {
    on_each_port(now, [&](PortIndex port) {
        return agents_[port].configure(
            settings_of(configuration, port, bridge_address_, host_name_), now);
    });
}

void LldpManager::set_link(PortIndex port, Link link, Nanos now) {
    apply(port, agents_[port].set_link(link.up, now), now);
}

void LldpManager::tick(Nanos now) {
    on_each_port(now, [&](PortIndex port) { return receive(port, now); });
}

// The removal of neighbours is not reported, because this switch ends.
void LldpManager::stop(Nanos now) {
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        if (!agents_[port].stop(now).empty()) inform(providers_[port].get(), agents_[port], now);
        send(port, now);
    }
}

lldp::NeighbourChanges LldpManager::receive(PortIndex port, Nanos now) {
    lldp::Agent& agent = agents_[port];
    lldp::NeighbourChanges changes = agent.expire(now);
    Mailbox& box = dataplane_.received(port);
    for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
        if (!listener_ || !listener_(port, box.front())) {
            std::ranges::move(agent.receive(box.front(), now), std::back_inserter(changes));
        }
        box.pop();
    }
    return changes;
}

void LldpManager::apply(PortIndex port, lldp::NeighbourChanges changes, Nanos now) {
    if (changes.empty()) return;
    inform(providers_[port].get(), agents_[port], now);
    for (const lldp::NeighbourChange& change : changes) {
        events_.report(notice(kind_of(change.what), port, text_of(change)), now);
    }
}

std::vector<std::vector<MacAddress>> LldpManager::neighbour_addresses() const {
    std::vector<std::vector<MacAddress>> by_port;
    for (const lldp::Agent& agent : agents_) {
        std::vector<MacAddress>& stations = by_port.emplace_back();
        for (const lldp::Neighbour& neighbour : agent.neighbours()) {
            if (neighbour.to != lldp::Destination::nearest_bridge) continue;
            std::ranges::copy(lldp::addresses_of(neighbour), std::back_inserter(stations));
        }
    }
    return by_port;
}

// A frame for which the dataplane's mailbox has no room is sent at a later call.
void LldpManager::send(PortIndex port, Nanos now) {
    if (providers_[port]) agents_[port].set_organisational(providers_[port]->to_send(), now);
    while (auto frame = agents_[port].next_frame(now)) {
        if (dataplane_.send_for_control(port, *frame)) continue;
        agents_[port].requeue(std::move(*frame), now);
        return;
    }
}

std::string text_of(const lldp::NeighbourChange& change) {
    const lldp::Lldpdu& says = change.neighbour.lldpdu;
    const std::string name = says.system_name ? lldp::printable(*says.system_name) : "";
    const bool nearest = change.neighbour.to == lldp::Destination::nearest_bridge;
    return fmt::format("LLDP neighbour {}{}chassis {}, port {} {}{}{}", name,
                       name.empty() ? "" : ", ", lldp::chassis_text(says.chassis_id),
                       lldp::port_text(says.port_id), verb_of(change.what), nearest ? "" : ", by ",
                       nearest ? "" : lldp::name_of(change.neighbour.to));
}

std::string kind_of(lldp::NeighbourEvent event) {
    switch (event) {
        case lldp::NeighbourEvent::added:
            return "lldp_neighbour_added";
        case lldp::NeighbourEvent::changed:
            return "lldp_neighbour_changed";
        default:
            return "lldp_neighbour_removed";
    }
}

}  // namespace sluice::control
