// The part of EvpnManager that keeps the VTEPs of a point-to-multipoint tunnel
// (dataplane/tunnel/vteps.h).
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "control/evpn/manager.h"

namespace sluice::control {

Vteps* EvpnManager::vteps_of(const OneNetwork& of) const {
    Bundle* const bundle = of.to_many ? bundle_of_(*of.to_many) : nullptr;
    return bundle != nullptr ? bundle->of_vni(of.config.vni) : nullptr;
}

// Copies the VTEPs of the network to its tunnel and removes the other VTEPs, which no address uses
// any more. If the table was full, the removal makes room.
void EvpnManager::follow_vteps(const OneNetwork& of) const {
    Vteps* const vteps = vteps_of(of);
    if (vteps == nullptr) return;
    const auto& wanted = of.network.vteps();
    const auto add_all = [&] {
        bool had_room = true;
        for (const auto& [address, about] : wanted) {
            const auto id = vteps->add(address);
            had_room &= id.has_value();
            if (id) vteps->set_flooded(*id, about.floods);
        }
        return had_room;
    };
    const bool had_room = add_all();
    if (had_room && vteps->count() <= wanted.size()) return;
    std::vector<VtepId> gone;
    vteps->for_each([&](VtepId id, const VtepWay& way) {
        if (!wanted.contains(way.remote)) gone.push_back(id);
    });
    for (const VtepId id : gone) vteps->remove(id);
    if (!had_room) add_all();
}

void EvpnManager::place_behind(const OneNetwork& of, MacAddress address,
                               std::optional<Ipv4Address> vtep) const {
    Vteps* const vteps = vteps_of(of);
    if (vteps == nullptr) return;
    auto id = vtep ? vteps->add(*vtep) : std::nullopt;
    if (vtep && !id) {
        follow_vteps(of);
        id = vteps->add(*vtep);
    }
    if (!id || !vteps->bind(address, *id)) vteps->unbind(address);
}

// Sums over all networks of a port, because events are counted by port.
void EvpnManager::report_stations_left_out(Nanos now) {
    const EventSink::Time time(std::chrono::nanoseconds(now.count()));
    struct LeftOut {
        uint64_t addresses = 0;
        std::string networks;
    };
    std::map<PortIndex, LeftOut> by_port;
    for (const auto& of : networks_) {
        const Vteps* const vteps = vteps_of(*of);
        if (vteps == nullptr || vteps->left_out() == 0) continue;
        LeftOut& left_out = by_port[*of->to_many];
        left_out.addresses += vteps->left_out();
        left_out.networks +=
            fmt::format("{}{}", left_out.networks.empty() ? "" : ", ", of->config.vni);
    }
    for (const auto& [port, left_out] : by_port) {
        const auto more = events_.growth("evpn_no_room", port, left_out.addresses, time);
        if (!more) continue;
        events_.warn("evpn_no_room", {},
                     fmt::format("VNI {}: no room for {} MAC addresses reached through VTEPs; "
                                 "frames to them are flooded",
                                 left_out.networks, *more));
    }
}

}  // namespace sluice::control
