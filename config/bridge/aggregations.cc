#include "config/bridge/aggregations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "config/choices.h"
#include "config/port/formats.h"

namespace sluice::config {

namespace {

// Keys that must be equal at all members. Maps are compared as a whole.
constexpr std::array<std::string_view, 7> in_common = {"mtu",      "format", "default_vlan", "vlan",
                                                       "isolated", "fdb",    "spanning_tree"};

bool means_the_same(const Value& a, const Value& b) {
    return a.number == b.number && a.text == b.text &&
           std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                      means_the_same);
}

bool lists(const Value& vlan, const Value& port) {
    const std::vector<Value>& ports = vlan["ports"].items;
    return std::any_of(ports.begin(), ports.end(),
                       [&](const Value& name) { return name.text == port["name"].text; });
}

class AggregationRules {
  public:
    AggregationRules(const Value& file, const PortNames& names, Report& report)
        : file_(file), names_(names), report_(report) {
        for (const Value& port : file["ports"].items) taken_.emplace(port["name"].text, port.path);
    }

    void check() {
        for (const Value& aggregation : file_["aggregations"].items) {
            const Value& name = aggregation["name"];
            if (name.valid) name_is_its_own(name);
            const Value* first = nullptr;
            for (const Value& member : aggregation["ports"].items) {
                const Value* port = names_.find(member);
                if (port == nullptr || !is_in_no_other(member, aggregation)) continue;
                if (first == nullptr) first = port;
                agrees(member, *port, *first);
                has_lacp(aggregation, member, *port);
            }
            lacp_keys_mean_something(aggregation["lacp"]);
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void name_is_its_own(const Value& name) {
        const auto [first, is_new] = taken_.emplace(name.text, name.path);
        if (is_new) return;
        fault(name, fmt::format("{} is taken by {}", in_quotes(name.text), first->second),
              "give it a name of its own");
    }

    bool is_in_no_other(const Value& member, const Value& aggregation) {
        const auto [first, is_new] = member_of_.emplace(member.text, aggregation.path);
        const bool alone = is_new || first->second == aggregation.path;
        if (!alone) {
            fault(member, fmt::format("{} is already in {}", member.text, first->second),
                  "keep it in one of them");
        }
        return alone;
    }

    void agrees(const Value& member, const Value& port, const Value& first) {
        const std::string& other = first["name"].text;
        for (const std::string_view key : in_common) {
            const bool known = port[key].valid && first[key].valid;
            if (!known || means_the_same(port[key], first[key])) continue;
            fault(member, fmt::format("{} of {} is not that of {}", key, member.text, other),
                  "write the same for all members");
        }
        for (const Value& vlan : file_["vlans"].items) {
            if (!vlan.valid || lists(vlan, port) == lists(vlan, first)) continue;
            fault(member,
                  fmt::format("only one of {} and {} is in VLAN {}", member.text, other,
                              vlan["id"].number),
                  "list all members there, or none");
        }
    }

    // A port of a format other than standard receives no LACPDUs: it terminates only MAC control
    // and LLDP.
    void has_lacp(const Value& aggregation, const Value& member, const Value& port) {
        const Value& mode = aggregation["lacp"]["mode"];
        const auto format = format_named(file_, port["format"].text);
        if (!mode.valid || mode.text == "off" || !format || *format == presets[0]) return;
        fault(mode, fmt::format("{} has frames of format {}", member.text, port["format"].text),
              "write off, or members of format standard");
    }

    void lacp_keys_mean_something(const Value& lacp) {
        if (!lacp["mode"].valid || lacp["mode"].text != "off") return;
        for (const std::string_view key : {"timeout", "system_priority"}) {
            if (!lacp[key].written) continue;
            fault(lacp[key], "has no meaning with lacp.mode: off",
                  "leave it out, or write mode: active");
        }
    }

    const Value& file_;
    const PortNames& names_;
    Report& report_;
    // Path of the aggregation or port that has the name, by name.
    std::map<std::string, std::string, std::less<>> taken_;
    // The path of the aggregation that a port is a member of, by the port's name.
    std::map<std::string, std::string, std::less<>> member_of_;
};

}  // namespace

void check_aggregations(const Value& file, const PortNames& names, Report& report) {
    AggregationRules(file, names, report).check();
}

std::vector<AggregationSettings> aggregation_settings(
    const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices) {
    std::vector<AggregationSettings> all;
    for (const Value& aggregation : file["aggregations"].items) {
        AggregationSettings& settings = all.emplace_back();
        settings.hash = choice<DistributionHash>(aggregation["hash"]);
        for (const Value& port : aggregation["ports"].items) {
            settings.members |= only(indices.at(port.text));
        }
    }
    return all;
}

std::vector<AggregationConfig> aggregation_configs(
    const Value& file, const std::vector<AggregationSettings>& settings) {
    std::vector<AggregationConfig> all;
    for (std::size_t index = 0; index < settings.size(); ++index) {
        const Value& aggregation = file["aggregations"].items[index];
        const Value& lacp = aggregation["lacp"];
        all.push_back(
            {.name = aggregation["name"].text,
             .members = settings[index].members,
             .lacp = {.mode = choice<LacpMode>(lacp["mode"]),
                      .short_timeout = lacp["timeout"].text == "short",
                      .system_priority = static_cast<uint16_t>(lacp["system_priority"].number)}});
    }
    return all;
}

}  // namespace sluice::config
