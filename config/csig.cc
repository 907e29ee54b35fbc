#include "config/csig.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "config/choices.h"
#include "config/yaml/whole.h"
#include "dataplane/types/experimental_ether_type.h"

namespace sluice::config {

namespace {

// EtherTypes that begin other headers than a CSIG tag.
constexpr auto taken = std::to_array<std::pair<int64_t, std::string_view>>({
    {0x0800, "IPv4"},
    {0x0806, "ARP"},
    {0x8100, "VLAN tags"},
    {0x86DD, "IPv6"},
    {0x8808, "pause frames"},
    {0x8809, "LACP"},
    {0x8847, "MPLS"},
    {0x88A8, "VLAN tags"},
    {experimental_ether_type, "credit and retry"},
    {0x88CC, "LLDP"},
    {0x88E5, "MACsec"},
});

class CsigRules {
  public:
    CsigRules(const Value& file, Report& report)
        : csig_(file["csig"]), ports_(file["ports"].items), report_(report) {}

    void check() {
        for (const char* form : {"compact", "wide"}) tpid_is_free(csig_[form]["tpid"]);
        const Value& wide = csig_["wide"]["tpid"];
        const Value& compact = csig_["compact"]["tpid"];
        if (wide.written && wide.valid && compact.written && wide.number == compact.number) {
            fault(wide, "is also that of compact tags", "write another one");
        }
        nothing_without_updates();
        for (const Value& port : ports_) locator_fits(port);
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }
    static bool is_set(const Value& value) { return value.written && value.valid; }

    void tpid_is_free(const Value& tpid) {
        if (!is_set(tpid)) return;
        const auto other =
            std::ranges::find(taken, tpid.number, [](auto& row) { return row.first; });
        if (other == taken.end()) return;
        fault(tpid, fmt::format("{:#x} is the EtherType of {}", tpid.number, other->second),
              "write another one, such as 0x9900");
    }

    void nothing_without_updates() {
        const bool updates = std::ranges::any_of(ports_, [](const Value& port) {
            const Value& mode = port["csig"]["mode"];
            return !mode.valid || choice<CsigMode>(mode) == CsigMode::update;
        });
        if (updates) return;
        const auto unused = [&](const Value& key) {
            if (!is_set(key)) return;
            fault(key, "has no meaning where no port updates signals",
                  "leave it out, or write csig: {mode: update} for a port");
        };
        unused(csig_["interval"]);
        for (const char* form : {"compact", "wide"}) {
            if (!csig_[form]["tpid"].written) continue;
            for (const Value& key : csig_[form].items) {
                if (key.name != "tpid" && key.name != "d_bit") unused(key);
            }
        }
    }

    void locator_fits(const Value& port) {
        const Value& mode = port["csig"]["mode"];
        const Value& locator = port["csig"]["locator"];
        if (!is_set(locator) || !mode.valid || !csig_["compact"]["tpid"].written) return;
        if (choice<CsigMode>(mode) != CsigMode::update) return;
        const int64_t most = csig_["compact"]["d_bit"].number != 0 ? 63 : 127;
        if (locator.number <= most) return;
        fault(locator, fmt::format("compact tags have no room for {}", locator.number),
              fmt::format("write {} or less, or leave csig.compact out", most));
    }

    const Value& csig_;
    const std::vector<Value>& ports_;
    Report& report_;
};

CsigFormSettings form_settings(const Value& form) {
    CsigFormSettings settings;
    settings.tpid = whole<uint16_t>(form["tpid"]);
    const auto bands = [&](const char* base, const char* step) {
        return CsigBands{form[base].number, form[step].number};
    };
    settings.bands = {bands("bandwidth_base", "bandwidth_step"),
                      CsigBands{0, form["relative_step"].number}, bands("delay_base", "delay_step"),
                      bands("depth_base", "depth_step")};
    return settings;
}

}  // namespace

void check_csig(const Value& file, Report& report) { CsigRules(file, report).check(); }

CsigSettings csig_settings(const Value& csig) {
    CsigSettings settings{.compact = form_settings(csig["compact"]),
                          .wide = form_settings(csig["wide"]),
                          .interval = Nanos(csig["interval"].number)};
    settings.compact.d_bit = csig["compact"]["d_bit"].number != 0;
    return settings;
}

PortCsigSettings port_csig_settings(const Value& port) {
    const Value& csig = port["csig"];
    return {.mode = choice<CsigMode>(csig["mode"]), .locator = whole<uint16_t>(csig["locator"])};
}

}  // namespace sluice::config
