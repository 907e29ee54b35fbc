#include "config/bridge/port_vlans.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/port/formats.h"
#include "config/yaml/vlan_range.h"

namespace sluice::config {

bool is_aware_of_tags(const Value& port) {
    return choice<VlanMode>(port["vlan"]["mode"]) != VlanMode::transparent;
}

std::optional<VlanId> untagged_vlan(const Value& port) {
    const Value& vlan = port["vlan"];
    const bool trunk = vlan["mode"].text == "trunk";
    const Value& own = trunk ? vlan["native"] : vlan["access"];
    if (own.written) return static_cast<VlanId>(own.number);
    if (trunk) return {};
    return static_cast<VlanId>(port["default_vlan"].number);
}

bool has_vlan(const Value& port, VlanId vlan) {
    if (!is_aware_of_tags(port)) return false;
    if (untagged_vlan(port) == vlan) return true;
    if (port["vlan"]["mode"].text != "trunk") return false;
    const std::vector<Value>& allowed = port["vlan"]["allowed"].items;
    return std::any_of(allowed.begin(), allowed.end(), [&](const Value& range) {
        return range.valid && VlanRange::of(range.number).contains(vlan);
    });
}

void check_vlan_keys(const Value& file, const Value& port, Report& report) {
    const auto fault = [&](const Value& value, std::string what, std::string remedy) {
        report.add(value.at, value.path, std::move(what), std::move(remedy));
    };
    const Value& vlan = port["vlan"];
    const Value& mode = vlan["mode"];
    if (!mode.valid) return;
    const auto only_beside = [&](std::string_view key, std::string_view modes) {
        if (!vlan[key].written || modes.find(mode.text) != std::string_view::npos) return;
        fault(vlan[key], fmt::format("has no meaning with mode {}", mode.text),
              fmt::format("leave it out, or write mode: {}", modes));
    };
    only_beside("access", "access");
    only_beside("native", "trunk");
    only_beside("allowed", "trunk");
    only_beside("accept", "access or trunk");
    only_beside("tpid", "access or trunk");
    // A tag is inserted before the EtherType, whatever the twelve octets before it contain.
    const auto format = format_named(file, port["format"].text);
    if (mode.text != "transparent" && format && !format->ether_type) {
        fault(mode,
              fmt::format("frames of format {} have no EtherType, so no tag of 802.1Q",
                          port["format"].text),
              "write mode: transparent, or a format with ether_type: true");
    }
    const bool takes_nothing =
        mode.text == "trunk" && vlan["accept"].text == "untagged" && !vlan["native"].written;
    if (takes_nothing) {
        fault(vlan["accept"], "a trunk without a native VLAN accepts no frame without a tag",
              "write native, or accept: tagged");
    }
}

}  // namespace sluice::config
