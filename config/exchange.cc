#include "config/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace sluice::config {

namespace {

void check_willing(const Value& port, Report& report) {
    if (port["flow_control"].text != "none") return;
    for (const Value& feature : port["dcbx"]["willing"].items) {
        if (feature.text != "pfc") continue;
        report.add(feature.at, feature.path, "has no meaning with flow_control: none",
                   "leave it out, or write flow_control: pfc");
    }
}

// Defences are of one dialect.
void check_defend(const Value& dcbx, Report& report) {
    if (dcbx["defend"].number == 0 || dcbx["mode"].text == "draft0409") return;
    report.add(dcbx["defend"].at, dcbx["defend"].path,
               fmt::format("has no meaning with mode: {}", dcbx["mode"].text),
               "leave it out, or write mode: draft0409");
}

// A port's; what `defaults` say is for those that speak DCBX.
void check_disabled(const Value& dcbx, Report& report) {
    if (dcbx["mode"].text != "disabled") return;
    for (const std::string_view name : {"willing", "recommend"}) {
        const Value& key = dcbx[name];
        if (!key.says_something() || key.is_of_defaults()) continue;
        report.add(key.at, key.path, "has no meaning with mode: disabled",
                   "leave it out, or write mode: auto");
    }
}

}  // namespace

void check_dcbx(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) {
        check_willing(port, report);
        check_defend(port["dcbx"], report);
        check_disabled(port["dcbx"], report);
    }
}

PortDcbxConfig port_dcbx_config(const Value& port) {
    const Value& dcbx = port["dcbx"];
    const auto willing = [&](std::string_view feature) {
        const std::vector<Value>& all = dcbx["willing"].items;
        return std::any_of(all.begin(), all.end(),
                           [&](const Value& item) { return item.text == feature; });
    };
    return {.mode = static_cast<DcbxMode>(dcbx["mode"].number),
            .willing_ets = willing("ets"),
            .willing_pfc = willing("pfc"),
            .willing_application = willing("application"),
            .recommend = dcbx["recommend"].number != 0,
            .defend = dcbx["defend"].number != 0};
}

}  // namespace sluice::config
