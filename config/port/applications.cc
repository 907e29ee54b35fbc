#include "config/port/applications.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "config/choices.h"
#include "config/protocols/dcbx.h"

namespace sluice::config {

namespace {

// Returns the values that `protocol` may have; empty if its value is one of them.
std::string expected_of(const Value& entry) {
    const std::string& selector = entry["selector"].text;
    const int64_t protocol = entry["protocol"].number;
    if (selector == "dscp") return protocol <= 63 ? "" : "a DSCP from 0 to 63";
    if (selector != "ethertype") return protocol >= 1 ? "" : "a port from 1 to 65535";
    // A number below 1536 in place of the EtherType is a length (802.3 3.2.6).
    return protocol == 0 || protocol >= 1536 ? "" : "0 or an EtherType from 1536 to 65535";
}

}  // namespace

void check_applications(const Value& port, Report& report) {
    const std::vector<Value>& entries = port["application"].items;
    const std::vector<Value>& trusted = port["trust"].items;
    const bool looked_up = std::any_of(trusted.begin(), trusted.end(), [](const Value& source) {
        return source.text == "application";
    });
    if (!entries.empty() && !looked_up && !advertises_dcbx(port) && port["trust"].valid) {
        report.add(
            port["application"].at, port["application"].path,
            "is neither looked up, as trust does not name application, nor advertised by dcbx",
            "write trust: [pcp, application], or the like");
    }
    std::map<std::pair<int64_t, int64_t>, const Value*> seen;
    for (const Value& entry : entries) {
        const Value& protocol = entry["protocol"];
        if (!entry["selector"].valid || !protocol.valid) continue;
        if (const std::string expected = expected_of(entry); !expected.empty()) {
            report.add(
                protocol.at, protocol.path,
                fmt::format("{} is out of range for {}", protocol.number, entry["selector"].text),
                "write " + expected);
        }
        const auto [first, is_new] =
            seen.emplace(std::pair(entry["selector"].number, protocol.number), &entry);
        if (is_new) continue;
        report.add(entry.at, entry.path,
                   fmt::format("matches the same frames as {}", first->second->path),
                   "keep one of them");
    }
}

ApplicationPriority application_settings(const Value& entry) {
    return {.selector = choice<ApplicationSelector>(entry["selector"]),
            .protocol = static_cast<uint16_t>(entry["protocol"].number),
            .priority = static_cast<Priority>(entry["priority"].number)};
}

}  // namespace sluice::config
