#include "config/port/header_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "config/port/formats.h"

namespace sluice::config {

namespace {

bool has_ip(const FrameFormat& format) { return format.ip; }
bool has_ecn(const FrameFormat& format) { return format.ip || format.ecn.exists(); }
bool has_tags(const FrameFormat& format) { return format.ether_type; }
bool has_classes(const FrameFormat& format) { return format.traffic_class.exists(); }
bool has_csig(const FrameFormat& format) {
    return format.family == FormatFamily::ethernet && format.ip;
}
bool is_learned_from(const FrameFormat& format) { return format.learns; }

struct HeaderKey {
    std::string_view map;  // the map in the port that holds the key; empty: the port itself
    std::string_view key;
    bool (*is_for)(const FrameFormat&);
    bool of_family;  // true: the key has an effect if any port of the family has the field
    std::string_view field;
};

constexpr auto header_keys = std::to_array<HeaderKey>({
    {"", "ecn", has_ecn, true, "no ECN that could be marked, in IP or a field"},
    {"trim", "dscp", has_ip, true, "no DSCP"},
    {"csig", "mode", has_csig, false, "no tag of CSIG, which is Ethernet's"},
    {"remark", "dscp", has_ip, true, "no DSCP"},
    {"remark", "pcp", has_tags, false, "no tag that could have a PCP"},
    {"", "pcp_to_priority", has_tags, false, "no tag that could have a PCP"},
    {"", "dscp_to_priority", has_ip, false, "no DSCP"},
    {"", "tc_to_priority", has_classes, false, "no traffic class"},
    {"fdb", "sticky", is_learned_from, false, "no source address that is learned"},
});

const Value& value_of(const HeaderKey& key, const Value& port) {
    return key.map.empty() ? port[key.key] : port[key.map][key.key];
}

class HeaderKeys {
  public:
    HeaderKeys(const Value& file, Report& report) : ports_(file["ports"].items), report_(report) {
        for (const Value& port : ports_) {
            formats_.push_back(format_named(file, port["format"].text));
        }
    }

    void check(const HeaderKey& key) {
        const Value* of_defaults = nullptr;
        bool used = false;
        for (std::size_t n = 0; n < ports_.size(); ++n) {
            const Value& value = value_of(key, ports_[n]);
            if (!value.says_something()) continue;
            const bool has_effect = is_for(key, n);
            if (value.is_of_defaults()) {
                of_defaults = &value;
                used = used || has_effect;
            } else if (!has_effect) {
                report_.add(
                    value.at, value.path,
                    fmt::format("frames of format {} have {}", ports_[n]["format"].text, key.field),
                    "leave it out, or write a format that has it");
            }
        }
        if (of_defaults == nullptr || used) return;
        report_.add(of_defaults->at, of_defaults->path,
                    fmt::format("frames of the ports that use it have {}", key.field),
                    "leave it out, or write a format that has it");
    }

  private:
    // A format with faults counts as having the field, as check_formats reports its faults.
    [[nodiscard]] bool is_for(const HeaderKey& key, std::size_t port) const {
        const auto& own = formats_[port];
        if (!own || key.is_for(*own)) return true;
        return key.of_family &&
               std::any_of(formats_.begin(), formats_.end(), [&](const auto& other) {
                   return !other || (other->family == own->family && key.is_for(*other));
               });
    }

    const std::vector<Value>& ports_;
    std::vector<std::optional<FrameFormat>> formats_;
    Report& report_;
};

// Reports snooping if the frames of no port have an IP header: IGMP and MLD messages are IP
// packets.
void somebody_can_report(const Value& file, Report& report) {
    const Value& snooping = file["multicast"]["snooping"];
    if (snooping.items.empty() || !snooping.valid) return;
    const std::vector<Value>& ports = file["ports"].items;
    const bool snoops = std::any_of(ports.begin(), ports.end(), [&](const Value& port) {
        const auto format = format_named(file, port["format"].text);
        return !format || format->ip;
    });
    if (snoops || ports.empty()) return;
    report.add(snooping.at, snooping.path,
               "frames of no port have an IP header, so no host reports",
               "leave it out, or write a port whose format has one");
}

}  // namespace

void check_header_keys(const Value& file, Report& report) {
    HeaderKeys keys(file, report);
    for (const HeaderKey& key : header_keys) keys.check(key);
    somebody_can_report(file, report);
}

}  // namespace sluice::config
