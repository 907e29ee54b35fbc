// The part of EvpnManager that keeps the VTEPs of a tunnel to many (dataplane/tunnel/vteps.h).
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "control/evpn/manager.h"

namespace sluice::control {

Vteps* EvpnManager::vteps_of(const OneNetwork& of) const {
    return of.to_many ? vteps_of_(*of.to_many) : nullptr;
}

// Those of the network. One that is there no more has no address behind it.
void EvpnManager::follow_vteps(const OneNetwork& of) const {
    Vteps* const vteps = vteps_of(of);
    if (vteps == nullptr) return;
    const auto& wanted = of.network.vteps();
    for (const auto& [address, about] : wanted) {
        if (const auto id = vteps->add(address)) vteps->set_flooded(*id, about.floods);
    }
    if (vteps->count() <= wanted.size()) return;
    std::vector<VtepId> gone;
    vteps->for_each([&](VtepId id, const VtepWay& way) {
        if (!wanted.contains(way.remote)) gone.push_back(id);
    });
    for (const VtepId id : gone) vteps->remove(id);
}

void EvpnManager::report_stations_left_out(Nanos now) {
    const EventSink::Time time(std::chrono::nanoseconds(now.count()));
    for (const auto& of : networks_) {
        const Vteps* const vteps = vteps_of(*of);
        if (vteps == nullptr) continue;
        const auto more = events_.growth("evpn_no_room", *of->to_many, vteps->left_out(), time);
        if (!more) continue;
        events_.warn(
            "evpn_no_room", {},
            fmt::format("VNI {}: {} addresses found no room among those behind VTEPs, and are "
                        "flooded to",
                        of->config.vni, *more));
    }
}

}  // namespace sluice::control
