#include "config/unused_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

namespace {

class UnusedKeys {
  public:
    UnusedKeys(const Value& file, Report& report) : file_(file), report_(report) {}

    void check() {
        if (file_["fabric"]["rule"].text == "strict") {
            unused(file_["fabric"]["weights"], "with rule: strict",
                   "leave it out, or write rule: weighted");
        }
        const Value& snooping = file_["multicast"]["snooping"];
        if (snooping.valid && snooping.items.empty()) {
            for (const std::string_view key : of_snooping) {
                unused(file_["multicast"][key], "without multicast.snooping",
                       "leave it out, or write snooping: [igmp, mld]");
            }
        }
        for (const Value& port : file_["ports"].items) check_port(port);
    }

  private:
    static constexpr std::array<std::string_view, 5> of_snooping = {
        "vlans", "unregistered", "fast_leave", "ageing", "leaving"};

    void unused(const Value& value, std::string_view where, std::string_view remedy) {
        if (!value.written || !value.valid || value.path.starts_with("defaults.")) return;
        report_.add(value.at, value.path, fmt::format("has no meaning {}", where),
                    std::string(remedy));
    }

    void check_port(const Value& port) {
        const Value& vlan = port["vlan"];
        if (vlan["mode"].text == "trunk") {
            unused(port["default_vlan"], "with vlan.mode: trunk",
                   vlan["native"].written ? "leave it out"
                                          : "leave it out, or write vlan.native in its place");
        } else if (vlan["mode"].text == "access" && vlan["access"].written) {
            unused(port["default_vlan"], "beside vlan.access", "leave one of them out");
        }
        const Value& storm = port["storm_control"];
        const bool limits = std::any_of(
            storm.items.begin(), storm.items.end(),
            [](const Value& key) { return key.name != "unit" && (!key.valid || key.number != 0); });
        if (!limits)
            unused(storm["unit"], "without a rate", "leave it out, or write a rate beside it");
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

void check_unused_keys(const Value& file, Report& report) { UnusedKeys(file, report).check(); }

}  // namespace sluice::config
