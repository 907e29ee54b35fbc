#include "config/bridge/vlan_members.h"

#include <fmt/format.h>

#include "config/bridge/port_vlans.h"

namespace sluice::config {

VlanMembers::VlanMembers(const Value& file) : vlans_(file["vlans"]) {
    for (const Value& vlan : vlans_.items) {
        for (const Value& name : vlan["ports"].items) {
            members_[vlan["id"].number].insert(name.text);
        }
    }
    for (const Value& mirror : file["mirrors"].items) {
        if (mirror["bridged"].number == 0) mirrors_.insert(mirror["to"].text);
    }
}

void VlanMembers::require(const Value& name, const Value& port, int64_t vlan,
                          Report& report) const {
    const auto remedy = missing(port, vlan);
    if (!remedy) return;
    report.add(name.at, name.path, fmt::format("port {} is not in VLAN {}", name.text, vlan),
               std::string(*remedy));
}

std::optional<std::string_view> VlanMembers::missing(const Value& port, int64_t vlan) const {
    if (mirrors_.contains(port["name"].text)) return "write bridged: true for its mirror";
    if (is_aware_of_tags(port)) {
        const bool has = !port["vlan"].valid || has_vlan(port, static_cast<VlanId>(vlan));
        return has ? std::nullopt : std::optional("give the port that VLAN under its vlan");
    }
    if (!vlans_.written || !vlans_.valid) return std::nullopt;
    const auto found = members_.find(vlan);
    if (found != members_.end() && found->second.contains(port["name"].text)) return std::nullopt;
    return "add it to that VLAN under vlans";
}

}  // namespace sluice::config
