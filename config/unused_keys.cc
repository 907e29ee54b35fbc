#include "config/unused_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/port/encapsulations.h"
#include "config/port/formats.h"
#include "config/port/trust.h"
#include "config/protocols/dcbx.h"

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
        const Value& querier = file_["multicast"]["querier"];
        if (querier["vlans"].valid && querier["vlans"].items.empty()) {
            for (const Value& key : querier.items) {
                unused(key, "without multicast.querier.vlans",
                       "leave it out, or write vlans: [1] beside it");
            }
        }
        const Value& state = file_["state"];
        const auto is_off = [](const Value& key) { return key.valid && key.number == 0; };
        if (is_off(state["fdb"]) && is_off(state["counters"])) {
            unused(state["interval"], "where nothing is kept",
                   "leave it out, or write fdb: true or counters: true beside it");
        }
        for (const Value& port : file_["ports"].items) check_port(port);
    }

  private:
    static constexpr std::array<std::string_view, 5> of_snooping = {
        "vlans", "unregistered", "fast_leave", "ageing", "leaving"};
    static constexpr std::array<std::string_view, 11> of_lossless = {
        "by",         "trigger",  "reserved",    "alpha", "xoff",    "xon",
        "xon_offset", "headroom", "relay_delay", "pause", "tx_limit"};

    void unused(const Value& value, std::string_view where, std::string_view remedy) {
        if (!value.written || !value.valid || value.is_of_defaults()) return;
        report_.add(value.at, value.path, fmt::format("has no meaning {}", where),
                    std::string(remedy));
    }

    // Not where it only takes back what `defaults` says.
    void unused_if_written(const Value& value, std::string_view where, std::string_view remedy) {
        if (value.says_something()) unused(value, where, remedy);
    }

    void check_port(const Value& port) {
        const Value& vlan = port["vlan"];
        if (vlan["mode"].text == "trunk") {
            unused(port["default_vlan"], "with vlan.mode: trunk",
                   vlan["native"].written || has_vnis(port)
                       ? "leave it out"
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
        const Value& trim = port["trim"];
        for (const Value& key : trim.items) {
            if (trim["dscp"].valid && trim["dscp"].items.empty()) {
                unused_if_written(key, "without trim.dscp",
                                  "leave it out, or write dscp: {0: 4} beside it");
            }
        }
        if (port["flow_control"].valid && port["flow_control"].text != "credit") {
            for (const Value& key : port["credit"].items) {
                unused(key, "without flow_control: credit",
                       "leave it out, or write flow_control: credit");
            }
        }
        check_trust(port);
        check_tables(port);
        check_pfc(port);
    }

    // Every frame of a format with a traffic class has it, and RoCEv2 has a DSCP.
    [[nodiscard]] bool hides(PrioritySource first, PrioritySource later, const Value& port) const {
        if (first == PrioritySource::dscp) return later == PrioritySource::roce;
        if (first != PrioritySource::traffic_class) return false;
        const auto format = format_named(file_, port["format"].text);
        return format && format->traffic_class.exists();
    }

    void check_trust(const Value& port) {
        const Value& trust = port["trust"];
        if (!trust.written || !trust.valid || trust.is_of_defaults()) return;
        const auto order = trusted_sources(port);
        for (std::size_t later = 1; later < trust.items.size(); ++later) {
            for (std::size_t first = 0; first < later; ++first) {
                if (!hides(order[first], order[later], port)) continue;
                const std::string& name = trust.items[first].text;
                report_.add(
                    trust.items[later].at, trust.items[later].path,
                    fmt::format(
                        "{} is never asked behind {}, which {}", trust.items[later].text, name,
                        name == "tc" ? "every frame of format " + port["format"].text + " has"
                                     : "RoCEv2 has as well"),
                    fmt::format("leave it out, or write it before {}", name));
                break;
            }
        }
    }

    void check_tables(const Value& port) {
        if (!port["trust"].valid || !port["profile"].valid) return;
        check_table(port, "pcp_to_priority", {PrioritySource::pcp},
                    "where trust does not name pcp");
        check_table(port, "dscp_to_priority", {PrioritySource::dscp, PrioritySource::roce},
                    "where trust names neither dscp nor roce");
        check_table(port, "tc_to_priority", {PrioritySource::traffic_class},
                    "where trust does not name tc");
    }
    void check_table(const Value& port, std::string_view table,
                     std::initializer_list<PrioritySource> sources, std::string_view nowhere) {
        const auto order = trusted_sources(port);
        bool named = false;
        bool asked = false;
        for (const PrioritySource source : sources) {
            const auto* const found = std::find(order.begin(), order.end(), source);
            if (found == order.end()) continue;
            named = true;
            asked = asked || std::none_of(order.begin(), found, [&](PrioritySource first) {
                        return hides(first, source, port);
                    });
        }
        if (!named) {
            unused_if_written(port[table], nowhere, "leave it out, or write a trust that does");
        } else if (!asked && port["trust"].is_of_defaults()) {
            // Else check_trust has reported it.
            unused_if_written(
                port[table],
                fmt::format("behind tc, which every frame of format {} has", port["format"].text),
                "leave it out, or write a trust with tc last");
        }
    }

    // `cable` and `response` are of the link, and with `peer` a forged pause frame is counted apart
    // from one that is merely not obeyed.
    void check_pfc(const Value& port) {
        if (port["lossless"].written || may_be_brought_lossless(port)) return;
        const Value& pfc = port["pfc"];
        constexpr std::string_view remedy = "leave it out, or write lossless: [3] or the like";
        for (const std::string_view key : of_lossless) {
            unused_if_written(pfc[key], "without lossless priorities", remedy);
        }
        for (const Value& key : pfc["bits"].items) {
            // What is received is obeyed for all priorities then.
            if (key.name == "received" && pfc["asymmetric"].number != 0) continue;
            unused_if_written(key, "without lossless priorities", remedy);
        }
        for (const std::string_view key : {"link_pause", "asymmetric"}) {
            if (pfc[key].number != 0 || !pfc[key].valid) return;
        }
        constexpr std::string_view where =
            "without lossless priorities, pfc.link_pause or pfc.asymmetric";
        unused_if_written(pfc["rx_limit"], where, remedy);
        unused_if_written(pfc["unproved"], where, remedy);
    }

    // By a peer.
    static bool may_be_brought_lossless(const Value& port) {
        const Value& willing = port["dcbx"]["willing"];
        const bool follows =
            !willing.valid ||
            std::any_of(willing.items.begin(), willing.items.end(),
                        [](const Value& feature) { return feature.text == "pfc"; });
        return follows && receives_dcbx(port);
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

void check_unused_keys(const Value& file, Report& report) { UnusedKeys(file, report).check(); }

}  // namespace sluice::config
