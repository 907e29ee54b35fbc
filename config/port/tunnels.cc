#include "config/port/tunnels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "config/yaml/endpoint.h"
#include "config/yaml/values.h"

namespace sluice::config {

namespace {

constexpr std::string_view tunnel_scheme = "vxlan:";

// Of a tunnel's frame: header and two tags, and what goes before it but the outer Ethernet header,
// which is none of a datagram's.
constexpr int64_t beyond_payload = 22 + static_cast<int64_t>(vxlan_octets) - 14;

std::optional<Ipv4Address> ipv4_of(std::string_view text) {
    const std::vector<uint8_t> octets = ip_address(std::string(text));
    if (octets.size() != 4) return std::nullopt;
    return Ipv4Address{read_32(octets.data())};
}

std::optional<uint32_t> number_of(std::string_view text, uint32_t highest) {
    uint32_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size() || number > highest) {
        return std::nullopt;
    }
    return number;
}

// Not nobody's, not a group's or everybody's, not one that never leaves a host.
bool is_station(Ipv4Address address) {
    const uint32_t first = address.bits >> 24;
    return first != 0 && first != 127 && first < 224;
}

uint32_t host_bits(uint8_t prefix) {
    return prefix == 0 ? UINT32_MAX : static_cast<uint32_t>((uint64_t{1} << (32 - prefix)) - 1);
}

// In a network of more than two, its first and last are nobody's (RFC 3021).
bool is_host_of(Ipv4Address address, uint8_t prefix) {
    const uint32_t host = address.bits & host_bits(prefix);
    return prefix >= 31 || (host != 0 && host != host_bits(prefix));
}

bool on_link(const UnderlayConfig& underlay, Ipv4Address address) {
    return ((underlay.address.bits ^ address.bits) & ~host_bits(underlay.prefix)) == 0;
}

struct Parts {
    std::string_view underlay;
    std::string_view remote;
    std::string_view vni;
};

// A name of a port may have a slash.
std::optional<Parts> parts_of(std::string_view device) {
    device.remove_prefix(tunnel_scheme.size());
    const std::size_t last = device.rfind('/');
    if (last == device.npos || last == 0) return std::nullopt;
    const std::size_t first = device.rfind('/', last - 1);
    if (first == device.npos || first == 0) return std::nullopt;
    return Parts{device.substr(0, first), device.substr(first + 1, last - first - 1),
                 device.substr(last + 1)};
}

std::optional<Parts> parts_of(const Value& port) {
    if (!port["device"].valid || !is_tunnel(port)) return std::nullopt;
    return parts_of(port["device"].text);
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

bool is_own(const Value& value) { return value.written && !value.is_of_defaults(); }

class TunnelRules {
  public:
    TunnelRules(const Value& file, const PortNames& names, Report& report)
        : file_(file), names_(names), report_(report) {}

    void check() {
        for (const Value& port : file_["ports"].items) check_underlay(port);
        const std::vector<Value>& ports = file_["ports"].items;
        for (const Value& port : ports) {
            const Value& next_hop = port["next_hop"];
            if (is_tunnel(port)) {
                check_tunnel(port);
            } else if (next_hop.written && port["device"].valid) {
                fault(next_hop, "is of tunnels alone", "leave it out");
            }
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void check_underlay(const Value& port) {
        const Value& underlay = port["underlay"];
        if (!underlay.written || !underlay.valid) return;
        const Value& address = underlay["address"];
        if (!address.written) {
            return fault(address, "is missing", "write one such as 192.0.2.1/24");
        }
        const auto config = underlay_config(port);
        if (!config || !is_station(config->address) ||
            !is_host_of(config->address, config->prefix)) {
            return fault(address,
                         fmt::format("{} is no IPv4 address of a host with a prefix length",
                                     in_quotes(address.text)),
                         "write one such as 192.0.2.1/24; there are no tunnels over IPv6");
        }
        if (is_tunnel(port)) {
            return fault(underlay, "is of a port that is a tunnel itself", "leave it out");
        }
        if (port["format"].text != "standard") {
            fault(underlay,
                  fmt::format("frames of format {} carry no IP that is understood here",
                              port["format"].text),
                  "write format: standard, or leave it out");
        }
        if (port["lanes"].items.size() > 1) {
            fault(port["lanes"], "has several lanes below tunnels", "name one worker, or none");
        }
        if (port["pfc"]["by"].text == "nic" && !port["lossless"].items.empty()) {
            fault(port["pfc"]["by"], "has a queue a priority below tunnels", "write by: switch");
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != port["name"].text) continue;
                fault(underlay, fmt::format("is of a member of {}", aggregation["name"].text),
                      "write it at a port of no aggregation");
            }
        }
        const Value& gateway = underlay["gateway"];
        if (!gateway.written || !gateway.valid) return;
        const auto router = ipv4_of(gateway.text);
        if (router && on_link(*config, *router) && *router != config->address &&
            is_host_of(*router, config->prefix)) {
            return;
        }
        fault(gateway,
              fmt::format("{} is no other host of {}", in_quotes(gateway.text),
                          in_quotes(address.text)),
              "write the address of the router there");
    }

    void check_tunnel(const Value& port) {
        const Value& device = port["device"];
        if (!device.valid) return;
        const auto parts = parts_of(port);
        const auto config = tunnel_config(port);
        if (!config) {
            const bool is_v6 = parts && parts->remote.find(':') != std::string_view::npos;
            return fault(device,
                         is_v6 ? "there are no tunnels over IPv6"
                               : fmt::format("{} is no tunnel", in_quotes(device.text)),
                         fmt::format("write vxlan:PORT/ADDRESS/VNI with an IPv4 address and a VNI "
                                     "of 1 to {}",
                                     highest_vni));
        }
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
        check_remote(port, *config, *underlay);
        check_mtu(port, *below);
        check_worker(port, *below);
    }

    // As if it stood there: a name that is part of a device.
    static Value named(const Value& device, const std::string& name) {
        Value value = device;
        value.text = name;
        return value;
    }

    void check_remote(const Value& port, const TunnelConfig& config,
                      const UnderlayConfig& underlay) {
        const Value& device = port["device"];
        const std::string remote = to_text(config.remote);
        if (config.remote == underlay.address) {
            return fault(device,
                         fmt::format("{} is the address of {} itself", remote, config.underlay),
                         "name the other end");
        }
        const bool linked = on_link(underlay, config.remote);
        if (!is_station(config.remote) || (linked && !is_host_of(config.remote, underlay.prefix))) {
            return fault(device, fmt::format("{} is no address of a host", remote),
                         "name the other end");
        }
        if (!linked && !underlay.gateway && !config.next_hop) {
            fault(device, fmt::format("{} is not on the network of {}", remote, config.underlay),
                  fmt::format("write underlay.gateway at {}", config.underlay));
        }
        const auto [first, is_new] =
            seen_.emplace(std::tuple(config.underlay, config.remote, config.vni), &device);
        if (is_new) return;
        fault(device, fmt::format("goes where {} goes", first->second->path),
              "give it another VNI, or leave it out");
    }

    void check_mtu(const Value& port, const Value& below) {
        const Value& mtu = port["mtu"];
        if (!mtu.valid || !below["mtu"].valid) return;
        const int64_t fits = below["mtu"].number - beyond_payload;
        if (fits < shortest_mtu) {
            return fault(below["mtu"],
                         fmt::format("leaves no room for the frames of a tunnel beside {} octets",
                                     beyond_payload),
                         fmt::format("write {} or more", shortest_mtu + beyond_payload));
        }
        if (mtu.number <= fits) return;
        fault(mtu,
              fmt::format("{} and the {} octets around it do not fit the mtu of {} of {}",
                          mtu.number, beyond_payload, below["mtu"].number, below["name"].text),
              fmt::format("write {} or less, or mtu: {} or more there", fits,
                          mtu.number + beyond_payload));
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
    std::map<std::tuple<std::string, Ipv4Address, uint32_t>, const Value*> seen_;
};

}  // namespace

Ipv4Address UnderlayConfig::next_hop(Ipv4Address remote) const {
    return on_link(*this, remote) || !gateway ? remote : *gateway;
}

std::string to_text(Ipv4Address address) {
    return fmt::format("{}.{}.{}.{}", address.bits >> 24, address.bits >> 16 & 0xFF,
                       address.bits >> 8 & 0xFF, address.bits & 0xFF);
}

std::optional<int64_t> worker_of(const Value& file, const Value& port) {
    if (port["device"].valid && is_tunnel(port)) {
        const auto parts = parts_of(port);
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

bool is_tunnel(const Value& port) { return port["device"].text.starts_with(tunnel_scheme); }

void fit_tunnels(Value& file) {
    Value* const ports = item(file, "ports");
    if (ports == nullptr) return;
    for (Value& port : ports->items) {
        if (port.items.empty()) continue;
        const auto parts = parts_of(port);
        const Value* below = parts ? port_called(file, parts->underlay) : nullptr;
        if (below == nullptr || is_tunnel(*below)) continue;
        Value& mtu = *item(port, "mtu");
        if (!is_own(mtu) && mtu.valid && (*below)["mtu"].valid) {
            mtu.number = std::max<int64_t>((*below)["mtu"].number - beyond_payload, 1);
        }
        Value& speed = *item(port, "speed");
        if (!is_own(speed) && speed.valid && (*below)["speed"].valid) {
            speed.number = (*below)["speed"].number;
        }
    }
}

void check_tunnels(const Value& file, const PortNames& names, Report& report) {
    TunnelRules(file, names, report).check();
}

std::optional<UnderlayConfig> underlay_config(const Value& port) {
    const Value& underlay = port["underlay"];
    if (!underlay.written) return std::nullopt;
    const std::string_view text = underlay["address"].text;
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const auto address = ipv4_of(text.substr(0, slash));
    const auto prefix = number_of(text.substr(slash + 1), 32);
    if (!address || !prefix) return std::nullopt;
    UnderlayConfig config{.address = *address, .prefix = static_cast<uint8_t>(*prefix)};
    if (underlay["gateway"].written) config.gateway = ipv4_of(underlay["gateway"].text);
    for (const Value& item : underlay["dscp"].items) {
        config.dscps[static_cast<std::size_t>(item.table_key)] = static_cast<uint8_t>(item.number);
    }
    return config;
}

std::optional<TunnelConfig> tunnel_config(const Value& port) {
    const auto parts = parts_of(port);
    if (!parts) return std::nullopt;
    const auto remote = ipv4_of(parts->remote);
    const auto vni = number_of(parts->vni, highest_vni);
    if (!remote || !vni || *vni == 0) return std::nullopt;
    TunnelConfig config{.underlay = std::string(parts->underlay), .remote = *remote, .vni = *vni};
    const Value& next_hop = port["next_hop"];
    if (next_hop.written) config.next_hop = MacAddress{static_cast<uint64_t>(next_hop.number)};
    return config;
}

}  // namespace sluice::config
