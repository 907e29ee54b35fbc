#include "control/show/snapshot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cassert>

#include "config/printed.h"
#include "config/yaml/values.h"
#include "control/if_index.h"
#include "control/show/counters.h"
#include "control/show/credits.h"
#include "control/show/events.h"
#include "control/show/fdb.h"
#include "control/show/latency.h"
#include "control/show/ledger.h"
#include "control/show/noun_snapshots.h"
#include "control/show/nouns.h"
#include "control/show/recorder.h"
#include "control/show/retry.h"
#include "dataplane/fabric/matchers.h"
#include "dataplane/ledger.h"
#include "dataplane/types/enum_count.h"

namespace sluice::control {

namespace {

// Returns the rate at which the port can send: that of the link, or of the shaper if it is lower.
BitsPerSecond rate_of(const PortSettings& settings, BitsPerSecond link_speed) {
    const BitsPerSecond link = link_speed.count() > 0 ? link_speed : settings.speed;
    return settings.rate.count() > 0 ? std::min(settings.rate, link) : link;
}

Nanos time_of_longest(const PortSettings& settings, const PortView& about, unsigned frames) {
    const Bytes octets = (settings.max_frame + wire_overhead) * static_cast<int64_t>(frames);
    return transmission_time(octets,
                             about.link_speed.count() > 0 ? about.link_speed : settings.speed);
}
// Returns the longest time for which a port still sends after it received a pause: the device sends
// the frames of its transmit ring, at most a ring of the longest frames. Returns 0 if the device
// itself obeys pauses.
Nanos reaction_bound(const PortSettings& settings, const PortView& about) {
    if (settings.pfc.by == PfcBy::queues) return Nanos(0);
    return time_of_longest(settings, about, about.tx_descriptors);
}
// Returns the longest time that a pause frame from this switch waits: for the transmit ring or, if
// pauses overtake the ring, for the frame on the wire.
Nanos xoff_bound(const PortSettings& settings, const PortView& about) {
    if (settings.pfc.by != PfcBy::frames) return Nanos(0);
    return time_of_longest(settings, about, about.pauses_overtake ? 1 : about.tx_descriptors);
}

// Returns the sum of a value over the lanes of a port; `of` returns the value of one lane.
template <class Of>
uint64_t sum(const View& view, PortIndex port, Of of) {
    return view.dataplane.sum_of_lanes(
        port, [&](InputIndex lane) { return of(view.dataplane.counters(lane)); });
}

// Returns the lanes of a port. The first one is the port itself.
Json lanes_of(const View& view, PortIndex port) {
    Json lanes = Json::array();
    sluice::for_each_port(view.dataplane.lanes_of(port), [&](PortIndex lane) {
        lanes.push_back({{"worker", view.dataplane.worker_of(lane)},
                         {"rx_frames", view.dataplane.counters(lane).rx_frames.value()}});
    });
    return lanes;
}

constexpr std::array<std::string_view, 4> loop_guard_names = {"off", "clear", "looped", "shut"};
static_assert(loop_guard_names.size() == count_of<loop_guard::State>);
Json xdp_of(const std::optional<XdpView>& xdp) {
    if (!xdp) return nullptr;
    Json shown{{"mode", xdp->native ? "native" : "generic"},
               {"zero_copy", xdp->zero_copy},
               {"priority", xdp->priority}};
    for (const auto& [name, count] : xdp->counters) shown[name] = count;
    return shown;
}

Json ports(const View& view, bool) {
    using Of = const PortCounters&;
    Json rows = Json::array();
    const IfIndices indices = if_indices_of(view.ports);
    for_each_present_port(view, [&](PortIndex port) {
        const PortView& about = view.ports[port];
        const Abilities can = abilities_of(view, port);
        const PortSettings& settings = view.settings.ports[port];
        const PortCounters& counters = view.dataplane.counters(port);
        const uint64_t dropped = sum(view, port, [](Of lane) { return lane.drops.total(); });
        Json device_counters = Json::object();
        for (const auto& [name, count] : about.device_counters) device_counters[name] = count;
        rows.push_back({
            {"name", about.name},
            {"device", about.device},
            {"link", about.vanished              ? "gone"
                     : view.dataplane.link(port) ? "up"
                                                 : "down"},
            {"admin_status", settings.enabled ? "up" : "down"},
            {"rate_bps", rate_of(settings, about.link_speed).count()},
            {"rx_frames", sum(view, port, [](Of lane) { return lane.rx_frames.value(); })},
            {"rx_bytes", sum(view, port, [](Of lane) { return lane.rx_bytes.value(); })},
            {"tx_frames", counters.tx_frames.value()},
            {"tx_bytes", counters.tx_bytes.value()},
            {"dropped", dropped + counters.egress_drops.total()},
            {"copied", sum(view, port, [](Of lane) { return lane.copied.value(); })},
            {"generated", counters.generated.value()},
            {"description", about.description},
            {"aggregation", about.aggregation},
            {"loop_guard", loop_guard_names[static_cast<std::size_t>(about.loop_guard)]},
            {"index", port},
            {"if_index", indices.find(about.name)->second},
            {"worker", view.dataplane.worker_of(port)},
            {"lanes", lanes_of(view, port)},
            {"address", to_text(settings.address)},
            {"family", name_of(settings.format.family)},
            {"max_frame", settings.max_frame.count()},
            {"flow_control", name_of(settings.flow_control)},
            {"credit_state", credit_state_of(view, port)},
            {"pfc_rx", name_of(can.pfc_rx)},
            {"pfc_rx_why",
             can.pfc_rx == PauseAbility::software ? std::string() : about.abilities.pfc_rx_why},
            {"pfc_tx", name_of(can.pfc_tx)},
            {"pfc_tx_why", about.abilities.pfc_tx_why},
            {"lldp_rx", name_of(can.lldp_rx)},
            {"lldp_rx_why", about.abilities.lldp_rx_why},
            {"tx_descriptors", about.tx_descriptors},
            {"reaction_bound_ns", reaction_bound(settings, about).count()},
            {"xoff_bound_ns", xoff_bound(settings, about).count()},
            {"device_counters", std::move(device_counters)},
            {"xdp", xdp_of(about.xdp)},
        });
        const BitsPerSecond rate = rate_of(settings, about.link_speed);
        rows.back().update(
            json_of(port < view.rates.size() ? view.rates[port] : std::nullopt, rate));
        rows.back().update(trims_of(view, port));
        rows.back().update(stalls_of(view, port));
    });
    return rows;
}

Json drops(const View& view, bool all) {
    Json rows = Json::array();
    for_each_present_port(view, [&](PortIndex port) {
        const auto add = [&](auto frames_of, std::string_view side) {
            for (std::size_t reason = 1; reason < drop_reasons; ++reason) {
                const auto why = static_cast<Drop>(reason);
                const uint64_t frames = frames_of(why);
                if (!all && frames == 0) continue;
                rows.push_back({{"reason", name_of(why)},
                                {"consumed", is_consumed(why)},
                                {"port", view.ports[port].name},
                                {"side", side},
                                {"frames", frames}});
            }
        };
        add([&](Drop why) { return dropped_by_input(view.dataplane, port, why); }, "ingress");
        add([&](Drop why) { return view.dataplane.counters(port).egress_drops.of(why); }, "egress");
    });
    return rows;
}

// Returns the counts of frames that bypassed the VOQs, by output and priority.
Json bypassed(const View& view) {
    Json rows = Json::array();
    for_each_group(view, [&](PortIndex output, Priority priority) {
        uint64_t frames = 0;
        for (PortIndex input = 0; input < view.dataplane.input_count(); ++input) {
            frames += view.dataplane.ingress(input).bypassed({output, priority});
        }
        if (frames == 0) return;
        rows.push_back(
            {{"output", view.ports[output].name}, {"priority", priority}, {"frames", frames}});
    });
    return rows;
}

Json fabric(const View& view, bool) {
    const Crossbar& crossbar = view.dataplane.crossbar();
    const uint64_t slots = crossbar.slots();
    const uint64_t pairs = crossbar.pairs();
    Json histogram = Json::array();
    for (std::size_t size = 0; size <= view.dataplane.port_count(); ++size) {
        histogram.push_back({{"pairs", size}, {"slots", crossbar.slots_with(size)}});
    }
    return {
        {"algorithm", name_of(view.settings.fabric.algorithm)},
        {"iterations", view.settings.fabric.iterations},
        {"rule", view.settings.fabric.rule == CrossbarRule::strict ? "strict" : "weighted"},
        {"quantum_bytes", view.settings.fabric.quantum.count()},
        {"slots", slots},
        {"pairs", pairs},
        {"frames", crossbar.frames()},
        {"bypass", view.settings.fabric.bypass},
        {"bypassed", bypassed(view)},
        {"mean_matching",
         slots == 0 ? 0.0 : static_cast<double>(pairs) / static_cast<double>(slots)},
        {"histogram", std::move(histogram)},
    };
}

Json workers(const View& view, bool) {
    Json rows = Json::array();
    for (WorkerIndex worker = 0; worker < view.workers.size(); ++worker) {
        const WorkerView& about = view.workers[worker];
        PortSet own = 0;
        for_each_present_port(view, [&](PortIndex port) {
            sluice::for_each_port(view.dataplane.lanes_of(port), [&](PortIndex lane) {
                if (view.dataplane.worker_of(lane) == worker) own |= only(port);
            });
        });
        rows.push_back({{"index", worker},
                        {"core", about.core},
                        {"node", about.node},
                        {"ports", names_of(view, own)},
                        {"polls", about.polls},
                        {"busy_polls", about.busy_polls},
                        {"busy_ns", about.busy},
                        {"busy_share", about.busy_share},
                        {"frames", about.frames},
                        {"ns_per_frame", about.nanos_a_frame},
                        {"longest_gap_ns", about.longest_gap}});
    }
    return rows;
}

Json fdb(const View& view, bool) { return fdb_snapshot(view); }

Json counters(const View& view, bool) { return counters_of(ports(view, true), drops(view, false)); }

Json events(const View& view, bool) { return events_since(view.events, 0); }

Json history(const View& view, bool) {
    Json rows = Json::array();
    for_each_present_port(view, [&](PortIndex port) {
        rows.push_back({{"port", view.ports[port].name}});
        const PortHistory none;
        rows.back().update(
            (view.history == nullptr ? none : *view.history).of(view.ports[port].name));
    });
    return rows;
}

Json config(const View& view, bool) {
    return {{"file", view.configuration_file}, {"text", config::printed(view.configuration)}};
}

struct Maker {
    std::string_view noun;
    Json (*make)(const View&, bool);
};
constexpr auto makers = std::to_array<Maker>({
    {"version", version_snapshot},
    {"ports", ports},
    {"history", history},
    {"counters", counters},
    {"queues", queues_snapshot},
    {"buffer", buffer_snapshot},
    {"pfc", pfc_snapshot},
    {"credits", credits_snapshot},
    {"csig", csig_snapshot},
    {"retry", retry_snapshot},
    {"drops", drops},
    {"fdb", fdb},
    {"multicast", multicast_snapshot},
    {"vlan", vlan_snapshot},
    {"fabric", fabric},
    {"latency", latency_snapshot},
    {"workers", workers},
    {"lldp", lldp_snapshot},
    {"lacp", lacp_snapshot},
    {"spanning-tree", spanning_tree_snapshot},
    {"dcbx", dcbx_snapshot},
    {"tunnels", tunnels_snapshot},
    {"vteps", vteps_snapshot},
    {"evpn", evpn_snapshot},
    {"sflow", sflow_snapshot},
    {"ipfix", ipfix_snapshot},
    {"bursts", bursts_snapshot},
    {"recorder", recorder_snapshot},
    {"events", events},
    {"ledger", ledger_snapshot},
    {"config", config},
});
static_assert(has_a_row_for_each_noun(makers), "a noun without an answer");

}  // namespace

Json snapshot(std::string_view noun, const View& view, bool all) {
    assert(is_noun(noun));
    return std::ranges::find(makers, noun, &Maker::noun)->make(view, all);
}

Json totals(const View& view) {
    const Fdb& fdb = view.dataplane.fdb();
    return {{"fdb_entries", fdb.size()},
            {"fdb_capacity", fdb.capacity()},
            {"fdb_moves", fdb.moves()},
            {"fdb_full", fdb.full()},
            {"events", view.events.count()}};
}

uint64_t pauses_received(const Switch& dataplane, PortIndex port) {
    const PauseGate& gate = dataplane.egress(port).gate();
    uint64_t pauses = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        pauses += gate.xoffs_received(priority) + gate.relay().pauses(priority);
    }
    return pauses;
}

Abilities abilities_of(const View& view, PortIndex port) {
    Abilities can = view.ports[port].abilities.are;
    const bool by_frames = view.settings.ports[port].pfc.by == PfcBy::frames;
    const bool seen = by_frames && can.pfc_rx == PauseAbility::unproven &&
                      pauses_received(view.dataplane, port) > view.ports[port].pauses_before;
    if (seen) can.pfc_rx = PauseAbility::software;
    return can;
}

Json names_of(const View& view, PortSet ports) {
    Json names = Json::array();
    sluice::for_each_port(ports, [&](PortIndex port) {
        if (!view.ports[port].vacant) names.push_back(view.ports[port].name);
    });
    return names;
}

std::string to_text(FormatFamily family, MacAddress address) {
    return has_ids(family) ? fmt::format("{}", address.bits) : to_text(address);
}

std::string to_text(MacAddress address) { return config::format_address(address); }

std::string to_text(std::chrono::system_clock::time_point at) {
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
    return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(std::time_t{milliseconds / 1000}),
                       milliseconds % 1000);
}

std::string time_of(const View& view, Nanos at) {
    const auto ago = std::chrono::nanoseconds((view.now - at).count());
    return to_text(std::chrono::system_clock::now() -
                   std::chrono::duration_cast<std::chrono::system_clock::duration>(ago));
}

}  // namespace sluice::control
