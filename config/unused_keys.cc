#include "config/unused_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "config/choices.h"
#include "config/port/encapsulations.h"
#include "config/port/formats.h"
#include "config/port/trust.h"
#include "config/protocols/dcbx.h"
#include "config/schema.h"

namespace sluice::config {

namespace {

// Returns whether DCBX may make priorities lossless because they are lossless at the peer.
bool may_be_brought_lossless(const Value& port) {
    const Value& willing = port["dcbx"]["willing"];
    const bool follows =
        !willing.valid || std::any_of(willing.items.begin(), willing.items.end(),
                                      [](const Value& feature) { return feature.text == "pfc"; });
    return follows && receives_dcbx(port);
}

bool lacks_lossless(const Value& port) {
    return !port["lossless"].written && !may_be_brought_lossless(port);
}
bool is_off(const Value& key) { return key.valid && key.number == 0; }
bool is_empty(const Value& list) { return list.valid && list.items.empty(); }

// A condition for a key of schema.h to have an effect, and the report if the condition is not met.
struct Need {
    Needs needs;
    std::string_view without;
    std::string_view remedy;
    // `map`: the port that has the key; for a key outside `ports`, the file.
    bool (*is_missing)(const Value& map);
    bool even_if_nothing = false;  // report the key even if its value is 0, false or an empty list
    bool of_file = false;          // check the file, even if the key is a port's
};

constexpr std::string_view write_lossless = "leave it out, or write lossless: [3] or the like";
constexpr std::string_view write_tpid = "leave it out, or write a tpid beside it";
constexpr auto all_needs = std::to_array<Need>({
    {Needs::nothing, "", "", [](const Value&) { return false; }},
    {Needs::lossless, "without lossless priorities", write_lossless, lacks_lossless},
    {Needs::obeying, "without lossless priorities", write_lossless,
     [](const Value& port) {
         return lacks_lossless(port) && port["pfc"]["asymmetric"].number == 0;
     }},
    {Needs::pauses, "without lossless priorities, pfc.link_pause or pfc.asymmetric", write_lossless,
     [](const Value& port) {
         const Value& pfc = port["pfc"];
         return lacks_lossless(port) && is_off(pfc["link_pause"]) && is_off(pfc["asymmetric"]);
     }},
    {Needs::rates, "without a rate", "leave it out, or write a rate beside it",
     [](const Value& port) {
         return std::ranges::all_of(port["storm_control"].items, [](const Value& key) {
             return key.name == "unit" || is_off(key);
         });
     },
     true},
    {Needs::trimming, "without trim.dscp", "leave it out, or write dscp: {0: 4} beside it",
     [](const Value& port) { return is_empty(port["trim"]["dscp"]); }},
    {Needs::credit, "without flow_control: credit", "leave it out, or write flow_control: credit",
     [](const Value& port) {
         const Value& control = port["flow_control"];
         return control.valid && control.text != "credit";
     },
     true},
    {Needs::retry, "without retry.enabled", "leave it out, or write enabled: true beside it",
     [](const Value& port) { return is_off(port["retry"]["enabled"]); }, true},
    {Needs::snooping, "without multicast.snooping", "leave it out, or write snooping: [igmp, mld]",
     [](const Value& file) { return is_empty(file["multicast"]["snooping"]); }, true},
    {Needs::querying, "without multicast.querier.vlans",
     "leave it out, or write vlans: [1] beside it",
     [](const Value& file) { return is_empty(file["multicast"]["querier"]["vlans"]); }, true},
    {Needs::weighted, "with rule: strict", "leave it out, or write rule: weighted",
     [](const Value& file) { return file["fabric"]["rule"].text == "strict"; }, true},
    {Needs::something_kept, "without state.fdb or state.counters",
     "leave it out, or write fdb: true or counters: true beside it",
     [](const Value& file) {
         return is_off(file["state"]["fdb"]) && is_off(file["state"]["counters"]);
     },
     true},
    {Needs::sflow, "without sflow.collectors",
     "leave it out, or write sflow.collectors: [\"192.0.2.9:6343\"] or the like",
     [](const Value& file) { return is_empty(file["sflow"]["collectors"]); }, true, true},
    {Needs::ipfix, "without ipfix.collectors",
     "leave it out, or write ipfix.collectors: [\"192.0.2.9:4739\"] or the like",
     [](const Value& file) { return is_empty(file["ipfix"]["collectors"]); }, true, true},
    {Needs::csig, "without csig.compact.tpid or csig.wide.tpid",
     "leave it out, or write csig: {compact: {tpid: 0x9900}} or the like",
     [](const Value& file) {
         return !file["csig"]["compact"]["tpid"].written && !file["csig"]["wide"]["tpid"].written;
     },
     false, true},
    {Needs::csig_compact, "without csig.compact.tpid", write_tpid,
     [](const Value& file) { return !file["csig"]["compact"]["tpid"].written; }, true},
    {Needs::csig_wide, "without csig.wide.tpid", write_tpid,
     [](const Value& file) { return !file["csig"]["wide"]["tpid"].written; }, true},
    {Needs::csig_updates, "without mode: update", "leave it out, or write mode: update beside it",
     [](const Value& port) {
         const Value& mode = port["csig"]["mode"];
         return mode.valid && choice<CsigMode>(mode) != CsigMode::update;
     },
     true},
});
constexpr const Need& row_of(Needs needs) { return all_needs[static_cast<std::size_t>(needs)]; }
static_assert(
    [] {
        for (std::size_t row = 0; row < all_needs.size(); ++row) {
            if (all_needs[row].needs != static_cast<Needs>(row)) return false;
        }
        return row_of(Needs::csig_updates).needs == all_needs.back().needs;
    }(),
    "each of Needs has a row here, in its order, whose last is csig_updates");

class UnusedKeys {
  public:
    UnusedKeys(const Value& file, Report& report) : file_(file), report_(report) {}

    void check() {
        check_map(schema(), file_, {});
        for (const Value& port : file_["ports"].items) {
            check_map(port_schema(), port, {.port = &port});
            check_default_vlan(port);
            check_trust(port);
            check_tables(port);
        }
    }

  private:
    // The port of a key, and the needs of the map that contains it.
    struct Around {
        const Value* port = nullptr;
        Needs needs = Needs::nothing;
    };

    void unused(const Value& value, std::string_view where, std::string_view remedy) {
        if (!value.written || !value.valid || value.is_of_defaults()) return;
        report_.add(value.at, value.path, fmt::format("has no meaning {}", where),
                    std::string(remedy));
    }

    // Reports the key unless its value only switches off a value of `defaults`.
    void unused_if_written(const Value& value, std::string_view where, std::string_view remedy) {
        if (value.says_something()) unused(value, where, remedy);
    }

    void check_map(const Key& map, const Value& value, const Around& around) {
        const std::size_t count = std::min(map.inside.size(), value.items.size());
        for (std::size_t place = 0; place < count; ++place) {
            const Key& key = map.inside[place];
            const Value& written = value.items[place];
            if (key.name == "defaults") continue;  // each port already has its defaults
            const Needs needs = key.needs != Needs::nothing ? key.needs : around.needs;
            if (key.kind == Kind::map) {
                check_map(key, written, {.port = around.port, .needs = needs});
            } else if (needs != Needs::nothing) {
                check_need(row_of(needs), written, around.port);
            }
        }
    }

    void check_need(const Need& need, const Value& value, const Value* port) {
        if (!need.is_missing(port != nullptr && !need.of_file ? *port : file_)) return;
        if (!need.even_if_nothing && !value.says_something()) return;
        unused(value, need.without, need.remedy);
    }

    void check_default_vlan(const Value& port) {
        const Value& vlan = port["vlan"];
        if (vlan["mode"].text == "trunk") {
            unused(port["default_vlan"], "with vlan.mode: trunk",
                   vlan["native"].written || has_vnis(port)
                       ? "leave it out"
                       : "leave it out, or write vlan.native in its place");
        } else if (vlan["mode"].text == "access" && vlan["access"].written) {
            unused(port["default_vlan"], "together with vlan.access", "leave one of them out");
        }
    }

    // Returns whether each frame with the source `later` also has `first`. All frames of a format
    // with a traffic class have that class, and each RoCEv2 frame has a DSCP.
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
                        "{} is never used after {}, which {}", trust.items[later].text, name,
                        name == "tc" ? "every frame of format " + port["format"].text + " has"
                                     : "RoCEv2 frames have too"),
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
            unused_if_written(port[table], nowhere, "leave it out, or name it in trust");
        } else if (!asked && port["trust"].is_of_defaults()) {
            // If `trust` is written at the port, check_trust has reported this fault already.
            unused_if_written(
                port[table],
                fmt::format("after tc, which every frame of format {} has", port["format"].text),
                "leave it out, or write a trust with tc last");
        }
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

void check_unused_keys(const Value& file, Report& report) { UnusedKeys(file, report).check(); }

}  // namespace sluice::config
