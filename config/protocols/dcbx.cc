#include "config/protocols/dcbx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/choices.h"

namespace sluice::config {

namespace {

constexpr std::array<std::string_view, 2> defences = {"defend", "hold"};

void check_willing(const Value& port, Report& report) {
    const Value& control = port["flow_control"];
    if (!control.valid || control.text == "pfc") return;
    for (const Value& feature : port["dcbx"]["willing"].items) {
        if (feature.text != "pfc") continue;
        report.add(feature.at, feature.path, "has no meaning with flow_control: " + control.text,
                   "leave it out, or write flow_control: pfc");
    }
}

// `defend` and `hold` exist only in the dialect 0409v3.
void check_defences(const Value& dcbx, Report& report) {
    if (dcbx["mode"].text == "draft0409") return;
    for (const std::string_view name : defences) {
        if (dcbx[name].number == 0) continue;
        report.add(dcbx[name].at, dcbx[name].path,
                   fmt::format("has no meaning with mode: {}", dcbx["mode"].text),
                   "leave it out, or write mode: draft0409");
    }
}

bool speaks_dcbx(const Value& port) { return port["dcbx"]["mode"].text != "disabled"; }
// Ignores `lldp.enabled: false`, which an operator may set for a while only.
bool lldp_does(const Value& port, std::string_view direction) {
    const Value& mode = port["lldp"]["mode"];
    return !mode.valid || mode.text == direction || mode.text == "both";
}

// Checks a port's own keys. Keys under `defaults` apply only to the ports that can use them.
class DcbxKeys {
  public:
    DcbxKeys(const Value& port, Report& report) : port_(port), report_(report) {}

    void check() {
        if (!speaks_dcbx(port_)) {
            return unused({"willing", "recommend", "congestion"}, "mode: disabled", "mode: auto");
        }
        const std::string lldp = "lldp.mode: " + port_["lldp"]["mode"].text;
        constexpr std::string_view both = "lldp.mode: both";
        const bool advertises = advertises_dcbx(port_);
        const bool receives = receives_dcbx(port_);
        if (!advertises && !receives) unused({"mode"}, lldp, both);
        if (!receives) unused({"willing", "defend", "hold"}, lldp, both);
        if (!advertises) {
            unused({"recommend", "congestion"}, lldp, both);
        } else if (port_["dcbx"]["mode"].text == "cee") {
            unused({"recommend", "congestion"}, "mode: cee", "mode: auto");
        }
    }

  private:
    void unused(std::initializer_list<std::string_view> names, std::string_view beside,
                std::string_view instead) {
        for (const std::string_view name : names) {
            const Value& key = port_["dcbx"][name];
            if (!key.says_something() || key.is_of_defaults()) continue;
            report_.add(key.at, key.path, fmt::format("has no meaning with {}", beside),
                        fmt::format("leave it out, or write {}", instead));
        }
    }

    const Value& port_;
    Report& report_;
};

}  // namespace

bool advertises_dcbx(const Value& port) { return speaks_dcbx(port) && lldp_does(port, "tx"); }

bool receives_dcbx(const Value& port) { return speaks_dcbx(port) && lldp_does(port, "rx"); }

void check_dcbx(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) {
        check_willing(port, report);
        check_defences(port["dcbx"], report);
        DcbxKeys(port, report).check();
    }
}

PortDcbxConfig port_dcbx_config(const Value& port) {
    const Value& dcbx = port["dcbx"];
    const auto willing = [&](std::string_view feature) {
        const std::vector<Value>& all = dcbx["willing"].items;
        return std::any_of(all.begin(), all.end(),
                           [&](const Value& item) { return item.text == feature; });
    };
    return {.mode = choice<DcbxMode>(dcbx["mode"]),
            .willing_ets = willing("ets"),
            .willing_pfc = willing("pfc"),
            .willing_application = willing("application"),
            .recommend = dcbx["recommend"].number != 0,
            .defend = dcbx["defend"].number != 0,
            .hold = dcbx["hold"].number != 0,
            .congestion = dcbx["congestion"].number != 0};
}

}  // namespace sluice::config
