#include "config/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/bridge/aggregations.h"
#include "config/bridge/mirrors.h"
#include "config/bridge/multicast.h"
#include "config/bridge/port_vlans.h"
#include "config/choices.h"
#include "config/csig.h"
#include "config/ipfix.h"
#include "config/metrics.h"
#include "config/port/classification.h"
#include "config/port/flow_control.h"
#include "config/port/formats.h"
#include "config/port/host.h"
#include "config/port/lanes.h"
#include "config/port/pause_bits.h"
#include "config/port/pause_peers.h"
#include "config/port/pause_relays.h"
#include "config/port/retry.h"
#include "config/port/set_aside.h"
#include "config/port/trimming.h"
#include "config/port/tunnels.h"
#include "config/protocols/dcbx.h"
#include "config/protocols/evpn.h"
#include "config/protocols/lldp.h"
#include "config/protocols/loop_guard.h"
#include "config/protocols/sflow.h"
#include "config/protocols/spanning_tree.h"
#include "config/recorder.h"
#include "config/validate.h"
#include "config/yaml/reader.h"
#include "config/yaml/whole.h"
#include "dataplane/egress/scheduler.h"
#include "dataplane/fabric/matchers.h"

namespace sluice::config {

namespace {

// --- from values to settings --------------------------------------------------------------------

Bytes bytes(const Value& value) { return Bytes(value.number); }

StormControlSettings storm_settings(const Value& storm) {
    return {.in_frames = storm["unit"].text == "frames",
            .rate = {storm["broadcast"].number, storm["unknown_unicast"].number,
                     storm["multicast"].number}};
}

// For a trunk without a native VLAN, no VLAN belongs to untagged frames.
TaggingSettings tagging_settings(const Value& port) {
    const Value& vlan = port["vlan"];
    TaggingSettings settings;
    settings.aware = is_aware_of_tags(port);
    settings.type = choice<TagType>(vlan["tpid"]);
    settings.accept = choice<FrameTypes>(vlan["accept"]);
    if (settings.aware && !untagged_vlan(port)) settings.accept = FrameTypes::tagged;
    return settings;
}

SchedulerSettings scheduler_settings(const Value& scheduler) {
    SchedulerSettings settings;
    fill(settings.traffic_class, scheduler["traffic_class"]);
    for (const auto& row : SharingSchedulers::choices) {
        for (const Value& item : scheduler[row.key].items) {
            const auto number = static_cast<std::size_t>(item.table_key);
            settings.discipline[number] = row.discipline;
            settings.weight[number] = whole<uint16_t>(item);
        }
    }
    return settings;
}

WatchdogSettings watchdog_settings(const Value& watchdog) {
    return {.action = choice<WatchdogAction>(watchdog["action"]),
            .detection = Nanos(watchdog["detection"].number),
            .restoration = Nanos(watchdog["restoration"].number),
            .longest_restoration = Nanos(watchdog["longest_restoration"].number),
            .poll = Nanos(watchdog["poll"].number)};
}

PfcSettings pfc_settings(const Value& port, const Value& buffer) {
    const Value& pfc = port["pfc"];
    PfcSettings settings;
    for (const Value& priority : port["lossless"].items) {
        settings.lossless |= only_priority(whole<Priority>(priority));
    }
    // Without lossless priorities there are no pauses to send.
    if (settings.lossless != 0) settings.by = pauser_of(port);
    settings.trigger = choice<PauseTrigger>(pfc["trigger"]);
    settings.reserved = reserve(port, buffer);
    settings.alpha_128 = whole<uint32_t>(pfc["alpha"]);
    const Levels at = levels(port, buffer);
    settings.xoff = at.xoff;
    settings.xon = at.xon;
    settings.xon_offset = bytes(pfc["xon_offset"]);
    settings.headroom = headroom(port, buffer);
    settings.pause = Quanta(pfc["pause"].number);
    settings.obeyed_within = obeyed_within(port);
    settings.obedience_patience = obedience_patience(port);
    settings.peers = pause_peers(pfc);
    settings.link_pause = pfc["link_pause"].number != 0;
    settings.asymmetric = pfc["asymmetric"].number != 0;
    settings.rx_limit = whole<uint32_t>(pfc["rx_limit"]);
    settings.tx_limit = whole<uint32_t>(pfc["tx_limit"]);
    settings.watchdog = watchdog_settings(pfc["watchdog"]);
    return settings;
}

CreditSettings credit_settings(const Value& port, const Value& buffer) {
    return {.buffer = credit_buffer(port, buffer),
            .quantum = credit_quantum(port),
            .refresh = Nanos(port["credit"]["refresh"].number)};
}

std::array<EcnSettings, max_priorities> ecn_settings(const Value& ecn) {
    std::array<EcnSettings, max_priorities> settings;
    for (const Value& marking : ecn.items) {
        settings[static_cast<std::size_t>(marking.table_key)] = {
            .low = bytes(marking["low"]),
            .high = bytes(marking["high"]),
            .probability_65536 = whole<uint32_t>(marking["probability"]),
            .drop = marking["drop"].number != 0};
    }
    return settings;
}

PortSettings port_settings(const Value& port, std::size_t index, uint8_t workers,
                           const Value& buffer) {
    PortSettings settings;
    const std::vector<Value>& lanes = port["lanes"].items;
    settings.worker = !lanes.empty()           ? whole<WorkerIndex>(lanes.front())
                      : port["worker"].written ? whole<WorkerIndex>(port["worker"])
                                               : static_cast<WorkerIndex>(index % workers);
    settings.enabled = port["admin_status"].text == "up";
    settings.speed = BitsPerSecond(port["speed"].number);
    settings.rate = BitsPerSecond(port["rate"].number);
    settings.max_frame = largest_frame(port);
    settings.address = MacAddress{whole<uint64_t>(port["address"])};
    settings.default_vlan = untagged_vlan(port).value_or(whole<VlanId>(port["default_vlan"]));
    settings.tagging = tagging_settings(port);
    settings.storm_control = storm_settings(port["storm_control"]);
    settings.isolated = port["isolated"].number != 0;
    settings.sticky = port["fdb"]["sticky"].number != 0;
    settings.classify = classify_settings(port);
    settings.remark = remark_settings(port["remark"]);
    settings.flow_control = choice<FlowControl>(port["flow_control"]);
    settings.scheduler = scheduler_settings(port["scheduler"]);
    settings.pfc = pfc_settings(port, buffer);
    if (goes_by_credit(port)) settings.credit = credit_settings(port, buffer);
    settings.ecn = ecn_settings(port["ecn"]);
    settings.trim = trim_settings(port);
    settings.csig = port_csig_settings(port);
    settings.retry = retry_settings(port);
    return settings;
}

PortConfig port_config(const Value& port, const Value& buffer) {
    PortConfig config;
    config.name = port["name"].text;
    config.description = port["description"].text;
    config.device = port["device"].text;
    config.mtu = bytes(port["mtu"]);
    config.in_front = octets_in_front(port);
    config.format = port["format"].text;
    config.promiscuous = port["promiscuous"].number != 0;
    if (port["address"].written) config.address = MacAddress{whole<uint64_t>(port["address"])};
    config.worker_written = port["worker"].written || !port["lanes"].items.empty();
    config.speed_written = port["speed"].written;
    config.headroom_written = port["pfc"]["headroom"].written;
    config.levels = written_levels(port);
    config.needs = headroom_needs(port, buffer);
    config.credit_needs = credit_needs(port, buffer);
    config.credit_buffer_written = port["credit"]["buffer"].written;
    config.reserved = bytes(port["pfc"]["reserved"]);
    config.rx_descriptors = whole<uint16_t>(port["rx_descriptors"]);
    config.tx_descriptors = whole<uint16_t>(port["tx_descriptors"]);
    config.unproved = choice<Unproved>(port["pfc"]["unproved"]);
    config.strict = port["pfc"]["strict"].number != 0;
    config.lldp = port_lldp_config(port);
    config.dcbx = port_dcbx_config(port);
    config.loop_guard = loop_guard_config(port);
    config.spanning_tree = port_spanning_tree_config(port);
    config.host = host_config(port);
    config.underlay = underlay_config(port);
    config.tunnel = tunnel_config(port);
    return config;
}

BufferSettings buffer_settings(const Value& buffer) {
    return {.size = bytes(buffer["size"]),
            .cell = bytes(buffer["cell"]),
            .reserved = bytes(buffer["reserved"]),
            .alpha_128 = whole<uint32_t>(buffer["alpha"])};
}

FabricSettings fabric_settings(const Value& fabric) {
    FabricSettings settings;
    settings.algorithm =
        std::ranges::find(matcher_names, fabric["algorithm"].text, &MatcherName::name)->algorithm;
    settings.iterations = whole<uint8_t>(fabric["iterations"]);
    settings.quantum = bytes(fabric["quantum"]);
    settings.bypass = fabric["bypass"].number != 0;
    settings.slots = whole<uint8_t>(fabric["slots"]);
    settings.rule =
        fabric["rule"].text == "weighted" ? CrossbarRule::weighted : CrossbarRule::strict;
    fill(settings.weight, fabric["weights"]);
    return settings;
}

using PortIndices = std::map<std::string, PortIndex, std::less<>>;

FdbSettings fdb_settings(const Value& fdb, const PortIndices& indices) {
    FdbSettings settings;
    settings.capacity = whole<uint32_t>(fdb["capacity"]);
    settings.ageing = Nanos(fdb["ageing"].number);
    settings.when_full = choice<WhenFull>(fdb["when_full"]);
    settings.moves = choice<Moves>(fdb["moves"]);
    for (const Value& entry : fdb["static"].items) {
        settings.static_entries.push_back(
            {.vlan = whole<VlanId>(entry["vlan"]),
             .address = {whole<uint64_t>(entry[entry["id"].written ? "id" : "address"])},
             .port = indices.at(entry["port"].text)});
    }
    return settings;
}

VlanSettings vlan_settings(const Value& file, const PortIndices& indices) {
    VlanSettings settings;
    settings.filtering = file["vlans"].written;
    for (const Value& vlan : file["vlans"].items) {
        const auto id = whole<VlanId>(vlan["id"]);
        settings.unlearned[id] = vlan["learning"].number == 0;
        settings.unflooded[id] = vlan["flood_unknown"].number == 0;
        PortSet& members = settings.members[id];
        for (const Value& port : vlan["ports"].items) members |= only(indices.at(port.text));
    }
    for (const Value& port : file["ports"].items) {
        const PortSet self = only(indices.at(port["name"].text));
        const bool in_every_vlan = !is_aware_of_tags(port) && !file["vlans"].written;
        if (is_aware_of_tags(port)) settings.filtering = true;
        for (VlanId vlan = 1; vlan < reserved_vlan; ++vlan) {
            if (in_every_vlan || has_vlan(port, vlan)) settings.members[vlan] |= self;
        }
        if (!is_aware_of_tags(port)) continue;
        if (const auto untagged = untagged_vlan(port)) settings.untagged[*untagged] |= self;
    }
    return settings;
}

void join_tunnels(Configuration& built, const PortIndices& indices) {
    for (std::size_t port = 0; port < built.ports.size(); ++port) {
        const PortConfig& config = built.ports[port];
        if (!config.tunnel) continue;
        PortSettings& settings = built.settings.ports[port];
        settings.underlay = indices.at(config.tunnel->underlay);
        settings.worker = built.settings.ports[settings.underlay].worker;
        // A tunnel has its underlay's speed, so the speed counts as written if the underlay's is
        // written.
        built.ports[port].speed_written |= built.ports[settings.underlay].speed_written;
    }
}

void note_positions(const Value& value, Source& source) {
    if (!value.written) return;
    source.positions.emplace(value.path, value.at);
    for (const Value& item : value.items) note_positions(item, source);
}

Configuration build(const Value& file, const std::string& file_name) {
    Configuration built;
    PortIndices indices;
    built.settings.workers = whole<uint8_t>(file["workers"]["count"]);
    for (const Value& port : file["ports"].items) {
        const std::size_t index = built.ports.size();
        indices.emplace(port["name"].text, static_cast<PortIndex>(index));
        built.ports.push_back(port_config(port, file["buffer"]));
        built.ports.back().listed = index;
        built.settings.ports.push_back(
            port_settings(port, index, built.settings.workers, file["buffer"]));
        built.settings.ports.back().format = *format_named(file, port["format"].text);
        built.settings.ports.back().forwards_bpdus = file["bpdus"].text == "forward";
        built.settings.ports.back().sflow_one_in = sflow_sampling(file, port);
    }
    join_tunnels(built, indices);
    join_relays(file, indices, built.settings.ports);
    join_pause_bits(file, built);
    built.settings.lanes = further_lanes(file);
    built.settings.buffer = buffer_settings(file["buffer"]);
    built.settings.fabric = fabric_settings(file["fabric"]);
    if (!file["fabric"]["quantum"].written) {
        Bytes& quantum = built.settings.fabric.quantum;
        quantum = std::max(quantum, sluice::largest_frame(built.settings));
    }
    built.settings.fdb = fdb_settings(file["fdb"], indices);
    built.settings.vlan = vlan_settings(file, indices);
    for (const Value& vlan : file["vlans"].items) {
        if (vlan["name"].written) {
            built.vlan_names.emplace(whole<VlanId>(vlan["id"]), vlan["name"].text);
        }
    }
    built.settings.aggregations = aggregation_settings(file, indices);
    built.settings.mirrors = mirror_settings(file, indices);
    built.aggregations = aggregation_configs(file, built.settings.aggregations);
    for (const AggregationConfig& aggregation : built.aggregations) {
        for_each_port(aggregation.members, [&](PortIndex member) {
            built.ports[member].aggregation = aggregation.name;
            built.settings.ports[member].lacp = aggregation.lacp.mode != LacpMode::off;
        });
    }
    built.settings.multicast = multicast_settings(file, indices);
    built.querier = querier_config(file["multicast"]["querier"]);
    built.settings.sflow_header = whole<uint16_t>(file["sflow"]["header"]);
    built.settings.csig = csig_settings(file["csig"]);
    built.settings.latency_one_in = whole<uint32_t>(file["latency"]["sample"]);

    const Value& workers = file["workers"];
    for (const Value& core : workers["cores"].items) {
        built.workers.cores.push_back(whole<uint16_t>(core));
    }
    built.workers.idle = workers["idle"].text == "poll" ? Idle::poll : Idle::yield;
    built.workers.burst = whole<uint8_t>(workers["burst"]);
    built.control.socket = file["control"]["socket"].text;
    built.control.readers = file["control"]["readers"].text;
    built.control.state = file["control"]["state"].text;
    const Value& state = file["state"];
    built.state = {.fdb = state["fdb"].number != 0,
                   .counters = state["counters"].number != 0,
                   .interval = Nanos(state["interval"].number)};
    built.metrics = metrics_config(file["metrics"]);
    built.telemetry = file["telemetry"].number != 0;
    built.lldp = lldp_config(file["lldp"]);
    built.sflow = sflow_config(file["sflow"]);
    built.ipfix = ipfix_config(file["ipfix"], indices);
    built.recorder = recorder_config(file["recorder"], indices);
    built.evpn = evpn_config(file["evpn"]);
    join_evpn(file, built);
    built.spanning_tree = spanning_tree_config(file);
    join_spanning_tree(built);
    built.hotplug.ports = whole<std::size_t>(file["hotplug"]["ports"]);
    for (const Value& device : file["hotplug"]["devices"].items) {
        built.hotplug.devices.push_back(device.text);
    }

    built.source.file = file_name;
    note_positions(file, built.source);
    return built;
}

// A port without a name is called by its index.
void name_ports(Value& file) {
    for (Value& section : file.items) {
        if (section.name != "ports") continue;
        for (std::size_t index = 0; index < section.items.size(); ++index) {
            for (Value& item : section.items[index].items) {
                if (item.name == "name" && !item.written) item.text = fmt::format("p{}", index);
            }
        }
    }
}

}  // namespace

Position Source::position_of(std::string_view path) const {
    while (!path.empty()) {
        if (const auto found = positions.find(path); found != positions.end()) return found->second;
        const std::size_t end = path.find_last_of(".[");
        path = path.substr(0, end == std::string_view::npos ? 0 : end);
    }
    return {};
}

tl::expected<Configuration, std::vector<Fault>> load_text(std::string_view text,
                                                          std::string file_name) {
    Report report(std::move(file_name));
    const auto document = read_document(text, report);
    if (!document) return tl::unexpected(report.take());
    auto configuration = configuration_of(*document, report);
    if (!configuration) return tl::unexpected(report.take());
    configuration->source.text = text;
    return std::move(*configuration);
}

std::optional<Configuration> configuration_of(const Node& document, Report& report) {
    Value file = read_values(document, report);
    if (report.full()) return std::nullopt;
    name_ports(file);
    apply_underlay_defaults(file);
    validate(file, report);
    check_lldp(file, report);
    check_dcbx(file, report);
    check_pause_bits(file, report);
    check_loop_guard(file, report);
    check_spanning_tree(file, report);
    check_sflow(file, report);
    check_ipfix(file, report);
    check_csig(file, report);
    check_metrics(file["metrics"], report);
    check_evpn(file, report);
    if (!report.clean()) return std::nullopt;
    return build(file, report.file());
}

tl::expected<std::string, std::vector<Fault>> text_of(const std::string& path, FileKind kind) {
    auto text = read_text_file(path, largest_file, kind);
    Report report(path);
    if (text && !is_too_large(*text, report)) return std::move(*text);
    if (!text) report.add({}, "file", text.error(), "name a file that can be read");
    return tl::unexpected(report.take());
}

tl::expected<Configuration, std::vector<Fault>> load(const std::string& path, FileKind kind) {
    const auto text = text_of(path, kind);
    if (!text) return tl::unexpected(text.error());
    return load_text(*text, path);
}

}  // namespace sluice::config
