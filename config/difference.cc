#include "config/difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "config/port/tunnel_kinds.h"
#include "config/schema.h"
#include "config/value_text.h"
#include "config/yaml/document.h"
#include "config/yaml/reader.h"
#include "config/yaml/values.h"
#include "dataplane/fabric/matchers.h"

namespace sluice::config {

namespace {

std::string plain(std::string_view text) { return std::string(text); }

// A value equal to the text for "not written" is shown in quotes.
std::string shown(const Key& key, const Value& value) {
    std::string text = text_of(key, value);
    return !value.text.empty() && text == text_of(key, Value{}) ? in_quotes(text) : text;
}

Value values_of(const Configuration& configuration) {
    Report unread(configuration.source.file);
    const auto document = read_document(configuration.source.text, unread);
    return document ? read_values(*document, unread) : Value{};
}

// Returns the port at position `listed` of the file's list.
const Value& port_at(const Value& file, std::size_t listed) {
    static const Value nothing;
    if (file.items.empty() || listed >= file["ports"].items.size()) return nothing;
    return file["ports"].items[listed];
}

class Comparison {
  public:
    explicit Comparison(const Configuration& next) : next_(next), report_(next.source.file) {}

    // `show` prints a value as an operator would write it.
    template <class Type, class Show>
    void keep(const std::string& path, const Type& running, const Type& next, Show show) {
        if (running == next) return;
        report_.add(
            next_.source.position_of(path), path,
            fmt::format("cannot change from {} to {} while running", show(running), show(next)),
            fmt::format("keep {}, or restart sluiced", show(running)));
    }
    // Compares two maps by the text in their files, and reports the keys that need a restart.
    void keep_written(const Key& map, const Value& running, const Value& next,
                      const std::string& path) {
        const std::size_t count = std::min(running.items.size(), next.items.size());
        for (std::size_t index = 0; index < std::min(count, map.inside.size()); ++index) {
            const Key& key = map.inside[index];
            const std::string below =
                fmt::format("{}{}{}", path, path.empty() ? "" : ".", key.name);
            if (below == "defaults") continue;  // defaults are already part of each port
            if (key.restart && !key.by_meaning) {
                keep(below, shown(key, running.items[index]), shown(key, next.items[index]), plain);
            } else if (key.kind == Kind::map) {
                keep_written(key, running.items[index], next.items[index], below);
            }
        }
    }
    [[nodiscard]] std::vector<Fault> take() { return report_.take(); }

  private:
    const Configuration& next_;
    Report report_;
};

std::string number(uint64_t number) { return fmt::format("{}", number); }
std::string size(Bytes size) { return format_size(size.count()); }
std::string place_below(PortIndex underlay) {
    return underlay == no_underlay ? "no tunnel"
                                   : fmt::format("a tunnel over port slot {}", underlay);
}
std::string pauser(PfcBy by) { return std::string(name_of(by)); }
std::string priorities(PrioritySet set) {
    std::vector<std::string> list;
    for_each_priority(set, [&](Priority priority) { list.push_back(number(priority)); });
    return fmt::format("[{}]", fmt::join(list, ", "));
}
std::string underlay(const std::optional<UnderlayConfig>& underlay) {
    if (!underlay) return "none";
    std::string text;
    const auto add = [&](const auto& address, uint8_t prefix, const auto& gateway) {
        if (!address) return;
        text += fmt::format("{}/{}", to_text(*address), prefix);
        text += gateway ? fmt::format(" by {} ", to_text(*gateway)) : " ";
    };
    add(underlay->address, underlay->prefix, underlay->gateway);
    add(underlay->address6, underlay->prefix6, underlay->gateway6);
    if (underlay->vlan != 0) {
        text += fmt::format("in VLAN {} (PCP {}) ", underlay->vlan,
                            fmt::join(underlay->marks.pcps, ", "));
    }
    return fmt::format("{}(DSCP {}; TC {})", text, fmt::join(underlay->marks.dscps, ", "),
                       fmt::join(underlay->marks.tcs, ", "));
}
// The kinds of tunnels over a port, by their outer headers.
struct TunnelKinds {
    bool labels = false;
    bool ip = false;
};
TunnelKinds kinds_over(const Configuration& configuration, std::size_t underlay) {
    TunnelKinds found;
    for (std::size_t port = 0; port < configuration.ports.size(); ++port) {
        const PortConfig& about = configuration.ports[port];
        if (about.vacant || !about.tunnel) continue;
        if (configuration.settings.ports[port].underlay != underlay) continue;
        (kind_of(about.tunnel->encapsulation).by_labels ? found.labels : found.ip) = true;
    }
    return found;
}
// Returns whether the sum of the MTU and the outer headers is unchanged. If it is, an unwritten MTU
// has changed only because the outer headers have.
bool follows_the_keys(const PortConfig& was, const PortConfig& is) {
    if (!was.tunnel || !is.tunnel) return false;
    const auto outer = [](const PortConfig& port) {
        return port.mtu.count() + static_cast<int64_t>(outer_octets(port.tunnel->encapsulation));
    };
    return outer(was) == outer(is);
}
// Traffic classes matter only to tunnels with labels, and DSCPs only to tunnels over IP. A
// difference in either counts only if the port has tunnels of that kind both before and after.
std::optional<UnderlayConfig> without_unused(const std::optional<UnderlayConfig>& was,
                                             std::optional<UnderlayConfig> is,
                                             const TunnelKinds& before, const TunnelKinds& after) {
    if (!was || !is) return is;
    if (!before.labels || !after.labels) is->marks.tcs = was->marks.tcs;
    if (!before.ip || !after.ip) is->marks.dscps = was->marks.dscps;
    return is;
}
// A format whose name is unchanged may have got another layout.
struct Meaning {
    std::string_view name;
    FrameFormat layout;

    friend bool operator==(const Meaning&, const Meaning&) = default;
};
std::string format(const Meaning& meaning) {
    const auto field = [](const Field& of) {
        return of.exists() ? fmt::format("{}/{}", of.offset, of.width) : "none";
    };
    return fmt::format("{} (destination {}, source {}, traffic class {}, key word {})",
                       meaning.name, field(meaning.layout.destination),
                       field(meaning.layout.source), field(meaning.layout.traffic_class),
                       field(meaning.layout.key_word));
}

// Returns the workers of a port's further lanes. The worker of its first lane is `worker`.
std::vector<WorkerIndex> lanes_of(const Settings& settings, std::size_t port) {
    std::vector<WorkerIndex> lanes;
    for (const LaneSettings& lane : settings.lanes) {
        if (lane.port == port) lanes.push_back(lane.worker);
    }
    return lanes;
}
std::string workers(const std::vector<WorkerIndex>& lanes) {
    return lanes.empty() ? "none beside its worker"
                         : fmt::format("{} besides", fmt::join(lanes, ", "));
}

// Compares the keys of two tunnels of one kind, apart from the device string.
template <class Path>
void keep_tunnel_keys(Comparison& compare, Path path, const Encapsulation& running,
                      const Encapsulation& next) {
    if (running.index() != next.index()) return;
    const std::vector<OwnKey> before = facts_of(running).keys;
    const std::vector<OwnKey> after = facts_of(next).keys;
    for (std::size_t key = 0; key < before.size(); ++key) {
        compare.keep(path(before[key].name), before[key].text, after[key].text, plain);
    }
}

}  // namespace

std::vector<Fault> difference_needing_restart(const Configuration& running,
                                              const Configuration& next) {
    Comparison compare(next);
    const Value file_before = values_of(running);
    const Value file_after = values_of(next);
    const Settings& before = running.settings;
    const Settings& after = next.settings;
    compare.keep("ports", running.ports.size(), next.ports.size(), number);
    // If ports were added or removed, an index no longer means the same port: only the number of
    // ports is reported.
    if (running.ports.size() == next.ports.size()) {
        for (std::size_t index = 0; index < next.ports.size(); ++index) {
            const PortConfig& was = running.ports[index];
            const PortConfig& is = next.ports[index];
            // Control finds the VTEP of an EVPN tunnel by its slot until the switch stops, so the
            // tunnel cannot be removed.
            if (is.vacant && before.ports[index].evpn) {
                compare.keep("ports", "those with " + was.name, plain("those without it"), plain);
            }
            if (was.vacant || is.vacant) continue;
            const auto path = [&](std::string_view key) {
                return fmt::format("ports[{}].{}", is.listed, key);
            };
            compare.keep(path("device"), was.device, is.device, plain);
            compare.keep(path("device"), before.ports[index].underlay, after.ports[index].underlay,
                         place_below);
            if (was.tunnel && is.tunnel) {
                keep_tunnel_keys(compare, path, was.tunnel->encapsulation,
                                 is.tunnel->encapsulation);
            }
            compare.keep(path("worker"), before.ports[index].worker, after.ports[index].worker,
                         number);
            compare.keep(path("lanes"), lanes_of(before, index), lanes_of(after, index), workers);
            if (!follows_the_keys(was, is)) compare.keep(path("mtu"), was.mtu, is.mtu, size);
            compare.keep(path("format"), Meaning{was.format, before.ports[index].format},
                         Meaning{is.format, after.ports[index].format}, format);
            compare.keep(path("underlay"), was.underlay,
                         without_unused(was.underlay, is.underlay, kinds_over(running, index),
                                        kinds_over(next, index)),
                         underlay);
            const PfcSettings& pauses = before.ports[index].pfc;
            const PfcSettings& would_pause = after.ports[index].pfc;
            compare.keep(path("pfc.by"), pauses.by, would_pause.by, pauser);
            if (pauses.by == PfcBy::queues && would_pause.by == PfcBy::queues) {
                compare.keep(path("lossless"), pauses.lossless, would_pause.lossless, priorities);
            }
            compare.keep_written(port_schema(), port_at(file_before, was.listed),
                                 port_at(file_after, is.listed),
                                 fmt::format("ports[{}]", is.listed));
        }
    }
    compare.keep_written(schema(), file_before, file_after, "");
    return compare.take();
}

}  // namespace sluice::config
