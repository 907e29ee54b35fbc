#include "config/protocols/lldp.h"

#include <fmt/format.h>

#include <map>

#include "config/choices.h"
#include "config/yaml/endpoint.h"

namespace sluice::config {

namespace {

const std::string& own_or_name(const Value& own, const Value& port) {
    return own.written ? own.text : port["name"].text;
}

// Reports an id that two ports have, as a neighbour distinguishes the ports of a switch only by
// their ids.
void port_ids_are_unique(const Value& file, Report& report) {
    std::map<std::string, std::string> seen;  // an id, and the path of the key that has it
    for (const Value& port : file["ports"].items) {
        const Value& id = port["lldp"]["port_id"];
        const Value& where = id.written ? id : port["name"];
        if (!where.valid) continue;
        const auto [first, is_new] = seen.emplace(own_or_name(id, port), where.path);
        // validate.cc reports equal names of two ports.
        const bool names = where.path == port["name"].path && first->second.ends_with(".name");
        if (is_new || names) continue;
        report.add(where.at, where.path,
                   fmt::format("{} is taken by {}", in_quotes(first->first), first->second),
                   "give each port an id of its own, under `ports` and not under `defaults`");
    }
}

}  // namespace

void check_lldp(const Value& file, Report& report) {
    port_ids_are_unique(file, report);
    const Value& address = file["lldp"]["management_address"];
    if (address.written && address.valid && ip_address(address.text).empty()) {
        report.add(address.at, address.path,
                   fmt::format("{} is neither IPv4 nor IPv6", in_quotes(address.text)),
                   "write an address such as 192.0.2.1 or 2001:db8::1");
    }
}

LldpConfig lldp_config(const Value& lldp) {
    return {.enabled = lldp["enabled"].number != 0,
            .interval = Nanos(lldp["interval"].number),
            .hold = static_cast<uint16_t>(lldp["hold"].number),
            .chassis_id = lldp["chassis_id"].text,
            .system_name = lldp["system_name"].text,
            .system_description = lldp["system_description"].text,
            .management_address = ip_address(lldp["management_address"].text)};
}

PortLldpConfig port_lldp_config(const Value& port) {
    const Value& lldp = port["lldp"];
    const bool own = lldp["description"].written;
    uint8_t destinations = 0;
    for (const Value& destination : lldp["destinations"].items) {
        destinations = static_cast<uint8_t>(destinations | 1U << destination.number);
    }
    return {.mode = choice<LldpMode>(lldp["mode"]),
            .port_id = lldp["port_id"].text,
            .description = own_or_name((own ? lldp : port)["description"], port),
            .destinations = destinations};
}

}  // namespace sluice::config
