#include "config/port/pause_relays.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "config/port/flow_control.h"
#include "config/port/set_aside.h"
#include "config/port/tunnels.h"

namespace sluice::config {

namespace {

bool is_lossless(const Value& port, int64_t priority) {
    return std::ranges::any_of(port["lossless"].items, [&](const Value& item) {
        return item.valid && item.number == priority;
    });
}

// Returns the priorities that are lossless at both ports.
PrioritySet lossless_at_both(const Value& first, const Value& second) {
    PrioritySet both = 0;
    for (const Value& item : first["lossless"].items) {
        if (item.valid && is_lossless(second, item.number)) {
            both |= only_priority(static_cast<Priority>(item.number));
        }
    }
    return both;
}

class RelayRules {
  public:
    RelayRules(const Value& file, const PortNames& names, Report& report)
        : file_(file), names_(names), report_(report) {}

    void check() {
        for (const Value& port : file_["ports"].items) {
            const Value& relay = port["pause_relay"];
            if (relay.written && relay.valid) check_relay(port, relay);
        }
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void check_relay(const Value& tunnel, const Value& relay) {
        if (tunnel["device"].valid && !is_tunnel(tunnel)) {
            return fault(relay, "is only valid on a tunnel port", "write it at the tunnel");
        }
        const Value& name = relay["port"];
        if (!name.written) {
            return fault(name, "is missing", "name the port to the gateway");
        }
        const Value* const port = names_.find(name);
        if (port == nullptr || !(*port)["device"].valid) return;
        if (is_tunnel(*port)) {
            return fault(name, fmt::format("{} is a tunnel", name.text),
                         "name a port that is none");
        }
        if (below(tunnel) == name.text) {
            return fault(name, fmt::format("{} is below the tunnel", name.text),
                         "name the port to the gateway");
        }
        const auto [first, is_new] = seen_.emplace(name.text, &name);
        if (!is_new) {
            return fault(name,
                         fmt::format("{} is named by {} as well", name.text, first->second->path),
                         "leave one of them out: a port is an end of only one relay");
        }
        if ((*port)["underlay"].written) {
            return fault(name, fmt::format("{} has an address for tunnels", name.text),
                         "name a port that is below none");
        }
        for (const Value* end : {&tunnel, port}) {
            sends_pause_frames(*end);
            knows_its_peer(relay, *end);
            is_of_no_aggregation(relay, *end);
        }
        check_priorities(relay, tunnel, *port);
        check_worker(name, tunnel, *port);
    }

    static std::string below(const Value& tunnel) {
        const auto config = tunnel_config(tunnel);
        return config ? config->underlay : std::string();
    }

    void sends_pause_frames(const Value& end) {
        const Value& pfc = end["pfc"];
        if (goes_by_credit(end)) {
            fault(end["flow_control"], "credit cannot be combined with a pause relay",
                  "write flow_control: pfc");
        }
        if (pauses_by_rings(end) && !is_tunnel(end)) {
            fault(
                pfc["by"],
                fmt::format("{} cannot be combined with a pause relay, which receives pause frames",
                            name_of(pauser_of(end))),
                "write by: switch");
        }
        if (pfc["link_pause"].number != 0) {
            fault(pfc["link_pause"], "cannot be combined with a pause relay, which is by priority",
                  "write false");
        }
    }

    // Without a known peer, pauses from any station would stop the far site.
    void knows_its_peer(const Value& relay, const Value& end) {
        const Value& pfc = end["pfc"];
        if (!pfc["peer"].valid || !pfc["peer"].items.empty()) return;
        if (!pfc["strict"].valid || pfc["strict"].number != 0) return;
        fault(relay,
              fmt::format("{} accepts pauses from any source; a relay needs pfc.peer or pfc.strict",
                          end["name"].text),
              "write one of them there");
    }

    // Flows of an aggregation also use its other members, which the relayed pause does not stop.
    void is_of_no_aggregation(const Value& relay, const Value& end) {
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != end["name"].text) continue;
                fault(relay,
                      fmt::format("{} is a member of {}", member.text, aggregation["name"].text),
                      "relay to a port of no aggregation");
            }
        }
    }

    void check_priorities(const Value& relay, const Value& tunnel, const Value& port) {
        const Value& priorities = relay["priorities"];
        if (!priorities.valid || !tunnel["lossless"].valid || !port["lossless"].valid) return;
        for (const Value& item : priorities.items) {
            for (const Value* end : {&tunnel, &port}) {
                if (!item.valid || is_lossless(*end, item.number)) continue;
                fault(item,
                      fmt::format("priority {} is not lossless at {}", item.number,
                                  (*end)["name"].text),
                      "leave it out, or write it in its lossless");
                break;
            }
        }
        if (priorities.written || lossless_at_both(tunnel, port) != 0) return;
        fault(relay,
              fmt::format("no priority is lossless at {} and at {}", tunnel["name"].text,
                          port["name"].text),
              "write lossless: [3] or the like at both");
    }

    // Checks that both ends have one worker: a pause that one end receives is sent at the other end
    // at once.
    void check_worker(const Value& name, const Value& tunnel, const Value& port) {
        const auto theirs = worker_of(file_, tunnel);
        const auto its = worker_of(file_, port);
        if (!theirs || !its || *theirs == *its) return;
        fault(name,
              fmt::format("{} is polled by worker {}, and the tunnel by worker {}", name.text, *its,
                          *theirs),
              fmt::format("write worker: {} at {}", *theirs, port.path));
    }

    const Value& file_;
    const PortNames& names_;
    Report& report_;
    std::map<std::string, const Value*> seen_;
};

}  // namespace

void check_pause_relays(const Value& file, const PortNames& names, Report& report) {
    RelayRules(file, names, report).check();
}

void join_relays(const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices,
                 std::vector<PortSettings>& ports) {
    const std::vector<Value>& written = file["ports"].items;
    for (PortIndex tunnel = 0; tunnel < written.size(); ++tunnel) {
        const Value& relay = written[tunnel]["pause_relay"];
        if (!relay.written) continue;
        const PortIndex port = indices.at(relay["port"].text);
        PauseRelaySettings settings{.longest = Nanos(relay["longest"].number),
                                    .depth = static_cast<uint8_t>(relay["depth"].number),
                                    .limit = static_cast<uint32_t>(relay["limit"].number)};
        for (const Value& priority : relay["priorities"].items) {
            settings.priorities |= only_priority(static_cast<Priority>(priority.number));
        }
        if (!relay["priorities"].written) {
            settings.priorities = lossless_at_both(written[tunnel], written[port]);
        }
        ports[port].pfc.relay = settings;
        ports[port].pfc.relay.to = tunnel;
        ports[tunnel].pfc.relay = settings;
        ports[tunnel].pfc.relay.to = port;
        ports[tunnel].pfc.relay.probes = true;
    }
}

}  // namespace sluice::config
