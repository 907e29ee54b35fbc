#include "config/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::config {

namespace {

// In the order of DcbxSelector.
constexpr std::array<std::string_view, 5> selectors = {"ether_type", "tcp", "udp", "tcp_or_udp",
                                                       "dscp"};

// The one that is written.
std::size_t selector_of(const Value& application) {
    const auto found = std::find_if(selectors.begin(), selectors.end(),
                                    [&](auto name) { return application[name].written; });
    return static_cast<std::size_t>(found - selectors.begin());
}

// An application is named in one way, and has one priority.
void check_applications(const Value& applications, Report& report) {
    std::map<std::pair<std::size_t, int64_t>, std::string> seen;  // and the path where it was
    for (const Value& entry : applications.items) {
        const auto named = std::count_if(selectors.begin(), selectors.end(),
                                         [&](auto name) { return entry[name].written; });
        if (named != 1) {
            report.add(entry.at, entry.path,
                       named == 0 ? "says of no frames which priority they have"
                                  : "names several kinds of frames",
                       "write one of ether_type, tcp, udp, tcp_or_udp and dscp");
            continue;
        }
        const std::size_t selector = selector_of(entry);
        const Value& number = entry[selectors[selector]];
        if (!number.valid) continue;
        const auto [first, is_new] = seen.emplace(std::pair(selector, number.number), number.path);
        if (is_new) continue;
        report.add(number.at, number.path, fmt::format("is already at {}", first->second),
                   "keep one of them");
    }
}

void check_willing(const Value& port, Report& report) {
    if (port["flow_control"].text != "none") return;
    for (const Value& feature : port["dcbx"]["willing"].items) {
        if (feature.text != "pfc") continue;
        report.add(feature.at, feature.path, "has no meaning with flow_control: none",
                   "leave it out, or write flow_control: pfc");
    }
}

}  // namespace

void check_dcbx(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) {
        check_applications(port["dcbx"]["application"], report);
        check_willing(port, report);
    }
}

PortDcbxConfig port_dcbx_config(const Value& port) {
    const Value& dcbx = port["dcbx"];
    const auto willing = [&](std::string_view feature) {
        const std::vector<Value>& all = dcbx["willing"].items;
        return std::any_of(all.begin(), all.end(),
                           [&](const Value& item) { return item.text == feature; });
    };
    PortDcbxConfig config{.mode = static_cast<DcbxMode>(dcbx["mode"].number),
                          .willing_ets = willing("ets"),
                          .willing_pfc = willing("pfc"),
                          .willing_application = willing("application"),
                          .recommend = dcbx["recommend"].number != 0};
    for (const Value& entry : dcbx["application"].items) {
        const std::size_t selector = selector_of(entry);
        config.application.push_back(
            {.selector = static_cast<DcbxSelector>(selector),
             .protocol = static_cast<uint16_t>(entry[selectors[selector]].number),
             .priority = static_cast<Priority>(entry["priority"].number)});
    }
    return config;
}

}  // namespace sluice::config
