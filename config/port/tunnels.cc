#include "config/port/tunnels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "config/configuration.h"
#include "config/port/retry.h"
#include "config/port/tunnel_kinds.h"
#include "config/yaml/values.h"
#include "config/yaml/vlan_range.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice::config {

namespace {

// Returns the octets of an outer packet beyond the payload: the frame's header and two tags, the
// retry header if there is one, and the outer headers. The outer Ethernet header does not count for
// the MTU and is left out.
int64_t beyond_payload(const Value& port, const Encapsulation& encapsulation) {
    const auto outer = static_cast<int64_t>(outer_octets(encapsulation) - outer_network);
    return 22 + octets_in_front(port).count() + outer;
}

const Value* port_called(const Value& file, std::string_view name) {
    const std::vector<Value>& ports = file["ports"].items;
    const auto found =
        std::ranges::find_if(ports, [&](const Value& port) { return port["name"].text == name; });
    return found == ports.end() ? nullptr : &*found;
}

Value* item(Value& map, std::string_view name) {
    const auto found = std::ranges::find(map.items, name, &Value::name);
    return found == map.items.end() ? nullptr : &*found;
}

// Makes the port a trunk of the VLANs of `vnis`, whatever `defaults` has.
void become_trunk(Value& port) {
    Value& vlan = *item(port, "vlan");
    // `vlan` itself stays written, so that the rule about it still applies.
    for (Value& key : vlan.items) key.written = false;
    const auto choose = [&vlan](std::string_view key, auto value, std::string_view word) {
        Value& chosen = *item(vlan, key);
        chosen.number = static_cast<int64_t>(value);
        chosen.text = word;
    };
    choose("mode", VlanMode::trunk, "trunk");
    choose("accept", FrameTypes::tagged, "tagged");
    choose("tpid", TagType::customer, "0x8100");
    Value& allowed = *item(vlan, "allowed");
    allowed.items.clear();
    for (const VlanVni& network : networks_of(port)) {
        allowed.items.emplace_back().number = VlanRange{network.vlan, network.vlan}.number();
    }
}

class TunnelRules {
  public:
    TunnelRules(const Value& file, const PortNames& names, Report& report)
        : file_(file), names_(names), report_(report) {}

    void check() {
        check_underlays(file_, report_);
        const std::vector<Value>& ports = file_["ports"].items;
        for (const Value& port : ports) {
            const Value& next_hop = port["next_hop"];
            const bool right = check_encapsulation(port, report_);
            if (is_tunnel(port)) {
                if (right) check_tunnel(port);
            } else if (next_hop.written && port["device"].valid) {
                fault(next_hop, "is only valid on a tunnel port", "leave it out");
            }
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void check_tunnel(const Value& port) {
        const Value& device = port["device"];
        const auto config = tunnel_config(port);
        if (port["underlay"].written) return;
        if (port["format"].text != "standard") {
            fault(port["format"], "is not supported on a tunnel, which carries Ethernet",
                  "write standard, or leave it out");
        }
        if (!port["lanes"].items.empty()) {
            fault(port["lanes"], "is not supported on a tunnel, which its underlay's worker polls",
                  "leave it out");
        }
        if (port["pfc"]["by"].text == "nic" && !port["lossless"].items.empty()) {
            fault(port["pfc"]["by"], "nic is not supported on tunnels", "write by: switch");
        }
        if (has_vnis(port) && names_a_vni(device, config->underlay)) return;
        const Value* below = names_.find(named(device, config->underlay));
        if (below == nullptr || !(*below)["underlay"].valid) return;
        if (is_tunnel(*below)) {
            return fault(device, fmt::format("{} is a tunnel itself", config->underlay),
                         "name a port that is none");
        }
        const auto underlay = underlay_config(*below);
        if (!(*below)["underlay"].written) {
            return fault(device, fmt::format("port {} has no address", config->underlay),
                         fmt::format("write underlay: {{address: ...}} at {}", below->path));
        }
        if (!underlay) return;
        check_path(port, *config, *underlay);
        check_length(device, *config, *underlay);
        check_mtu(port, *below, config->encapsulation);
        check_worker(port, *below);
    }

    // Reports a VNI in the device string in addition to `vnis`, unless it is part of a port's name.
    bool names_a_vni(const Value& device, const std::string& underlay) {
        const std::size_t slash = underlay.rfind('/');
        if (slash == underlay.npos || port_called(file_, underlay) != nullptr ||
            port_called(file_, underlay.substr(0, slash)) == nullptr) {
            return false;
        }
        fault(device,
              fmt::format("names {} after the port, but `vnis` sets the VNIs",
                          underlay.substr(slash + 1)),
              fmt::format("write device: \"vxlan:{}\", or leave `vnis` out",
                          underlay.substr(0, slash)));
        return true;
    }

    // Returns the value of `device` with only the name of the port below as its text.
    static Value named(const Value& device, const std::string& name) {
        Value value = device;
        value.text = name;
        return value;
    }

    void check_length(const Value& device, const TunnelConfig& config,
                      const UnderlayConfig& underlay) {
        const std::size_t octets = outer_octets(config.encapsulation) + outer_tag_octets;
        if (underlay.vlan == 0 || octets <= most_outer_octets) return;
        fault(device,
              fmt::format("{} octets before a frame with the tag of underlay.vlan, and there is "
                          "room for {}",
                          octets, most_outer_octets),
              "write a segment less, or reduced_srh: true");
    }

    void check_path(const Value& port, const TunnelConfig& config, const UnderlayConfig& underlay) {
        const Value& device = port["device"];
        const Encapsulation& encapsulation = config.encapsulation;
        const TunnelFacts facts = facts_of(encapsulation);
        if (facts.first && !has_address(device, config, underlay, *facts.first)) return;
        if (is_tunnel_to_many(port)) {
            if (!check_remotes(port, config, underlay)) return;
        } else {
            if (const auto wrong = wrong_end_of(encapsulation, underlay, config.underlay)) {
                return fault(port[wrong->key], wrong->what, wrong->remedy);
            }
            check_way(device, config, underlay, facts.first);
        }
        // A second port with this device is reported as a fault of `device`.
        if (has_vnis(port)) return;
        const TunnelKind& kind = *tunnel_kind(facts.scheme);
        const bool by_device = kind.local_end.empty();
        const std::string local = by_device
                                      ? fmt::format("{}/{}", facts.path, facts.vni.value_or(0))
                                      : facts.keys.front().text;
        const auto [first, is_new] =
            seen_.emplace(fmt::format("{}:{}/{}", facts.scheme, config.underlay, local), &port);
        if (is_new) return;
        if (by_device) {
            return fault(device,
                         fmt::format("has the same destination as {}.device", first->second->path),
                         "give it another VNI, or leave it out");
        }
        fault(port[kind.keys.front()], fmt::format("is also that of {}", first->second->path),
              "give it another");
    }

    // Checks that the port below has an address of the IP version that the tunnel uses.
    bool has_address(const Value& device, const TunnelConfig& config,
                     const UnderlayConfig& underlay, const IpAddress& first) {
        const bool by_ipv4 = std::holds_alternative<Ipv4Address>(first);
        if (by_ipv4 ? underlay.address.has_value() : underlay.address6.has_value()) return true;
        fault(device,
              fmt::format("port {} has no {} address", config.underlay, by_ipv4 ? "IPv4" : "IPv6"),
              fmt::format("write underlay.{} at {}", by_ipv4 ? "address" : "address6",
                          config.underlay));
        return false;
    }

    // Checks each address of `remotes` like the other end of a point-to-point tunnel.
    bool check_remotes(const Value& port, const TunnelConfig& config,
                       const UnderlayConfig& underlay) {
        bool right = true;
        for (const Value& remote : port["remotes"].items) {
            const auto address = ipv4_of(remote.text);
            if (!address) {
                fault(remote, fmt::format("{} is no IPv4 address", in_quotes(remote.text)),
                      "write an address such as 192.0.2.2");
                right = false;
                continue;
            }
            if (const auto wrong = wrong_end_of(VxlanTunnel{*address}, underlay, config.underlay)) {
                fault(remote, wrong->what, wrong->remedy);
                right = false;
            }
            if (right) check_way(remote, config, underlay, *address);
        }
        return right;
    }

    // Checks that the next hop is written or can be resolved.
    void check_way(const Value& device, const TunnelConfig& config, const UnderlayConfig& underlay,
                   const std::optional<IpAddress>& first) {
        if (config.next_hop || underlay.next_hop(first)) return;
        if (!first) {
            return fault(device, "no next hop",
                         fmt::format("write next_hop, or underlay.gateway at {}", config.underlay));
        }
        const bool by_ipv4 = std::holds_alternative<Ipv4Address>(*first);
        fault(device,
              fmt::format("{} is not on the network of {}", to_text(*first), config.underlay),
              fmt::format("write underlay.{} at {}", by_ipv4 ? "gateway" : "gateway6",
                          config.underlay));
    }

    void check_mtu(const Value& port, const Value& below, const Encapsulation& encapsulation) {
        const Value& mtu = port["mtu"];
        if (!mtu.valid || !below["mtu"].valid) return;
        const int64_t beyond = beyond_payload(port, encapsulation);
        const int64_t fits = below["mtu"].number - beyond;
        if (fits < shortest_mtu) {
            return fault(
                below["mtu"],
                fmt::format("leaves no room for the frames of a tunnel beside {} octets", beyond),
                fmt::format("write {} or more", shortest_mtu + beyond));
        }
        if (mtu.number <= fits) return;
        fault(mtu,
              fmt::format("{} and the {} octets around it do not fit the mtu of {} of {}",
                          mtu.number, beyond, below["mtu"].number, below["name"].text),
              fmt::format("write {} or less, or mtu: {} or more there", fits, mtu.number + beyond));
    }

    // Checks that a tunnel has the worker that polls the port below.
    void check_worker(const Value& port, const Value& below) {
        const Value& worker = port["worker"];
        if (!worker.written || !worker.valid) return;
        const auto theirs = worker_of(file_, below);
        if (!theirs || worker.number == *theirs) return;
        fault(worker,
              fmt::format("is {}, and port {} below it is polled by worker {}", worker.number,
                          below["name"].text, *theirs),
              "leave it out");
    }

    static constexpr int64_t shortest_mtu = 68;

    const Value& file_;
    const PortNames& names_;
    Report& report_;
    std::map<std::string, const Value*> seen_;  // tunnels by the text that identifies their frames
};

}  // namespace

std::optional<int64_t> worker_of(const Value& file, const Value& port) {
    if (port["device"].valid && is_tunnel(port)) {
        const auto parts = tunnel_device(port);
        const Value* const below = parts ? port_called(file, parts->underlay) : nullptr;
        const bool is_found = below != nullptr && !is_tunnel(*below);
        return is_found ? worker_of(file, *below) : std::nullopt;
    }
    const Value& count = file["workers"]["count"];
    const Value& worker = port["worker"];
    const Value& lanes = port["lanes"];
    if (!count.valid || !worker.valid || !lanes.valid) return std::nullopt;
    if (!lanes.items.empty()) return lanes.items.front().number;
    return worker.written ? worker.number : (&port - file["ports"].items.data()) % count.number;
}

void apply_underlay_defaults(Value& file) {
    Value* const ports = item(file, "ports");
    if (ports == nullptr) return;
    for (Value& port : ports->items) {
        if (port.items.empty()) continue;
        const auto device = tunnel_device(port);
        const auto encapsulation = encapsulation_of(port);
        if (encapsulation && has_vnis(port)) become_trunk(port);
        const Value* below = encapsulation ? port_called(file, device->underlay) : nullptr;
        if (below == nullptr || is_tunnel(*below)) continue;
        Value& mtu = *item(port, "mtu");
        if (!mtu.is_own() && mtu.valid && (*below)["mtu"].valid) {
            mtu.number =
                std::max<int64_t>((*below)["mtu"].number - beyond_payload(port, *encapsulation), 1);
        }
        Value& speed = *item(port, "speed");
        if (!speed.is_own() && speed.valid && (*below)["speed"].valid) {
            speed.number = (*below)["speed"].number;
        }
    }
}

void check_tunnels(const Value& file, const PortNames& names, Report& report) {
    TunnelRules(file, names, report).check();
}

std::optional<TunnelConfig> tunnel_config(const Value& port) {
    const auto device = tunnel_device(port);
    const auto encapsulation = encapsulation_of(port);
    if (!device || !encapsulation) return std::nullopt;
    TunnelConfig config{.underlay = std::string(device->underlay),
                        .encapsulation = *encapsulation,
                        .next_hop = {},
                        .remotes = {},
                        .networks = networks_of(port)};
    for (const Value& remote : port["remotes"].items) {
        if (const auto address = ipv4_of(remote.text)) config.remotes.push_back(*address);
    }
    const Value& next_hop = port["next_hop"];
    if (next_hop.written) config.next_hop = MacAddress{static_cast<uint64_t>(next_hop.number)};
    return config;
}

}  // namespace sluice::config
