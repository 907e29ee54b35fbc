#include "config/port/pause_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/port/classification.h"
#include "config/port/flow_control.h"
#include "config/port/formats.h"
#include "config/yaml/whole.h"

namespace sluice::config {

namespace {

using Bits = std::array<PrioritySet, max_priorities>;

bool trusts(const ClassifySettings& by, PrioritySource source) {
    return std::ranges::find(by.order, source) != by.order.end();
}

bool reads_dscps(const ClassifySettings& by) {
    return trusts(by, PrioritySource::dscp) || trusts(by, PrioritySource::roce);
}

// Returns whether each DSCP has the priority of the PCP in its class selector, as in the profiles.
bool has_class_selectors(const ClassifySettings& by) {
    for (std::size_t dscp = 0; dscp < by.dscp_to_priority.size(); ++dscp) {
        if (by.dscp_to_priority[dscp] != by.pcp_to_priority[dscp >> 3]) return false;
    }
    return true;
}

// The priorities that a port gives to received frames.
class Classes {
  public:
    Classes(const ClassifySettings& by, const FrameFormat& format)
        : by_(by),
          has_tags_(format.ether_type),
          has_selectors_(reads_dscps(by) && has_class_selectors(by)) {}

    // Returns whether the priority depends on the PCP, or on the DSCP as its substitute.
    [[nodiscard]] bool by_pcp() const {
        return has_tags_ && (trusts(by_, PrioritySource::pcp) || has_selectors_);
    }
    [[nodiscard]] Priority priority_of(std::size_t pcp) const { return by_.pcp_to_priority[pcp]; }
    // Returns the set of PCPs of each priority.
    [[nodiscard]] Bits pcps() const {
        Bits bits{};
        for (Priority pcp = 0; by_pcp() && pcp < max_priorities; ++pcp) {
            bits[priority_of(pcp)] |= only_priority(pcp);
        }
        return bits;
    }
    // Returns the key, other than a map of PCPs, by which frames get this priority; empty: there is
    // none.
    [[nodiscard]] std::string_view key_of(Priority priority) const {
        if (by_.default_priority == priority) return "default_priority";
        if (reads_dscps(by_) && !has_selectors_ &&
            std::ranges::find(by_.dscp_to_priority, priority) != by_.dscp_to_priority.end()) {
            return "dscp_to_priority";
        }
        if (trusts(by_, PrioritySource::traffic_class) &&
            std::ranges::find(by_.tc_to_priority, priority) != by_.tc_to_priority.end()) {
            return "tc_to_priority";
        }
        const auto applications = std::span(by_.applications).first(by_.application_count);
        const bool is_one = std::ranges::find(applications, priority,
                                              &ApplicationPriority::priority) != applications.end();
        return is_one ? "application" : "";
    }

  private:
    const ClassifySettings& by_;
    const bool has_tags_;
    const bool has_selectors_;
};

Bits sent_bits(const Classes& classes) {
    Bits bits = classes.pcps();
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool has_other_frames = !classes.key_of(priority).empty();
        if (has_other_frames || bits[priority] == 0) bits[priority] |= only_priority(priority);
    }
    return bits;
}

Bits written_sent_bits(const Value& list) {
    Bits bits{};
    for (Priority bit = 0; bit < max_priorities; ++bit) {
        bits[whole<Priority>(list.items[bit])] |= only_priority(bit);
    }
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (bits[priority] == 0) bits[priority] = only_priority(priority);
    }
    return bits;
}

// Returns the bits that stop each priority: the PCPs with which frames of the priority are sent.
// `came`: the PCPs with which the frames were received.
Bits received_bits(const PortConfig& about, const PortSettings& port, const Value& written,
                   const Bits& came) {
    const bool has_tags = port.format.ether_type;
    Bits bits{};
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const uint8_t remarked = port.remark.pcp[priority];
        if (has_tags && remarked != RemarkSettings::as_it_came) {
            bits[priority] = only_priority(remarked);
        } else {
            bits[priority] = came[priority];
            if (port.tagging.aware) bits[priority] |= only_priority(priority);
        }
        if (about.underlay && about.underlay->vlan != 0) {
            bits[priority] |= only_priority(about.underlay->marks.pcps[priority]);
        }
    }
    PrioritySet fixed = 0;
    for (const Value& item : written.items) {
        const auto priority = static_cast<Priority>(item.table_key);
        bits[priority] = only_priority(whole<Priority>(item));
        fixed |= only_priority(priority);
    }
    const Bits leaving = bits;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const PrioritySet own = only_priority(priority);
        const auto others =
            std::ranges::count_if(leaving, [&](const PrioritySet& of) { return (of & own) != 0; });
        if ((fixed & own) == 0 && others == 0) bits[priority] |= own;
    }
    return bits;
}

class PauseBitRules {
  public:
    PauseBitRules(const Value& file, const Value& port, Report& report)
        : file_(file), port_(port), bits_(port["pfc"]["bits"]), report_(report) {}

    void check() {
        const auto format = format_named(file_, port_["format"].text);
        if (!format || !is_readable()) return;
        for (const Value& item : port_["lossless"].items) {
            lossless_ |= only_priority(whole<Priority>(item));
        }
        const ClassifySettings by = classify_settings(port_);
        const Classes classes(by, *format);
        if (bits_["sent"].written) {
            every_lossless_priority_has_a_bit();
        } else {
            a_bit_is_one_priority(classes);
        }
        peer_counts_as_we_do(classes);
    }

  private:
    [[nodiscard]] bool is_readable() const {
        constexpr std::array<std::string_view, 10> keys = {
            "trust",          "profile",     "pcp_to_priority",  "dscp_to_priority",
            "tc_to_priority", "application", "default_priority", "lossless",
            "remark",         "format"};
        return bits_.valid &&
               std::ranges::all_of(keys, [&](std::string_view key) { return port_[key].valid; });
    }
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }
    // Returns the key that maps PCPs to priorities.
    [[nodiscard]] const Value& map() const {
        const Value& map = port_["pcp_to_priority"];
        return map.written || !port_["profile"].written ? map : port_["profile"];
    }

    void every_lossless_priority_has_a_bit() {
        for_each_priority(lossless_, [&](Priority priority) {
            const auto& items = bits_["sent"].items;
            if (std::ranges::find(items, int64_t{priority}, &Value::number) != items.end()) return;
            fault(bits_["sent"], fmt::format("has no bit for lossless priority {}", priority),
                  fmt::format("write {} at the bit of its frames", priority));
        });
    }

    void a_bit_is_one_priority(const Classes& classes) {
        if (!classes.by_pcp()) return;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const std::string_view key = classes.key_of(priority);
            const Priority other = classes.priority_of(priority);
            const PrioritySet both = only_priority(priority) | only_priority(other);
            if (key.empty() || other == priority || (lossless_ & both) == 0) continue;
            fault(map(),
                  fmt::format("makes PCP {0} priority {1}, and {2} makes frames without a PCP "
                              "priority {0}: a pause of {0} would hold both",
                              priority, other, key),
                  fmt::format("map PCP {0} to {0}, or write in pfc.bits.sent which priority each "
                              "bit stands for",
                              priority));
            return;
        }
    }

    // Checks ports where the number of a priority on the wire has another use too: the device
    // selects queues by it, and DCBX has masks of it.
    void peer_counts_as_we_do(const Classes& classes) {
        const Value* const other = other_number(classes);
        if (other == nullptr) return;
        if (lossless_ != 0 && pauser_of(port_) == PfcBy::queues) {
            fault(*other,
                  "gives a lossless priority another number on the wire, which a device that "
                  "pauses (pfc.by: nic) does not know",
                  "let PCP and priority be the same, or write pfc: {by: switch}");
        }
        for (const Value& feature : port_["dcbx"]["willing"].items) {
            if (feature.text != "pfc" && feature.text != "application") continue;
            fault(feature,
                  fmt::format(
                      "follows the peer, which counts by PCP, but {} maps PCPs to other priorities",
                      other->path),
                  fmt::format("leave it out and write {}, or let PCP and priority be the same",
                              feature.text == "pfc" ? "lossless" : "application"));
        }
        for (const std::string_view name : {"defend", "hold"}) {
            const Value& key = port_["dcbx"][name];
            if (!key.valid || key.number == 0) continue;
            fault(key,
                  fmt::format(
                      "asks the peer, which counts by PCP, but {} maps PCPs to other priorities",
                      other->path),
                  "leave it out, or let PCP and priority be the same");
        }
    }
    // Returns the key that gives another number on the wire to a lossless priority, or to one that
    // a peer may make lossless; null: there is none.
    [[nodiscard]] const Value* other_number(const Classes& classes) const {
        const bool may_be_any =
            std::ranges::any_of(port_["dcbx"]["willing"].items,
                                [](const Value& feature) { return feature.text == "pfc"; });
        const PrioritySet meant = may_be_any ? PrioritySet{0xFF} : lossless_;
        const auto is_meant = [&](std::size_t priority) {
            return (meant & only_priority(static_cast<Priority>(priority))) != 0;
        };
        for (Priority pcp = 0; classes.by_pcp() && pcp < max_priorities; ++pcp) {
            const Priority priority = classes.priority_of(pcp);
            if (priority != pcp && (is_meant(priority) || is_meant(pcp))) return &map();
        }
        for (const Value& item : port_["remark"]["pcp"].items) {
            if (item.number != item.table_key && is_meant(static_cast<std::size_t>(item.table_key)))
                return &item;
        }
        return nullptr;
    }

    const Value& file_;
    const Value& port_;
    const Value& bits_;
    Report& report_;
    PrioritySet lossless_ = 0;
};

}  // namespace

void check_pause_bits(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) PauseBitRules(file, port, report).check();
}

void join_pause_bits(const Value& file, Configuration& built) {
    std::vector<PortSettings>& ports = built.settings.ports;
    Bits came{};
    for (const PortSettings& port : ports) {
        const Bits pcps = Classes(port.classify, port.format).pcps();
        for (std::size_t priority = 0; priority < came.size(); ++priority) {
            came[priority] |= pcps[priority];
        }
    }
    for (std::size_t number = 0; number < ports.size(); ++number) {
        PortSettings& port = ports[number];
        const Value& written = file["ports"].items[number]["pfc"]["bits"];
        const Value& sent = written["sent"];
        port.pfc.bits.sent =
            sent.written ? written_sent_bits(sent) : sent_bits(Classes(port.classify, port.format));
        const Bits of = received_bits(built.ports[number], port, written["received"], came);
        port.pfc.bits.received.fill(0);
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            for_each_priority(of[priority], [&](Priority bit) {
                port.pfc.bits.received[bit] |= only_priority(priority);
            });
        }
    }
}

}  // namespace sluice::config
