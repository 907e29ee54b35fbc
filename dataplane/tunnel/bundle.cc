#include "dataplane/tunnel/bundle.h"

#include <cassert>

namespace sluice {

Bundle::Bundle(std::span<const VlanVni> networks, std::size_t stations, bool learns,
               uint64_t seed) {
    assert(!networks.empty() && networks.size() <= most);
    const std::size_t share = most_stations / std::max<std::size_t>(networks.size(), 1);
    const bool is_by_vlan = networks.front().vlan != 0;
    if (is_by_vlan) by_vlan_.assign(vlans, static_cast<uint16_t>(most));
    for (const VlanVni& network : networks) {
        const auto place = static_cast<uint16_t>(networks_.size());
        networks_.push_back(
            std::make_unique<Vteps>(network, std::min(stations, share), learns, seed + place));
        if (!is_by_vlan) continue;
        assert(network.vlan < vlans && by_vlan_[network.vlan] == most);
        by_vlan_[network.vlan] = place;
        by_vni_.push_back({network.vni, static_cast<uint8_t>(place)});
    }
    std::ranges::sort(by_vni_, {}, &ByVni::vni);
}

std::size_t Bundle::vteps() const {
    std::size_t sum = 0;
    for (const auto& network : networks_) sum += network->count();
    return sum;
}

void keep_remotes(Bundle& bundle, std::span<const Ipv4Address> remotes) {
    std::vector<Ipv4Address> wanted(remotes.begin(), remotes.end());
    std::ranges::sort(wanted);
    for (std::size_t network = 0; network < bundle.count(); ++network) {
        Vteps& vteps = bundle[network];
        std::vector<VtepId> gone;
        vteps.for_each([&](VtepId id, const VtepWay& way) {
            if (!std::ranges::binary_search(wanted, way.remote)) gone.push_back(id);
        });
        for (const VtepId id : gone) vteps.remove(id);
        for (const Ipv4Address remote : wanted) {
            if (const auto id = vteps.add(remote)) vteps.set_flooded(*id, true);
        }
    }
}

}  // namespace sluice
