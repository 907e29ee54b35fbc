#include "config/port/tunnels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "config/configuration.h"
#include "config/yaml/values.h"
#include "config/yaml/vlan_range.h"
#include "dataplane/settings.h"
#include "dataplane/tag.h"

namespace sluice::config {

namespace {

// Beside the payload of a tunnel's frame: its header and two tags, and what goes before it but the
// outer Ethernet header, which is none of a datagram's.
int64_t beyond_payload(const Encapsulation& encapsulation) {
    return 22 + static_cast<int64_t>(outer_octets(encapsulation) - outer_network);
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

// A trunk of the VLANs of `vnis`, whatever `defaults` says.
void become_trunk(Value& port) {
    Value& vlan = *item(port, "vlan");
    for (Value& key : vlan.items) key.written = false;  // that of the map stays, for its rule
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
                fault(next_hop, "is of tunnels alone", "leave it out");
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
            fault(port["format"], "is of a tunnel, which carries Ethernet",
                  "write standard, or leave it out");
        }
        if (!port["lanes"].items.empty()) {
            fault(port["lanes"], "is of a tunnel, which its underlay's worker polls",
                  "leave it out");
        }
        if (port["pfc"]["by"].text == "nic" && !port["lossless"].items.empty()) {
            fault(port["pfc"]["by"], "has a queue a priority of a tunnel", "write by: switch");
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

    // Beside `vnis`, where that is no part of the name of a port.
    bool names_a_vni(const Value& device, const std::string& underlay) {
        const std::size_t slash = underlay.rfind('/');
        if (slash == underlay.npos || port_called(file_, underlay) != nullptr ||
            port_called(file_, underlay.substr(0, slash)) == nullptr) {
            return false;
        }
        fault(device,
              fmt::format("says {} behind the port, and `vnis` says the VNIs",
                          underlay.substr(slash + 1)),
              fmt::format("write device: \"vxlan:{}\", or leave `vnis` out",
                          underlay.substr(0, slash)));
        return true;
    }

    // As if it stood there: a name that is part of a device.
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
        if (is_tunnel_to_many(port)) {
            if (!check_remotes(port, config, underlay)) return;
        } else if (const auto* const vxlan = std::get_if<VxlanTunnel>(&encapsulation)) {
            if (!check_remote(device, config, vxlan->remote,
                              {underlay, underlay.address, underlay.prefix, "IPv4", "address"}))
                return;
        } else if (const auto* const vxlan6 = std::get_if<Vxlan6Tunnel>(&encapsulation)) {
            if (!check_remote(device, config, vxlan6->remote,
                              {underlay, underlay.address6, underlay.prefix6, "IPv6", "address6"}))
                return;
        } else if (const auto* const srv6 = std::get_if<Srv6Tunnel>(&encapsulation)) {
            if (!check_segments(port, config, *srv6, underlay)) return;
        } else if (!underlay.next_hop(encapsulation) && !config.next_hop) {
            return fault(device, "names nobody below whom its frames go to",
                         fmt::format("write next_hop, or underlay.gateway at {}", config.underlay));
        }
        if (!is_tunnel_to_many(port)) check_way(device, config, underlay);
        if (has_vnis(port)) return;  // another one has the same device, which is a fault by itself
        const bool is_vxlan = vni_of(encapsulation).has_value();
        const std::string from = is_vxlan ? path_of(encapsulation) : std::string();
        const auto [first, is_new] =
            seen_.emplace(fmt::format("{}:{}/{}/{}", scheme_of(encapsulation), config.underlay,
                                      from, local_end_of(encapsulation)),
                          &port);
        if (is_new) return;
        if (is_vxlan) {
            return fault(device, fmt::format("goes where {}.device goes", first->second->path),
                         "give it another VNI, or leave it out");
        }
        const bool is_srv6 = std::holds_alternative<Srv6Tunnel>(encapsulation);
        fault(port[is_srv6 ? "local_sid" : "local_label"],
              fmt::format("is that of {} as well", first->second->path), "give it another");
    }

    // The port's own address of a version, and what that and its key are called.
    template <class Address>
    struct Own {
        const UnderlayConfig& underlay;
        const std::optional<Address>& address;
        uint8_t prefix;
        std::string_view version;
        std::string_view key;
    };
    template <class Address>
    bool check_remote(const Value& device, const TunnelConfig& config, const Address& remote,
                      const Own<Address>& own) {
        if (!own.address) {
            fault(device, fmt::format("port {} has no {} address", config.underlay, own.version),
                  fmt::format("write underlay.{} at {}", own.key, config.underlay));
            return false;
        }
        if (remote == *own.address) {
            fault(device,
                  fmt::format("{} is the address of {} itself", to_text(remote), config.underlay),
                  "name the other end");
            return false;
        }
        const bool linked = on_link(own.underlay, remote);
        if (!is_routed(remote) || (linked && !is_host_of(remote, own.prefix))) {
            fault(device, fmt::format("{} is no address of a host", to_text(remote)),
                  "name the other end");
            return false;
        }
        return true;
    }

    // Each as the other end of a tunnel to one.
    bool check_remotes(const Value& port, const TunnelConfig& config,
                       const UnderlayConfig& underlay) {
        const Own<Ipv4Address> own{underlay, underlay.address, underlay.prefix, "IPv4", "address"};
        if (!own.address) {
            fault(port["device"], fmt::format("port {} has no IPv4 address", config.underlay),
                  fmt::format("write underlay.address at {}", config.underlay));
            return false;
        }
        const auto& vxlan = std::get<VxlanTunnel>(config.encapsulation);
        bool right = true;
        for (const Value& remote : port["remotes"].items) {
            const auto address = ipv4_of(remote.text);
            if (!address) {
                fault(remote, fmt::format("{} is no IPv4 address", in_quotes(remote.text)),
                      "write an address such as 192.0.2.2");
                right = false;
                continue;
            }
            right &= check_remote(remote, config, *address, own);
            if (!right) continue;
            TunnelConfig to_it = config;
            to_it.encapsulation = VxlanTunnel{*address, vxlan.vni};
            check_way(remote, to_it, underlay);
        }
        return right;
    }

    bool check_segments(const Value& port, const TunnelConfig& config, const Srv6Tunnel& tunnel,
                        const UnderlayConfig& underlay) {
        const Value& device = port["device"];
        if (!underlay.address6) {
            fault(device, fmt::format("port {} has no IPv6 address", config.underlay),
                  fmt::format("write underlay.address6 at {}", config.underlay));
            return false;
        }
        if (tunnel.local_sid == *underlay.address6) {
            fault(port["local_sid"], fmt::format("is the address of {} itself", config.underlay),
                  "write an address that nobody has");
            return false;
        }
        for (const Ipv6Address& sid : std::span(tunnel.segments).first(tunnel.count)) {
            if (sid != tunnel.local_sid && sid != *underlay.address6) continue;
            fault(device, fmt::format("{} is of this end itself", to_text(sid)),
                  "name the segments to the other end");
            return false;
        }
        return true;
    }

    // It is written, or can be asked for.
    void check_way(const Value& device, const TunnelConfig& config,
                   const UnderlayConfig& underlay) {
        if (config.next_hop || underlay.next_hop(config.encapsulation)) return;
        const bool by_ipv4 = std::holds_alternative<VxlanTunnel>(config.encapsulation);
        const std::string path = path_of(config.encapsulation);
        fault(device,
              fmt::format("{} is not on the network of {}", path.substr(0, path.find(',')),
                          config.underlay),
              fmt::format("write underlay.{} at {}", by_ipv4 ? "gateway" : "gateway6",
                          config.underlay));
    }

    void check_mtu(const Value& port, const Value& below, const Encapsulation& encapsulation) {
        const Value& mtu = port["mtu"];
        if (!mtu.valid || !below["mtu"].valid) return;
        const int64_t beyond = beyond_payload(encapsulation);
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

    // Who polls a device has all that is its.
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
    std::map<std::string, const Value*> seen_;  // tunnels, by what identifies their frames
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
                std::max<int64_t>((*below)["mtu"].number - beyond_payload(*encapsulation), 1);
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
