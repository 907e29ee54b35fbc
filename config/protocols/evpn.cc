#include "config/protocols/evpn.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "config/bridge/port_vlans.h"
#include "config/bridge/vlan_members.h"
#include "config/port/encapsulations.h"

namespace sluice::config {

namespace {

// Returns the VLAN of the network at the port; 0: the VLAN in which the port's frames are bridged.
// Nothing: the port is not in the network.
std::optional<VlanId> vlan_in(const Value& port, int64_t vni) {
    const std::vector<VlanVni> networks = networks_of(port);
    const auto found = std::ranges::find(networks, vni, &VlanVni::vni);
    if (found != networks.end()) return found->vlan;
    const auto encapsulation = encapsulation_of(port);
    const auto* const vxlan = encapsulation ? std::get_if<VxlanTunnel>(&*encapsulation) : nullptr;
    return vxlan != nullptr && networks.empty() && vxlan->vni == vni ? std::optional(VlanId{0})
                                                                     : std::nullopt;
}

class EvpnRules {
  public:
    EvpnRules(const Value& file, Report& report) : file_(file), report_(report), members_(file) {}

    void check() {
        const Value& evpn = file_["evpn"];
        const Value& vnis = evpn["vnis"];
        if (vnis.valid && vnis.items.empty()) return unused(evpn);
        for (const Value& vni : vnis.items) {
            if (!vni.valid) continue;
            once(vni["vni"], fmt::format("{}", vni["vni"].number));
            once(vni["vlan"], fmt::format("{}", vni["vlan"].number));
            once(vni["device"], vni["device"].text);
            once(vni["local_device"], vni["local_device"].text);
            check_learning(vni);
            check_tunnels(vni);
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void unused(const Value& evpn) {
        for (const Value& key : evpn.items) {
            if (key.name == "vnis" || !key.written || !key.valid) continue;
            fault(key, "has no meaning without evpn.vnis", "leave it out, or write evpn.vnis");
        }
    }

    // Reports a value that another network has too. Names of devices are compared across `device`
    // and `local_device`.
    void once(const Value& value, const std::string& said) {
        const bool is_device = value.name == "device" || value.name == "local_device";
        const std::string_view kind = is_device ? std::string_view("device") : value.name;
        const auto [first, is_new] = seen_.emplace(std::pair(kind, said), &value);
        if (is_new) return;
        fault(value, fmt::format("{} is also that of {}", said, first->second->path),
              "give each network its own");
    }

    void check_tunnels(const Value& vni) {
        const Value* first = nullptr;
        for (const Value& port : file_["ports"].items) {
            if (!port["device"].valid || !is_tunnel(port)) continue;
            if (!vlan_in(port, vni["vni"].number)) continue;
            if (first == nullptr) first = &port;
            check_tunnel(port, vni, *first);
        }
        if (first != nullptr) return;
        fault(vni["vni"], fmt::format("no tunnel belongs to network {}", vni["vni"].number),
              fmt::format("write a port with device: \"vxlan:PORT/{}\"", vni["vni"].number));
    }

    // Checks that the port is in the network's VLAN, untagged, and in no other VLAN; for a port
    // with `vnis`, that the VLAN is the one that `vnis` maps.
    void check_vlan(const Value& port, const Value& vni) {
        const int64_t vlan = vni["vlan"].number;
        if (has_vnis(port)) {
            const auto mapped = vlan_in(port, vni["vni"].number);
            if (mapped == vlan || !vni["vlan"].valid) return;
            return fault(vni["vlan"],
                         fmt::format("is {}, and {}.vnis has VNI {} for VLAN {}", vlan, port.path,
                                     vni["vni"].number, *mapped),
                         fmt::format("write vlan: {}", *mapped));
        }
        const auto own = untagged_vlan(port);
        if (port["vlan"].valid && own != static_cast<VlanId>(vlan)) {
            return fault(
                vni["vlan"],
                fmt::format("is {}, and frames of {} are bridged in {}", vlan, port["name"].text,
                            own ? fmt::format("{}", *own) : "none"),
                fmt::format("write vlan: {{mode: access, access: {}}} at {}", vlan, port.path));
        }
        members_.require(port["name"], port, vlan, report_);
        const bool is_trunk = port["vlan"]["mode"].text == "trunk";
        if (is_trunk && port["vlan"]["allowed"].written) {
            fault(port["vlan"]["allowed"],
                  fmt::format("is not supported on a tunnel of {}, which is in one VLAN", vni.path),
                  fmt::format("write vlan: {{mode: access, access: {}}}", vlan));
        }
        if (is_aware_of_tags(port)) return;
        for (const Value& other : file_["vlans"].items) {
            if (!other["id"].valid || other["id"].number == vlan) continue;
            for (const Value& member : other["ports"].items) {
                if (member.text != port["name"].text) continue;
                fault(member, fmt::format("is a tunnel of {}, only in VLAN {}", vni.path, vlan),
                      "leave it out");
            }
        }
    }

    // Reports a VLAN without learning: such a VLAN would have no addresses to advertise.
    void check_learning(const Value& vni) {
        for (const Value& vlan : file_["vlans"].items) {
            if (!vlan["id"].valid || vlan["id"].number != vni["vlan"].number) continue;
            if (!vlan["learning"].valid || vlan["learning"].number != 0) continue;
            fault(vlan["learning"], fmt::format("is false in the VLAN of {}", vni.path),
                  "write true there: what is learned there is advertised");
        }
    }

    void check_tunnel(const Value& port, const Value& vni, const Value& first) {
        check_vlan(port, vni);
        for (const Value& entry : file_["fdb"]["static"].items) {
            if (entry["port"].text != port["name"].text) continue;
            fault(
                entry["port"],
                fmt::format("is a tunnel of {}, whose addresses the routing daemon sets", vni.path),
                "leave the entry out");
        }
        const Value& sticky = port["fdb"]["sticky"];
        if (sticky.valid && sticky.number != 0) {
            fault(sticky,
                  fmt::format("is not supported on a tunnel of {}, which learns no addresses",
                              vni.path),
                  "write false there");
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != port["name"].text) continue;
                fault(member, fmt::format("is a tunnel of {}", vni.path), "leave it out");
            }
        }
        const auto below = tunnel_device(port)->underlay;
        if (below == tunnel_device(first)->underlay) return;
        fault(port["device"],
              fmt::format("is over {}, and {} of the same network over {}", below, first.path,
                          tunnel_device(first)->underlay),
              "name one port below, whose address is this end of all of them");
    }

    const Value& file_;
    Report& report_;
    VlanMembers members_;
    std::map<std::pair<std::string_view, std::string>, const Value*> seen_;
};

}  // namespace

void check_evpn(const Value& file, Report& report) { EvpnRules(file, report).check(); }

EvpnConfig evpn_config(const Value& evpn) {
    EvpnConfig config{.vnis = {},
                      .grace = Nanos(evpn["grace"].number),
                      .daemon_socket = evpn["daemon_socket"].text};
    for (const Value& vni : evpn["vnis"].items) {
        config.vnis.push_back({.vni = static_cast<uint32_t>(vni["vni"].number),
                               .vlan = static_cast<VlanId>(vni["vlan"].number),
                               .device = vni["device"].text,
                               .local_device = vni["local_device"].text,
                               .neigh_suppress = vni["neigh_suppress"].number != 0});
    }
    return config;
}

std::map<Ipv4Address, PortIndex> tunnels_of(const VniConfig& vni,
                                            const std::vector<PortConfig>& ports) {
    std::map<Ipv4Address, PortIndex> tunnels;
    for (PortIndex port = 0; port < ports.size(); ++port) {
        const auto& tunnel = ports[port].tunnel;
        if (!tunnel || leads_to_many(tunnel->encapsulation)) continue;
        const auto* const vxlan = std::get_if<VxlanTunnel>(&tunnel->encapsulation);
        if (vxlan != nullptr && vxlan->vni == vni.vni) tunnels.emplace(vxlan->remote, port);
    }
    return tunnels;
}

std::optional<PortIndex> tunnel_to_many_of(const VniConfig& vni,
                                           const std::vector<PortConfig>& ports) {
    for (PortIndex port = 0; port < ports.size(); ++port) {
        const auto& tunnel = ports[port].tunnel;
        if (!tunnel) continue;
        const std::vector<VlanVni>& networks = tunnel->networks;
        if (std::ranges::find(networks, vni.vni, &VlanVni::vni) != networks.end()) return port;
    }
    return std::nullopt;
}

void join_evpn(const Value& file, Configuration& built) {
    for (const VniConfig& vni : built.evpn.vnis) {
        built.settings.vlan.neigh_suppress[vni.vlan] = vni.neigh_suppress;
        for (const auto& [vtep, port] : tunnels_of(vni, built.ports)) {
            built.settings.ports[port].evpn = true;
            const Value& dcbx = file["ports"].items[port]["dcbx"];
            if (!dcbx.is_own()) built.ports[port].dcbx.mode = DcbxMode::disabled;
        }
        if (const auto port = tunnel_to_many_of(vni, built.ports)) {
            built.settings.ports[*port].evpn = true;
        }
    }
    for (PortIndex port = 0; port < built.ports.size(); ++port) {
        const Value& written = file["ports"].items[port];
        if (!is_tunnel_to_many(written)) continue;
        built.ports[port].dcbx.mode = DcbxMode::disabled;
        if (!written["lldp"]["mode"].is_own()) built.ports[port].lldp.mode = LldpMode::disabled;
    }
}

}  // namespace sluice::config
