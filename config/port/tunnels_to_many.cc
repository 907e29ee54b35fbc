#include "config/port/tunnels_to_many.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/port/encapsulations.h"
#include "config/port/tunnel_kinds.h"
#include "dataplane/tunnel/bundle.h"

namespace sluice::config {

namespace {

class ToManyRules {
  public:
    ToManyRules(const Value& file, Report& report) : file_(file), report_(report) {}

    void check() {
        for (const Value& port : file_["ports"].items) {
            if (!port["device"].valid) continue;
            if (is_tunnel_to_many(port)) {
                if (has_vnis(port) && !check_vnis(port)) continue;
                has_vteps(port);
                is_alone_in_its_network(port);
                names_no_single_peer(port);
                is_no_end_of_one_station(port);
            } else if (!port["remotes"].items.empty() && encapsulation_of(port)) {
                fault(port["remotes"],
                      "is only valid on a point-to-multipoint tunnel; this one names its other end "
                      "in `device`",
                      "leave it out, or write device: \"vxlan:PORT/VNI\"");
            }
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    // Returns false if the port needs no further checks.
    bool check_vnis(const Value& port) {
        const Value& vnis = port["vnis"];
        if (!vnis.valid) return false;
        if (vnis.items.size() > Bundle::most) {
            fault(vnis, fmt::format("has {} VLANs", vnis.items.size()),
                  fmt::format("write up to {}, and the others at a port over another underlay",
                              Bundle::most));
            return false;
        }
        std::map<int64_t, const Value*> seen;
        for (const Value& vni : vnis.items) {
            const auto [first, is_new] = seen.emplace(vni.number, &vni);
            if (is_new) continue;
            fault(vni,
                  fmt::format("{} is also that of VLAN {}", vni.number, first->second->table_key),
                  "give each VLAN a VNI of its own");
        }
        if (port["vlan"].is_own()) {
            fault(port["vlan"], "is computed: a trunk of the VLANs of `vnis`", "leave it out");
        }
        const Value& lldp = port["lldp"]["mode"];
        if (lldp.is_own() && lldp.text != "disabled") {
            fault(lldp, "cannot be combined with `vnis`: frames without a VLAN are not sent there",
                  "leave it out, or write disabled");
        }
        const Value& guard = port["loop_guard"]["action"];
        if (guard.is_own() && guard.text != "off") {
            fault(guard, "cannot be combined with `vnis`: probes without a VLAN are not sent there",
                  "leave it out, or write off");
        }
        if (port["remark"].is_own()) {
            fault(port["remark"], "has no effect with `vnis`: frames are sent without a tag there",
                  "leave it out");
        }
        return true;
    }

    // Checks that `remotes` has VTEPs, or that a routing daemon knows the VTEPs of all networks of
    // the port.
    void has_vteps(const Value& port) {
        const Value& remotes = port["remotes"];
        if (!remotes.valid) return;
        const std::vector<VlanVni> networks = networks_of(port);
        const auto of_daemon = [&](const VlanVni& network) {
            return std::ranges::any_of(file_["evpn"]["vnis"].items, [&](const Value& of) {
                return of["vni"].number == network.vni;
            });
        };
        const auto known = std::ranges::find_if(networks, of_daemon);
        const auto unknown = std::ranges::find_if_not(networks, of_daemon);
        if (known != networks.end() && !remotes.items.empty()) {
            fault(remotes, fmt::format("names VTEPs of VNI {}, which evpn.vnis has", known->vni),
                  "leave it out: the routing daemon reports them");
        } else if (unknown != networks.end() && remotes.items.empty()) {
            if (known != networks.end()) {
                return fault(port["device"], fmt::format("has no VTEPs for VNI {}", unknown->vni),
                             fmt::format("write VNI {} under evpn.vnis as well", unknown->vni));
            }
            fault(port["device"], "has no VTEPs",
                  fmt::format("write remotes: [ADDRESS, ...], or VNI {} under evpn.vnis",
                              unknown->vni));
        }
    }

    static bool carries(const Value& port, uint32_t vni) {
        if (is_tunnel_to_many(port)) {
            const std::vector<VlanVni> networks = networks_of(port);
            return std::ranges::find(networks, vni, &VlanVni::vni) != networks.end();
        }
        const auto encapsulation = encapsulation_of(port);
        return encapsulation && facts_of(*encapsulation).vni == vni;
    }

    // If two ports were in one network, frames received by one would be sent by the other.
    void is_alone_in_its_network(const Value& port) {
        const std::vector<VlanVni> networks = networks_of(port);
        for (const Value& other : file_["ports"].items) {
            if (&other == &port || !other["device"].valid) continue;
            const auto both = std::ranges::find_if(
                networks, [&](const VlanVni& network) { return carries(other, network.vni); });
            if (both == networks.end()) continue;
            if (tunnel_device(other)->underlay != tunnel_device(port)->underlay) continue;
            fault(other[has_vnis(other) ? "vnis" : "device"],
                  fmt::format("has VNI {}, for which {} already leads to all VTEPs", both->vni,
                              port.path),
                  "leave it out, or write one port for each VTEP and no port for all");
        }
    }

    void names_no_single_peer(const Value& port) {
        const Value& lossless = port["lossless"];
        if (!lossless.items.empty()) {
            const bool by_defaults = lossless.is_of_defaults();
            fault(by_defaults ? port["device"] : lossless,
                  by_defaults ? "is lossless by `defaults`, which point-to-multipoint tunnels do "
                                "not support: a pause is between two ends"
                              : "is not supported on a point-to-multipoint tunnel: a pause is "
                                "between two ends",
                  fmt::format("write lossless: [] at {}, or a port for each VTEP "
                              "(vxlan:PORT/ADDRESS/VNI)",
                              port.path));
        }
        if (port["pause_relay"].written) {
            fault(port["pause_relay"],
                  "is not supported on a point-to-multipoint tunnel: a relay has one other end",
                  "leave it out, or write a port for that VTEP (vxlan:PORT/ADDRESS/VNI)");
        }
        if (port["next_hop"].written) {
            fault(port["next_hop"],
                  "is not supported on a point-to-multipoint tunnel: each VTEP has its own",
                  "leave it out, or write underlay.gateway at the port below");
        }
        const Value& dcbx = port["dcbx"];
        if (dcbx.written && !dcbx.is_of_defaults() && dcbx["mode"].text != "disabled") {
            fault(dcbx,
                  "is not supported on a point-to-multipoint tunnel: DCBX is between two ends",
                  "leave it out, or write mode: disabled");
        }
    }

    void is_no_end_of_one_station(const Value& port) {
        const std::string& name = port["name"].text;
        for (const Value& entry : file_["fdb"]["static"].items) {
            if (entry["port"].text != name) continue;
            fault(entry["port"],
                  fmt::format("{} is a point-to-multipoint tunnel, and no entry names the VTEP",
                              name),
                  "leave the entry out, or write a port for that VTEP");
        }
        for (const Value& mirror : file_["mirrors"].items) {
            if (mirror["to"].text != name) continue;
            fault(mirror["to"], fmt::format("{} is a point-to-multipoint tunnel", name),
                  "send the copies to a tunnel with one other end");
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != name) continue;
                fault(member, "is a point-to-multipoint tunnel", "leave it out");
            }
        }
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

void check_tunnels_to_many(const Value& file, Report& report) { ToManyRules(file, report).check(); }

}  // namespace sluice::config
