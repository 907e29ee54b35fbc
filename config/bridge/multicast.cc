#include "config/bridge/multicast.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "config/choices.h"
#include "config/port/formats.h"
#include "dataplane/forward/multicast/membership_message.h"

namespace sluice::config {

namespace {

constexpr uint64_t group_bit = uint64_t{1} << 40;  // of an id, as ingress/parse.h has it

class Groups {
  public:
    Groups(const Value& file, const PortNames& names, const VlanMembers& members, Report& report)
        : file_(file), names_(names), members_(members), report_(report) {}

    void check() {
        for (const Value& port : multicast()["router_ports"].items)
            static_cast<void>(names_.find(port));
        for (const Value& group : multicast()["groups"].items) check_group(group);
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
                fault(name,
                      fmt::format("port {} is of family {}, and those before it of {}", name.text,
                                  name_of(format->family), name_of(*family)),
                      "write a group for each family");
            }
            if (!family) family = format->family;
        }
        if (family) check_address(group, *family);
    }

    void check_address(const Value& group, FormatFamily family) {
        const bool short_ids = has_short_ids(family);
        const Value& right = group[short_ids ? "id" : "address"];
        const Value& wrong = group[short_ids ? "address" : "id"];
        if (wrong.written) {
            return fault(wrong,
                         fmt::format("groups of {} have {}", name_of(family),
                                     short_ids ? "ids of 16 bits" : "addresses of 48 bits"),
                         fmt::format("write {} in its place", right.name));
        }
        if (!right.valid || !group["vlan"].valid) return;
        if (!right.written) {
            return fault(right, "is missing",
                         short_ids ? "write a whole number from 0 to 65535"
                                   : "write an address such as 01:00:5e:01:02:03");
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
        for (int64_t vlan = range.number / 4096; vlan <= range.number % 4096; ++vlan) {
            settings.snooping[static_cast<std::size_t>(vlan)] = protocols;
        }
    }
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

}  // namespace sluice::config
