#include "config/port/host.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "config/port/formats.h"
#include "config/yaml/values.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/tag.h"

namespace sluice::config {

namespace {

bool can_share(const Value& port) { return port["device"].text.starts_with("af_xdp:"); }

bool shares(const Value& host) {
    return host["addresses"].number != 0 || !host["rules"].items.empty();
}

bool names_nothing(const Value& rule) {
    return !rule["mac"].written && !rule["vlan"].written && !rule["ethertype"].written;
}

void check_ethertype(const Value& type, Report& report) {
    if (!type.written || !type.valid) return;
    if (type.number == mac_control_ether_type) {
        report.add(type.at, type.path, "names MAC control, which the switch always consumes",
                   "leave it out");
    } else if (is_tag(static_cast<uint16_t>(type.number))) {
        report.add(type.at, type.path, "is a VLAN EtherType", "use vlan");
    }
}

void check_rules(const Value& rules, Report& report) {
    std::map<std::tuple<int64_t, int64_t, int64_t>, const Value*> seen;
    for (const Value& rule : rules.items) {
        check_ethertype(rule["ethertype"], report);
        if (!rule.valid) continue;
        if (names_nothing(rule)) {
            report.add(rule.at, rule.path, "matches every frame, so the switch would get none",
                       "write mac, vlan or ethertype, or open the interface in no port");
        }
        const auto part = [&](std::string_view key) {
            return rule[key].written ? rule[key].number : -1;
        };
        const auto [first, is_new] =
            seen.emplace(std::tuple(part("mac"), part("vlan"), part("ethertype")), &rule);
        if (is_new) continue;
        report.add(rule.at, rule.path, fmt::format("equals {}", first->second->path),
                   "keep one of them");
    }
}

}  // namespace

void check_host(const Value& file, const Value& port, Report& report) {
    const Value& host = port["host"];
    check_rules(host["rules"], report);
    if (!host.written || !host.valid || !port["device"].valid || !shares(host)) return;
    if (!can_share(port)) {
        if (host.is_of_defaults()) return;  // `defaults` apply only to the ports that can share
        report.add(host.at, host.path, "only interfaces of af_xdp: are shared with the host",
                   "leave it out, or open the interface with af_xdp:");
    }
    const auto format = format_named(file, port["format"].text);
    if (format && format->family != FormatFamily::ethernet) {
        report.add(
            host.at, host.path,
            fmt::format("a host does not understand frames of format {}", port["format"].text),
            "leave it out, or write format: standard");
    }
}

HostConfig host_config(const Value& port) {
    HostConfig config;
    if (!can_share(port)) return config;
    config.addresses = port["host"]["addresses"].number != 0;
    for (const Value& rule : port["host"]["rules"].items) {
        HostRuleConfig& kept = config.rules.emplace_back();
        if (rule["mac"].written) kept.mac = MacAddress{static_cast<uint64_t>(rule["mac"].number)};
        if (rule["vlan"].written) kept.vlan = static_cast<uint16_t>(rule["vlan"].number);
        if (rule["ethertype"].written) {
            kept.ethertype = static_cast<uint16_t>(rule["ethertype"].number);
        }
    }
    return config;
}

}  // namespace sluice::config
