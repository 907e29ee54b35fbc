#include "tools/sim/scenario/switch_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/loader.h"
#include "config/schema.h"
#include "config/yaml/values.h"
#include "tools/sim/scenario/priorities.h"

namespace sluice::sim {

using config::Node;
using config::Position;

namespace {

constexpr std::array<std::string_view, 4> sections = {"defaults", "buffer", "fabric", "csig"};
Node scalar(std::string text, Position at) {
    return {.kind = Node::Kind::scalar, .at = at, .text = std::move(text), .keys = {}, .items = {}};
}
Node map_at(Position at) {
    return {.kind = Node::Kind::map, .at = at, .text = {}, .keys = {}, .items = {}};
}
void put(Node& map, std::string_view key, Node value) {
    map.keys.push_back(scalar(std::string(key), map.at));
    map.items.push_back(std::move(value));
}
const Node* find(const Node& map, std::string_view key) {
    for (std::size_t n = 0; n < map.keys.size(); ++n) {
        if (map.keys[n].text == key) return &map.items[n];
    }
    return nullptr;
}
Node* find(Node& map, std::string_view key) {
    return const_cast<Node*>(find(std::as_const(map), key));
}

// Returns the map without keys that are not scalars: their faults have been reported.
Node usable(const Node& map) {
    Node kept = map_at(map.at);
    for (std::size_t n = 0; n < map.keys.size(); ++n) {
        if (map.keys[n].kind != Node::Kind::scalar) continue;
        kept.keys.push_back(map.keys[n]);
        kept.items.push_back(map.items[n]);
    }
    return kept;
}

// Returns the default response of a port.
std::string usual_response() {
    const auto of = [](std::span<const config::Key> keys, std::string_view name) {
        return *std::ranges::find(keys, name, &config::Key::name);
    };
    const config::Key pfc = of(config::port_schema().inside, "pfc");
    return std::string(of(pfc.inside, "response").fallback);
}

class Assembly {
  public:
    Assembly(const SwitchDraft& draft, const Fields& for_all, const Cable& spare,
             const SwitchTiming& timing, config::Report& report)
        : draft_(draft),
          for_all_(for_all),
          spare_(spare),
          in_flight_(timing.latency + timing.crossbar * 2),
          report_(report) {}

    Node document() {
        Node file = map_at(place());
        for (const std::string_view section : sections) {
            const Node* own = own_section(section);
            const Node* node = own != nullptr ? own : for_all_.find(section);
            if (node != nullptr) put(file, section, *node);
        }
        const Node* defaults = find(file, "defaults");
        if (defaults != nullptr) refuse_decided(*defaults, prefix("defaults") + "defaults");
        Node ports{.kind = Node::Kind::list, .at = place(), .text = {}, .keys = {}, .items = {}};
        for (std::size_t n = 0; n < draft_.ports.size(); ++n) {
            ports.items.push_back(port(n, defaults));
        }
        put(file, "ports", std::move(ports));
        return file;
    }
    // Whether the file maps the port's PCPs to priorities.
    [[nodiscard]] bool maps_pcps(std::size_t port) const { return maps_pcps_[port]; }
    // Returns the path of the map with the section of `path`, for faults.
    [[nodiscard]] std::string prefix(std::string_view path) const {
        const std::string_view section = path.substr(0, path.find_first_of(".["));
        const bool own = own_section(section) != nullptr || section == "ports";
        return (own && draft_.own ? draft_.own->path() : for_all_.path()) + '.';
    }

  private:
    [[nodiscard]] Position place() const { return draft_.own ? draft_.own->at() : for_all_.at(); }
    [[nodiscard]] const Node* own_section(std::string_view section) const {
        return draft_.own ? draft_.own->find(section) : nullptr;
    }

    // Reports keys that another part of the scenario decides, or that cannot be simulated.
    void refuse_decided(const Node& port, const std::string& path,
                        const config::Key& map = config::port_schema()) {
        for (std::size_t n = 0; n < port.keys.size(); ++n) {
            const auto key = std::ranges::find(map.inside, port.keys[n].text, &config::Key::name);
            if (key == map.inside.end()) continue;
            const std::string place = fmt::format("{}.{}", path, key->name);
            const auto refuse = [&](std::string remedy) {
                report_.add(port.keys[n].at, place, "cannot be set in a scenario",
                            std::move(remedy));
            };
            const bool by_credit = key->name == "flow_control" && port.items[n].text == "credit";
            if (by_credit) refuse("write flow_control: credit for the cable");
            const bool strips = map.name == "csig" && port.items[n].text == "strip";
            if (strips) refuse("write update: hosts here read the tags");
            if (!key->simulated) {
                refuse(key->name == "speed" ? "write the speed of the cable" : "remove it");
            } else if (key->kind == config::Kind::map) {
                refuse_decided(port.items[n], place, *key);
            }
        }
    }

    Node port(std::size_t index, const Node* defaults) {
        Node port = map_at(place());
        const Node* list = own_section("ports");
        if (list != nullptr && list->kind == Node::Kind::list) {
            const Node& own = list->items[index];
            if (own.kind == Node::Kind::map) port = usable(own);
            refuse_decided(port, fmt::format("{}.ports[{}]", draft_.own->path(), index));
        }
        const auto says = [&](std::string_view key) {
            return find(port, key) != nullptr ||
                   (defaults != nullptr && find(*defaults, key) != nullptr);
        };
        maps_pcps_.push_back(says("pcp_to_priority") || says("profile"));
        const Cable& cable = draft_.ports[index] ? *draft_.ports[index] : spare_;
        if (find(port, "name") == nullptr) {
            put(port, "name", scalar(fmt::format("p{}", index), port.at));
        }
        set(port, "device", "null:");
        set(port, "speed", config::format_rate(cable.speed.count()));
        const Node* of_all = defaults != nullptr ? find(*defaults, "pfc") : nullptr;
        if (find(port, "pfc") == nullptr) put(port, "pfc", map_at(port.at));
        Node& pfc = *find(port, "pfc");
        if (pfc.kind != Node::Kind::map) return port;
        const auto written = [&](std::string_view key) {
            const Node* own = find(pfc, key);
            return own != nullptr || of_all == nullptr ? own : find(*of_all, key);
        };
        // Without PFC the headroom is not used: it is made as small as config allows, and
        // flow_control.h removes it later.
        if (cable.flow_control != FlowControl::pfc) {
            if (written("cable") == nullptr) put(pfc, "cable", scalar("0m", port.at));
            if (written("response") == nullptr) put(pfc, "response", scalar("0ns", port.at));
            return port;
        }
        if (written("cable") == nullptr) {
            put(pfc, "cable", scalar(config::format_length(cable.millimetres), port.at));
        }
        if (in_flight_ > Nanos(0)) {
            const Node* response = written("response");
            const std::string text = response == nullptr ? usual_response() : response->text;
            const auto known = config::parse_time(text).value_or(-1);
            if (known >= 0) {
                set(pfc, "response", config::format_time(known + in_flight_.count()));
            }
        }
        return port;
    }
    static void set(Node& map, std::string_view key, std::string text) {
        Node value = scalar(std::move(text), map.at);
        if (Node* there = find(map, key)) {
            *there = std::move(value);
        } else {
            put(map, key, std::move(value));
        }
    }

    const SwitchDraft& draft_;
    const Fields& for_all_;
    const Cable& spare_;
    // Time of frames that are in flight when an XOFF is due: in the pipeline, in the peer's
    // crossbar, and in this switch's crossbar, where the pause frame waits for a frame.
    Nanos in_flight_;
    config::Report& report_;
    std::vector<bool> maps_pcps_;  // by port
};

SwitchTiming timing_of(Fields& for_all, std::optional<Fields> own) {
    const auto of = [&](std::string_view key) {
        return own && own->has(key) ? own->number(key) : for_all.number(key);
    };
    return {static_cast<Forwarding>(of("forwarding")), Nanos(of("latency")),
            Nanos(for_all.number("crossbar"))};
}

}  // namespace

std::optional<SwitchSpec> settings_of(const SwitchDraft& draft, Fields& for_all, const Cable& spare,
                                      bool four_priorities, config::Report& report) {
    const SwitchTiming timing = timing_of(for_all, draft.own);
    Assembly assembly(draft, for_all, spare, timing, report);
    const Node document = assembly.document();
    config::Report of_config(report.file());
    auto read = config::configuration_of(document, of_config);
    for (config::Fault& fault : of_config.take()) {
        report.add(fault.at, assembly.prefix(fault.path) + fault.path, std::move(fault.what),
                   std::move(fault.remedy));
    }
    if (!read) return std::nullopt;
    SwitchSpec spec{draft.name, std::move(read->settings), {}, timing};
    for (const config::PortConfig& port : read->ports) spec.ports.push_back(port.name);
    // In the simulator pause frames name the priorities of a switch, also those of hosts (host.h);
    // they do not name PCPs.
    for (PortSettings& port : spec.settings.ports) port.pfc.bits = {};
    for (std::size_t port = 0; four_priorities && port < spec.ports.size(); ++port) {
        if (assembly.maps_pcps(port)) continue;
        spec.settings.ports[port].classify.pcp_to_priority = pcps_to_four;
    }
    return spec;
}

}  // namespace sluice::sim
