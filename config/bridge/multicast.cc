#include "config/bridge/multicast.h"

#include <fmt/format.h>

#include <bitset>
#include <optional>
#include <tuple>
#include <utility>

#include "config/choices.h"
#include "config/port/encapsulations.h"
#include "config/port/formats.h"
#include "config/yaml/values.h"
#include "config/yaml/vlan_range.h"
#include "dataplane/forward/multicast/membership_message.h"

namespace sluice::config {

namespace {

// The bit of an id that marks a group (ingress/parse.h).
constexpr uint64_t group_bit = uint64_t{1} << 40;

// A port sends two queries every 100 ms, so all VLANs are queried within half a minute.
constexpr std::size_t most_queried = 256;

std::bitset<max_vlans> vlans_of(const Value& ranges) {
    std::bitset<max_vlans> vlans;
    for (const Value& range : ranges.items) {
        const auto [first, last] = VlanRange::of(range.number);
        for (int64_t vlan = first; vlan <= last; ++vlan) {
            vlans.set(static_cast<std::size_t>(vlan));
        }
    }
    return vlans;
}

class Groups {
  public:
    Groups(const Value& file, const PortNames& names, const VlanMembers& members, Report& report)
        : file_(file), names_(names), members_(members), report_(report) {}

    void check() {
        for (const Value& port : multicast()["router_ports"].items)
            static_cast<void>(names_.find(port));
        for (const Value& group : multicast()["groups"].items) check_group(group);
        if (multicast()["querier"].valid) check_querier(multicast()["querier"]);
        const Value& groups = multicast()["groups"];
        const Value& capacity = multicast()["capacity"];
        const auto count = static_cast<int64_t>(groups.items.size());
        if (!capacity.valid || count <= capacity.number) return;
        fault(groups, fmt::format("{} groups do not fit a capacity of {}", count, capacity.number),
              "raise multicast.capacity");
    }

  private:
    [[nodiscard]] const Value& multicast() const { return file_["multicast"]; }

    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void check_querier(const Value& querier) {
        const Value& vlans = querier["vlans"];
        const Value& snooping = multicast()["snooping"];
        if (!vlans.valid || !snooping.valid || !multicast()["vlans"].valid) return;
        const auto asked = vlans_of(vlans);
        if (asked.any() && snooping.items.empty()) {
            fault(vlans, "without snooping no answer is used",
                  "write multicast.snooping: [igmp, mld], or leave it out");
        } else if ((asked & ~vlans_of(multicast()["vlans"])).any()) {
            fault(vlans, "names VLANs that are not snooped", "add them to multicast.vlans");
        } else if (asked.count() > most_queried) {
            fault(vlans, fmt::format("{} VLANs are more than the switch can query", asked.count()),
                  fmt::format("name at most {}", most_queried));
        }
        const Value& address = querier["address"];
        if (address.written && address.valid) {
            const auto ipv4 = ipv4_of(address.text);
            if (!ipv4 || !is_station(*ipv4)) {
                fault(address, fmt::format("\"{}\" is no IPv4 address of a station", address.text),
                      "write one such as 192.0.2.1");
            }
        }
        check_times(querier);
    }

    void check_times(const Value& querier) {
        const Value& interval = querier["interval"];
        const Value& response = querier["response"];
        const Value& ageing = multicast()["ageing"];
        if (!interval.valid || !response.valid || !ageing.valid) return;
        if (response.number >= interval.number) {
            fault(response, "answers to a query would still come when the next one is due",
                  "lower it, or raise multicast.querier.interval");
        } else if (vlans_of(querier["vlans"]).any() &&
                   ageing.number <= interval.number + response.number) {
            fault(interval,
                  fmt::format("{} and a response of {} are not less than multicast.ageing, {}: "
                              "groups would be forgotten between two queries",
                              format_time(interval.number), format_time(response.number),
                              format_time(ageing.number)),
                  "lower it, or raise multicast.ageing");
        }
    }

    void check_group(const Value& group) {
        const Value& vlan = group["vlan"];
        std::optional<FormatFamily> family;
        for (const Value& name : group["ports"].items) {
            const Value* const port = names_.find(name);
            if (port == nullptr) continue;
            if (vlan.valid) members_.require(name, *port, vlan.number, report_);
            const auto format = format_named(file_, (*port)["format"].text);
            if (!format) continue;
            if (family && *family != format->family) {
                fault(
                    name,
                    fmt::format("port {} has a format of family {}, the ports before it one of {}",
                                name.text, name_of(format->family), name_of(*family)),
                    "write a group for each family");
            }
            if (!family) family = format->family;
        }
        if (family) check_address(group, *family);
    }

    void check_address(const Value& group, FormatFamily family) {
        const bool ids = has_ids(family);
        const Value& right = group[ids ? "id" : "address"];
        const Value& wrong = group[ids ? "address" : "id"];
        if (wrong.written) {
            return fault(wrong,
                         fmt::format("groups of {} have {}", name_of(family), station_of(family)),
                         fmt::format("write {} in its place", right.name));
        }
        if (!right.valid || !group["vlan"].valid) return;
        if (!right.written) {
            return fault(right, "is missing", "write " + example_of(family, "01:00:5e:01:02:03"));
        }
        if (ids && !is_id(family, right.number)) {
            return fault(right, "is too long", "write " + example_of(family, ""));
        }
        if (family == FormatFamily::ethernet &&
            goes_to_all({static_cast<uint64_t>(right.number)})) {
            fault(right, "frames for it go to everybody (RFC 4541)", "leave it out");
        }
        const std::tuple key(static_cast<int64_t>(family), group["vlan"].number, right.number);
        const auto [first, is_new] = seen_.emplace(key, &right);
        if (is_new) return;
        fault(
            right,
            fmt::format("VLAN {} has it already at {}", group["vlan"].number, first->second->path),
            "list its ports in one place");
    }

    const Value& file_;
    const PortNames& names_;
    const VlanMembers& members_;
    Report& report_;
    std::map<std::tuple<int64_t, int64_t, int64_t>, const Value*> seen_;
};

}  // namespace

void check_multicast(const Value& file, const PortNames& names, const VlanMembers& members,
                     Report& report) {
    Groups(file, names, members, report).check();
}

MulticastSettings multicast_settings(const Value& file,
                                     const std::map<std::string, PortIndex, std::less<>>& indices) {
    const Value& multicast = file["multicast"];
    const auto named = [&](const Value& names) {
        PortSet ports = 0;
        for (const Value& name : names.items) ports |= only(indices.at(name.text));
        return ports;
    };
    MulticastSettings settings;
    settings.capacity = static_cast<uint32_t>(multicast["capacity"].number);
    GroupProtocols protocols = 0;
    for (const Value& protocol : multicast["snooping"].items) {
        protocols |= only_protocol(choice<GroupProtocol>(protocol));
    }
    for (const Value& range : multicast["vlans"].items) {
        const auto [first, last] = VlanRange::of(range.number);
        for (int64_t vlan = first; vlan <= last; ++vlan) {
            settings.snooping[static_cast<std::size_t>(vlan)] = protocols;
        }
    }
    settings.queried = vlans_of(multicast["querier"]["vlans"]);
    settings.unregistered = choice<Unregistered>(multicast["unregistered"]);
    settings.fast_leave = multicast["fast_leave"].number != 0;
    settings.ageing = Nanos(multicast["ageing"].number);
    settings.leaving = Nanos(multicast["leaving"].number);
    settings.router_ports = named(multicast["router_ports"]);
    for (const Value& group : multicast["groups"].items) {
        const bool short_id = group["id"].written;
        const auto bits = static_cast<uint64_t>(group[short_id ? "id" : "address"].number);
        settings.groups.push_back({.vlan = static_cast<VlanId>(group["vlan"].number),
                                   .address = {short_id ? group_bit | bits : bits},
                                   .ports = named(group["ports"])});
    }
    return settings;
}

QuerierConfig querier_config(const Value& querier) {
    QuerierConfig config{.interval = Nanos(querier["interval"].number),
                         .response = Nanos(querier["response"].number),
                         .igmp_version = static_cast<uint8_t>(querier["igmp_version"].number),
                         .mld_version = static_cast<uint8_t>(querier["mld_version"].number)};
    if (querier["address"].written) {
        config.address = ipv4_of(querier["address"].text).value_or(Ipv4Address{});
    }
    return config;
}

}  // namespace sluice::config
